// @ts-check
// One short message at the foot of the page: what was done, or why it was refused.
import { notify, useTopic } from './topics.mjs';

const SHOWN_MS = { done: 4_000, refused: 12_000 };
/** @type {Notice | null} */
let notice = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {Notice | null} next */
export function setNotice(next) {
  notice = next;
  clearTimeout(timer);
  if (next) timer = setTimeout(() => setNotice(null), SHOWN_MS[next.kind]);
  notify('notice');
}

export function useNotice() {
  useTopic('notice');
  return notice;
}
