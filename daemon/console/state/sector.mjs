// @ts-check
// Whose tables the inbox of this device is about: those of whoever is here, or those that somebody responsible for all has chosen on it.
import { isChiefOf, useMe, whoWasHere } from './me.mjs';
import { hallHere } from './room.mjs';
import { notify, useTopic } from './topics.mjs';

/** Of each hall of a hub by itself: their tables have the same numbers. */
const kept = () => `arbiter-tables${hallHere() === null ? '' : `:${hallHere()}`}`;

/** Where the browser keeps nothing it lasts as long as the page. @type {string | null | undefined} */
let chosen;

/**
 * A range as it is typed, such as `1-20`; null where it is none.
 * @param {string} text
 */
export function rangeOf(text) {
  const range = /^\s*(\d{1,5})\s*(?:[-–]\s*(\d{1,5})\s*)?$/.exec(text);
  if (!range) return null;
  const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
  return `${Math.min(from, to)}-${Math.max(from, to)}`;
}

function chosenTables() {
  try {
    chosen ??= rangeOf(localStorage.getItem(kept()) ?? '');
  } catch {
    chosen ??= null;
  }
  return chosen;
}

/** @param {string | null} tables all, where there are none */
export function chooseTables(tables) {
  chosen = tables;
  try {
    if (tables) localStorage.setItem(kept(), tables);
    else localStorage.removeItem(kept());
  } catch {
    // It lasts as long as the page.
  }
  notify('sector');
  notify('incidents');
}

/**
 * The tables of whoever is here, such as `1-10`, or those chosen on this device; null where all are his.
 * @param {import('./me.mjs').Me | null} [me]
 */
export const tablesHere = (me = whoWasHere()) => me?.tables ?? (me && isChiefOf(me) ? chosenTables() : null);

/**
 * The same, and whether he may choose them.
 * @returns {{ own: string | null, chosen: string | null, mayChoose: boolean }}
 */
export function useSector() {
  useTopic('sector');
  const me = useMe();
  const own = me?.tables ?? null;
  return { own, chosen: own ? null : tablesHere(me), mayChoose: me !== null && !own && isChiefOf(me) };
}
