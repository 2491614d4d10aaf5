// @ts-check
// What was said lately of each board and stands nowhere in its state: corrections, claims, lapsed rights, orders that were refused.
import { notify, subscribe, useTopic } from './topics.mjs';

const KEPT = 8;
/** @type {Set<Ruling['ruling']>} */
const KINDS = new Set(['revision', 'withdrawn', 'lapsed', 'draw-claimable', 'claim', 'result', 'refused']);
/** @type {Map<string, (Ruling & { heard: Date })[]>} */
const said = new Map();

subscribe('ruling', (ruling) => {
  if (!KINDS.has(ruling.ruling)) return;
  const { board } = ruling;
  said.set(board, [{ ...ruling, heard: new Date() }, ...(said.get(board) ?? [])].slice(0, KEPT));
  notify(`lately:${board}`);
});

/**
 * Of the game on a board, the latest first: what was said of the one before is none of it.
 * @param {string} board
 * @param {string} game
 */
export function useLately(board, game) {
  useTopic(`lately:${board}`);
  return (said.get(board) ?? []).filter((ruling) => ruling.game === game);
}
