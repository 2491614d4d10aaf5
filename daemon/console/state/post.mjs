// @ts-check
// What is sent to the daemon, with the name that somebody has given himself where nobody is asked who he is.
import { ownName } from './name.mjs';

/**
 * @param {string} path
 * @param {object} body
 * @param {RequestInit & { name?: string, author?: string }} [more] `name`: sent again under it, it counts once; `author`: who he was as he gave it
 */
export const post = (path, body, { name, author = ownName(), ...more } = {}) => fetch(path, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    ...(author && { 'arbiter-name': encodeURIComponent(author) }),
    ...(name && { 'idempotency-key': name }),
  },
  body: JSON.stringify(body),
  ...more,
});
