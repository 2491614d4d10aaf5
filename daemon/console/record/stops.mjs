// @ts-check
// How long each move took, and when the game was stopped meanwhile.

/** @typedef {{ from: number, to: number }} Stop on the board's clock */

/**
 * When a game was stopped, and went on. One that nobody has let go on is none: when it was played on is not known.
 * @param {Pick<GameDocument, 'given'>} game
 * @returns {Stop[]}
 */
export function stopsOf({ given }) {
  /** @type {Stop[]} */
  const stops = [];
  /** @type {number | null} */
  let from = null;
  for (const { event, action, at, undone } of /** @type {{ event: string, action?: string, at: number, undone?: unknown }[]} */ (/** @type {unknown} */ (given))) {
    if (event !== 'arbiter' || undone) continue;
    if (action === 'pause') from ??= at;
    if (action !== 'resume' || from === null) continue;
    stops.push({ from, to: at });
    from = null;
  }
  return stops;
}

/**
 * Milliseconds from the move before to this one, as the board's clock has them, without those in which the game was stopped. The first one has none: nobody knows
 * when it was begun.
 * @param {{ plies: PlyRecord[] }} view
 * @param {Stop[]} stops
 */
export const timesOf = ({ plies }, stops) => plies.map((ply, n) => (n === 0 ? null : Math.max(0, ply.at - plies[n - 1].at - stoppedIn(stops, plies[n - 1].at, ply.at))));

/** @param {Stop[]} stops @param {number} from @param {number} to */
export const stoppedIn = (stops, from, to) => stops.reduce((sum, stop) => sum + Math.max(0, Math.min(stop.to, to) - Math.max(stop.from, from)), 0);
