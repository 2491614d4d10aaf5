// @ts-check
// What can be done, under the thumb. It holds still for a moment once it was pressed or has changed: whoever taps twice presses nothing that he has not read.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { notify, useTopic } from '../state/topics.mjs';

const HELD_MS = 700;

/** Until when, as the events of the page have it: of all docks, for the next page has one as well. */
let heldUntil = 0;

/** Whether it was pressed or has changed just now. */
const isHeld = () => performance.now() < heldUntil;

function hold() {
  heldUntil = performance.now() + HELD_MS;
  notify('dock');
  setTimeout(() => notify('dock'), HELD_MS + 20);
}

/**
 * A tap counts from when the thumb came down, however slow the page is.
 * @param {Event} event
 */
function press(event) {
  if (event.timeStamp >= heldUntil) return hold();
  event.preventDefault();
  event.stopPropagation();
}

/**
 * `shape` changes with what its buttons mean; `busy` while what was pressed is on its way.
 * @param {{ label?: string, shape: string, busy?: boolean, children?: unknown }} props
 */
export function Dock({ label, shape, busy, children }) {
  useTopic('dock');
  const dock = useRef(/** @type {HTMLElement | null} */ (null));
  const before = useRef(shape);
  useLayoutEffect(() => {
    if (before.current === shape) return;
    before.current = shape;
    hold();
  }, [shape]);
  // Messages stand above it.
  useLayoutEffect(() => {
    const height = dock.current && getComputedStyle(dock.current).position === 'fixed' ? dock.current.offsetHeight : 0;
    document.documentElement.style.setProperty('--dock', `${height}px`);
  });
  useLayoutEffect(() => () => { document.documentElement.style.removeProperty('--dock'); }, []);
  return html`<div class="dock" ref=${dock} role="group" aria-label=${label} aria-disabled=${busy || isHeld() ? 'true' : null} onClickCapture=${busy ? stop : press}>${children}</div>`;
}

/** @param {Event} event */
function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}
