// @ts-check
// How large boards are on a wall: as large as they can be with all of them in sight.
import { useEffect, useReducer } from 'preact/hooks';

/** What stands under a board and around it, and the name of a hall, in lines of text. */
const AROUND_LINES = 8;
const NAME_LINES = 3.5;
/** A board that is narrower, in lines, is read by nobody from afar. Nobody scrolls a wall. */
const LEAST_LINES = 16;

/** A line of text on a wall (`css/people.css`). */
const lineHere = () => Math.min(34, Math.max(15, innerWidth * 0.0085));

/**
 * The width with which boards in rows of `c` fill a part of the wall.
 * @param {number} c
 * @param {number} rows
 * @param {{ wide: number, high: number }} part
 * @param {number} line
 */
const widthIn = (c, rows, { wide, high }, line) => Math.min(wide / c - 2 * line, high / rows - AROUND_LINES * line);

/**
 * @param {number[]} counts how many boards each hall has
 * @param {boolean} isNamed whether the names of the halls stand there
 * @returns {{ width: number | null, isAcross: boolean }} no width where they are too many for all to be in sight; `isAcross`: the halls stand beside each other
 */
export function sizesOf(counts, isNamed) {
  const line = lineHere();
  const halls = counts.length;
  const most = Math.max(1, ...counts);
  const columns = Array.from({ length: most }, (_, n) => n + 1);
  const head = isNamed ? NAME_LINES * line : 0;
  const among = { wide: innerWidth, high: innerHeight - halls * head };
  // A hall without boards says so in a line of its own.
  const rows = (/** @type {number} */ c) => counts.reduce((sum, n) => sum + Math.max(Math.ceil(n / c), halls > 1 ? 0.3 : 1), 0);
  const stacked = Math.max(0, ...columns.map((c) => widthIn(c, rows(c), among, line)));
  const part = { wide: innerWidth / Math.max(1, halls), high: innerHeight - head };
  const across = halls > 1 ? Math.max(0, ...columns.map((c) => widthIn(c, Math.ceil(most / c), part, line))) : 0;
  const best = Math.floor(Math.max(stacked, across));
  const fits = best >= LEAST_LINES * line;
  return { width: fits ? best : null, isAcross: fits && across > stacked };
}

/**
 * The same, whenever the screen is another.
 * @param {number[]} counts
 * @param {boolean} isNamed
 */
export function useSizes(counts, isNamed) {
  const [, again] = useReducer((/** @type {number} */ times) => times + 1, 0);
  useEffect(() => {
    const resized = () => again(undefined);
    addEventListener('resize', resized);
    return () => removeEventListener('resize', resized);
  }, []);
  return sizesOf(counts, isNamed);
}
