// @ts-check
// Whose pages these are. A hub serves those of its halls below its own, as `/halls/NAME/`.

/** Where the pages of a hall are, below its hub. @param {string} hall */
export const roomOf = (hall) => `halls/${encodeURIComponent(hall)}/`;

/**
 * The wall of these halls. They stand in the address, so that it can be typed at a screen, which is not told what halls there are.
 * @param {{ name: string }[]} halls
 */
export const wallOf = (halls) => `wall.html?${new URLSearchParams(halls.map(({ name }) => ['hall', name]))}`;

/** What the hub calls the hall whose pages these are; null in the hall itself, and on the hub's own pages. */
export function hallHere() {
  const path = globalThis.document ? new URL(document.baseURI).pathname : '';
  const name = /\/halls\/([^/]+)\/[^/]*$/.exec(path)?.[1];
  return name === undefined ? null : decodeURIComponent(name);
}

/** From there to the hub's own pages. */
export const TO_HUB = '../../';

/** The title of a page: whoever has several halls open tells them by it. @param {string} title */
export function titleHere(title) {
  const hall = hallHere();
  return hall === null ? title : `${hall} · ${title}`;
}
