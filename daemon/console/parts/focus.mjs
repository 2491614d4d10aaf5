// @ts-check
// Where the keyboard goes on when what was pressed is gone with what it was about.
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Of one ruling a board and its incident tell one after the other. */
const TOLD_MS = 250;

/** Whether the keyboard is nowhere. */
const isLost = () => !document.activeElement || document.activeElement === document.body;

/**
 * The first of these that is there has the keyboard, unless something else has.
 * @param {string[]} places selectors, what comes next first
 */
function goOn(places) {
  if (!isLost()) return;
  for (const place of places) {
    const next = /** @type {HTMLElement | null} */ (document.querySelector(place));
    if (!next) continue;
    // What is read and not pressed has the keyboard only from here.
    if (next.tabIndex < 0) next.tabIndex = -1;
    next.focus();
    if (!isLost()) return;
  }
}

/**
 * Once something that was ruled on here is not there any more, the keyboard goes on at the first of these places.
 * @param {number[]} open what can be ruled on now
 * @param {number | null | undefined} sent what is ruled on here
 * @param {string[]} places selectors, what comes next first
 */
export function useGoOn(open, sent, places) {
  const ruled = useRef(/** @type {number | null} */ (null));
  useLayoutEffect(() => {
    if (sent && open.includes(sent)) ruled.current = sent;
    if (ruled.current === null || open.includes(ruled.current)) return;
    ruled.current = null;
    setTimeout(() => goOn(places), TOLD_MS);
  });
}
