// @ts-check
// How long each move took, what both clocks showed, and when: on one sheet a time is written in one way.

/** The time of day, as `09:05:03`. @param {string | number | Date} at */
export const timeOfDay = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** With its day, which is written as that of the game is. @param {Date} at */
export const momentOf = (at) => `${[at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')}, ${timeOfDay(at)}`;

/**
 * Milliseconds from the move before to this one, as the board's clock has them. The first one has none: nobody knows when it was begun.
 * @param {{ plies: PlyRecord[] }} view
 */
export const timesOf = ({ plies }) => plies.map((ply, n) => (n === 0 ? null : Math.max(0, ply.at - plies[n - 1].at)));

/** @param {number | null | undefined} ms */
export function spentText(ms) {
  if (ms === null || ms === undefined) return '';
  const [seconds, minutes] = [Math.round(ms / 1000) % 60, Math.floor(Math.round(ms / 1000) / 60)];
  const [h, m] = [Math.floor(minutes / 60), minutes % 60];
  return `${h ? `${h}:${String(m).padStart(2, '0')}` : m}:${String(seconds).padStart(2, '0')}`;
}

/**
 * What the clock of each player showed after his moves.
 * @param {{ plies: PlyRecord[], start_fen: string }} view
 */
export function clocksOf({ plies, start_fen: start }) {
  const first = start.split(' ')[1] === 'b' ? 1 : 0;
  /** @param {number} side */
  const of = (side) => plies.flatMap((ply, n) => ((n + first) % 2 === side && ply.clock_ms !== null ? [{ ply: n + 1, ms: ply.clock_ms }] : []));
  return { white: of(0), black: of(1) };
}
