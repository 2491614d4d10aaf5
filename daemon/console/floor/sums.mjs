// @ts-check
// What clocks are to show once time was added or taken away: each as a sum, so that nobody adds up at the board.
import { remaining } from '../state/clock.mjs';
import { say } from '../words/language.mjs';
import { COLOURS } from '../words/players.mjs';
import { opponent } from '../words/pieces.mjs';

/** Milliseconds; `to` is below nothing where more is taken than there is. @typedef {{ colour: Colour, from: number, add: number, to: number }} Sum */

/** As `0:41:07`: with its hours, as a clock of a long game has it. @param {number} ms */
export function exactText(ms) {
  const total = Math.floor(Math.max(0, ms) / 1000);
  return [Math.floor(total / 3600), ...[Math.floor(total / 60) % 60, total % 60].map((part) => String(part).padStart(2, '0'))].join(':');
}

/** @param {number} ms */
const minutesText = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;

/** As `+2:00` and `−2:00`. @param {number} ms */
export const addedText = (ms) => `${ms < 0 ? '−' : '+'}${minutesText(Math.abs(ms))}`;

/** Where a player sits, while his game is at hand; what was added to the clocks there since they were told. @typedef {{ board: Shown, colour: Colour, added: Record<Colour, number> }} Seat */

/**
 * Both clocks, the one that is set first; null where a clock does not tell, or nobody plays any more.
 * @param {Seat} seat of the offender
 * @param {'time' | 'offender-time'} kind
 * @param {number} ms
 * @returns {Sum[] | null}
 */
export function sumsOf({ board, colour: offender, added }, kind, ms) {
  if (board.state === 'ended') return null;
  const set = kind === 'time' ? opponent(offender) : offender;
  const sums = [...COLOURS].sort((a) => (a === set ? -1 : 1)).map((colour) => {
    const told = remaining(board, colour);
    const from = told === null ? null : told + added[colour];
    const add = colour === set ? (kind === 'time' ? ms : -ms) : 0;
    // What a clock shows has no parts of seconds: the sum is that of what stands there.
    return from === null ? null : { colour, from, add, to: Math.floor(from / 1000) * 1000 + add };
  });
  return sums.every((sum) => sum !== null) ? /** @type {Sum[]} */ (sums) : null;
}

/** As `Black 0:41:07 + 2:00 = 0:43:07`; a clock that stays as it is with what it shows. @param {Sum} sum */
export function sumText({ colour, from, add, to }) {
  if (add === 0) return say('penalty.clock', { by: colour, time: exactText(from) });
  return say('penalty.sum', { by: colour, from: exactText(from), add: `${add < 0 ? '−' : '+'} ${minutesText(Math.abs(add))}`, to: exactText(to) });
}

/** What both clocks are to show, to be kept. @param {Sum[]} sums @returns {import('../words/kept.mjs').Kept} */
export function toSet(sums) {
  /** @param {Colour} colour */
  const of = (colour) => exactText(sums.find((sum) => sum.colour === colour)?.to ?? 0);
  return ['done.time-to', { white: of('white'), black: of('black') }];
}
