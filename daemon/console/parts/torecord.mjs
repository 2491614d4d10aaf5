// @ts-check
// A way to a game as it was recorded, for those who may read that; for others its words alone, or nothing where they say no more than that it is there.
import { html } from '../app/html.mjs';
import { useMayRead } from '../state/rights.mjs';

/** @param {{ to: string, kind?: string | null, or?: any, children?: any }} props */
export function ToRecord({ to, kind, or, children }) {
  if (useMayRead()) return html`<a class=${kind} href=${to}>${children}</a>`;
  return or === undefined ? children : or;
}
