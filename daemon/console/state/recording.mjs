// @ts-check
// Who must write his moves down, and who may have stopped (Article 8.4): the clock decides, and what is added with each move.
import { remaining } from './clock.mjs';
import { SHORT_MS } from './tables.mjs';

/** With so much for each move everybody goes on. */
const ENOUGH_SECONDS = 30;

/** `moves`: after how many of his own a player is in the next period; null in the last one. @typedef {{ moves: number | null, added: number }} Period */

/**
 * The periods of a time control as PGN writes it, such as `40/6000+30:900+30`; null where it says none.
 * @param {string | undefined} control
 * @returns {Period[] | null}
 */
export function periodsOf(control) {
  const read = (control ?? '').split(':').map((part) => /^(?:(\d+)\/)?\d+(?:\+(\d+))?$/.exec(part.trim()));
  if (!read.every((period) => period !== null)) return null;
  return read.map((period) => ({ moves: period?.[1] ? Number(period[1]) : null, added: Number(period?.[2] ?? 0) }));
}

/**
 * How many seconds a player has added who has made so many moves.
 * @param {Period[]} periods
 * @param {number} made
 */
export function addedAfter(periods, made) {
  let left = made;
  for (const { moves, added } of periods) {
    if (moves === null || left < moves) return added;
    left -= moves;
  }
  return periods[periods.length - 1].added;
}

/** How many moves of a player the record has. @param {Shown} board @param {Colour} colour */
function movesOf({ ply, start_fen: start }, colour) {
  const first = start?.split(' ')[1] === 'b' ? 'black' : 'white';
  return Math.floor((ply + (colour === first ? 1 : 0)) / 2);
}

/**
 * Of one player: what is added, in seconds; null where the time control is not known. `stopped`: he may have stopped writing. In rapid and in blitz nobody need begin.
 * @param {Shown} board
 * @param {Colour} colour
 * @param {Period[] | null} periods
 */
export function recordingOf(board, colour, periods) {
  const added = periods && addedAfter(periods, movesOf(board, colour));
  const left = remaining(board, colour);
  const isObliged = (board.class ?? 'standard') === 'standard';
  return { added, stopped: isObliged && added !== null && added < ENOUGH_SECONDS && left !== null && left < SHORT_MS };
}
