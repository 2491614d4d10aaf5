// @ts-check
// What is sent to the daemon, with the name that somebody has given himself where nobody is asked who he is.
import { ownName } from './name.mjs';

/**
 * @param {string} path
 * @param {object} body
 * @param {RequestInit & { name?: string }} [more] `name`: sent again under it, it counts once
 */
export const post = (path, body, { name, ...more } = {}) => fetch(path, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    ...(ownName() && { 'arbiter-name': encodeURIComponent(ownName()) }),
    ...(name && { 'idempotency-key': name }),
  },
  body: JSON.stringify(body),
  ...more,
});
