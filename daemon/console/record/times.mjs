// @ts-check
// How long each move took, and what both clocks showed.

/**
 * Milliseconds from the move before to this one, as the board's clock has them. The first one has none: nobody knows when it was begun.
 * @param {{ plies: PlyRecord[] }} view
 */
export const timesOf = ({ plies }) => plies.map((ply, n) => (n === 0 ? null : Math.max(0, ply.at - plies[n - 1].at)));

/** @param {number | null | undefined} ms */
export function spentText(ms) {
  if (ms === null || ms === undefined) return '';
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
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
