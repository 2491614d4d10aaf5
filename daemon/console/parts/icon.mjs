// @ts-check
// Signs. Irregularity, doubt and fault differ in shape, not only in colour.
import { html } from '../app/html.mjs';

const PATHS = {
  irregularity: 'M5 21V4h1.5M6 4h12l-3 4 3 4H6',
  doubt: 'M9 9a3 3 0 1 1 4.2 2.7c-.9.5-1.2 1-1.2 2.1M12 17.2v.3M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18',
  fault: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4M3 3l18 18',
  unplugged: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4M3 3l18 18',
  restore: 'M4 10h11a5 5 0 0 1 0 10h-4M8 5l-4.5 5L8 15',
  hand: 'M8 12V6a1.5 1.5 0 0 1 3 0v5-7a1.5 1.5 0 0 1 3 0v7-5a1.5 1.5 0 0 1 3 0v8a6 6 0 0 1-6 6c-3 0-4-2-6-6-.8-1.6 1.2-2.6 2-1z',
  sensor: 'M4 4h16v16H4zM4 12h16M12 4v16',
  pencil: 'M4 20l1-5L16 4l4 4L9 19l-5 1M14 6l4 4',
  walk: 'M13 4.5a1 1 0 1 1 0 .1M9 21l2.5-6 3 2.5V21M11.5 15l1-6-4 2v3M12.5 9l2.5 3h3',
  clock: 'M3 8h18v11H3zM12 8v11M8 8V5h3M13 5h3v3M6 13l1.500 1.500M18 13l-1.500 1.500',
  list: 'M5 6h1M10 6h9M5 12h1M10 12h9M5 18h1M10 18h9',
  eye: 'M2.500 12c2-4 5.500-6.500 9.500-6.500s7.500 2.500 9.500 6.500c-2 4-5.500 6.500-9.500 6.500s-7.500-2.500-9.500-6.500M12 9.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5',
  ring: 'M12 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14',
  hourglass: 'M6 3h12M6 21h12M8 3v3l4 6-4 6v3M16 3v3l-4 6 4 6v3',
  print: 'M7 8V3h10v5M7 17H4V9h16v8h-3M7 14h10v7H7z',
  pause: 'M8 5v14M16 5v14',
  check: 'M4 12.5l5 5L20 6.5',
  cross: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  flip: 'M7 4v14M7 18l-3-3M7 18l3-3M17 20V6M17 6l-3 3M17 6l3 3',
};

/** @typedef {keyof typeof PATHS} IconName */

/** @param {{ name: IconName }} props */
export function Icon({ name }) {
  return html`
    <svg class=${`icon icon-${name}`} viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" fill="none"
      stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d=${PATHS[name]} /></svg>
  `;
}
