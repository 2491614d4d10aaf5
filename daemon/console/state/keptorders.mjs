// @ts-check
// Where orders are kept that are not with the daemon yet: in this tab, also when the page is loaded again, or gives way to the login.

const START = 'arbiter-orders ';
/** A hub serves the pages of its halls below its own: each has orders of its own. */
const KEPT = `${START}${new URL('.', document.baseURI).pathname}`;

/** @typedef {import('./outbox.mjs').Sent} Sent */

/** @param {string} key */
function read(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
}

/** What the pages of this hall have kept. */
export const keptOrders = () => read(KEPT);

/** @param {object} kept */
export function keepOrders(kept) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // Without a store they live as long as the page.
  }
}

/**
 * What was ordered on any page of this tab and has not been sent.
 * @returns {Sent[]}
 */
export const unsent = () => Object.keys(sessionStorage).filter((key) => key.startsWith(START)).flatMap((key) => read(key).all ?? [])
  .filter((/** @type {Sent} */ { quiet, refused }) => !quiet && refused === undefined);
