// @ts-check
// What was ordered and said in a game, with the time of day, and what of it was taken back.

import { timeOfDay } from './times.mjs';

/** `wall`: when, in milliseconds since 1970; `time`: the time of day; `isMoved`: it stops a game whose board is another one. @typedef {{ line: InputLine, wall: number, time: string, undone: { who: string, time: string } | null, isMoved?: boolean }} Given */

/** Where kings are put to say who won. */
export const CENTRE = new Set(['d4', 'e4', 'd5', 'e5']);

/**
 * The lines of a script.
 * @param {string | null} script
 * @returns {InputLine[]}
 */
export const linesOf = (script) => (script ? script.trim().split('\n').map((line) => JSON.parse(line)) : []);

/**
 * What people ordered and said, in its order: what has effect, and what was taken back.
 * @param {GameDocument} game
 * @returns {Given[]}
 */
export const givenOf = ({ given }) => given.filter((told) => !isOfProgram(/** @type {InputLine} */ (/** @type {unknown} */ (told)))).map(({ wall, undone, ...line }) => ({
  line: /** @type {InputLine} */ (/** @type {unknown} */ (line)),
  wall,
  time: timeOfDay(wall),
  undone: undone ? { who: undone.author, time: timeOfDay(undone.wall) } : null,
}));

/** What the program calls the orders that it gives by itself. */
const OF_PROGRAM = /^(settled|program)-/;

/** Whether the program gave it by itself, as it stops a game that has its result: nobody intervened. @param {InputLine} line */
export const isOfProgram = (line) => 'order' in line && OF_PROGRAM.test(line.order ?? '');

/** Whether the game was stopped, and nobody has ordered it: it is set up anew. @param {InputLine} line */
export const isByItself = (line) => line.event === 'arbiter' && line.action === 'pause' && !line.order;

/** What no sensor sees. */
const SAID = new Set(['arbiter', 'claim', 'draw', 'resign', 'adjust']);

/** Whether somebody has said or ordered it. @param {InputLine} line */
export const isSaid = (line) => SAID.has(line.event) || Boolean(orderName(line));

/** Who gave it. @param {InputLine} line */
export const authorOf = (line) => ('author' in line && line.author) || '';

/** By which it is taken back; empty where it has none. @param {InputLine} line */
export const orderName = (line) => ('order' in line && line.order) || '';

/** @param {InputLine} line */
export const isDismissal = (line) => line.event === 'arbiter' && line.action === 'dismiss';

/**
 * The orders of people that were given once the game had its result: none of them has brought it.
 * @param {GameDocument} game
 */
export function lateOf({ ended, given }) {
  const end = ended ? Date.parse(ended) : Infinity;
  const lines = given.filter(({ wall }) => wall > end).map((told) => /** @type {InputLine} */ (/** @type {unknown} */ (told)));
  return new Set(lines.filter((line) => !isOfProgram(line) && orderName(line)).map(orderName));
}

/** So the daemon stops a game whose result somebody has entered. @param {InputLine} line */
export const isStoppedByResult = (line) => line.event === 'arbiter' && line.action === 'pause' && orderName(line).startsWith('settled-');

/**
 * Whether a line can have brought the result that the game has.
 * @param {InputLine} line
 * @param {import('./protocol.mjs').View} view
 */
export function endsGame(line, view) {
  switch (view.result?.reason) {
    case undefined:
    case 'entered':
    case 'confirmed': return isStoppedByResult(line);
    case 'resignation': return line.event === 'resign';
    case 'agreement': return line.event === 'draw' && line.step === 'accept';
    case 'threefold':
    case 'fifty-moves': return line.event === 'claim';
    case 'flag-fall': return line.event === 'flag-fall' || line.event === 'claim' || (line.event === 'arbiter' && line.action === 'result');
    case 'kings-placed': return line.event === 'place' && CENTRE.has(line.square);
    case 'forfeit-illegal-moves': return line.event === 'arbiter' && (line.action === 'uphold' || line.action === 'report' || line.action === 'result');
    default: return line.event === 'arbiter' && (line.action === 'result' || line.action === 'annul');
  }
}
