// @ts-check
// Which boards came to the table of a game: it was stopped then, and its pieces were set up there.
import { say } from '../words/language.mjs';
import { isByItself } from './given.mjs';
import { timeOfDay } from './times.mjs';

/** @typedef {import('./given.mjs').Given} Given */

/** So soon after its board was another one a game is stopped for that. */
const SOON_MS = 30_000;

/** @param {BoardMove} move */
export function moveText({ board, instead, with: other }) {
  if (board === null) return say('moved.none', { instead: instead ?? '–' });
  if (other !== null) return say('moved.exchanged', { table: other, board, instead: instead ?? '–' });
  return instead === null ? say('moved.first', { board }) : say('moved.put', { board, instead });
}

/** The same on one line, with the time of day and who did it. @param {BoardMove} move */
export const moveLine = (move) => [timeOfDay(move.at), moveText(move), move.by && `(${move.by})`].filter(Boolean).join(' ');

/**
 * What was given in a game, where it was stopped by itself with why: `moves` are those of boards in its event.
 * @param {Given[]} given
 * @param {BoardMove[]} moves
 * @param {string | undefined} game
 * @returns {Given[]}
 */
export const withWhy = (given, moves, game) => given.map((one) => {
  const isFor = isByItself(one.line) && moves.some((move) => move.game === game && one.wall >= move.at - 1000 && one.wall - move.at < SOON_MS);
  return isFor ? { ...one, isMoved: true } : one;
});
