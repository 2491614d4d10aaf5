// @ts-check
// How a table of a round stands, of what the round says and what its board shows.
import { remaining } from './clock.mjs';
import { boardById } from './store.mjs';
import { CERTAIN, DOUBT, FAULT, QUIET, RESTORE, openFindings } from './urgency.mjs';

/** Below this a player is short of time. */
export const SHORT_MS = 5 * 60_000;

/** The result as the daemon writes it, by what people read. @type {Record<string, string>} */
export const RESULTS = { '1-0': '1–0', '1/2-1/2': '½–½', '0-1': '0–1', '+/-': '+/−', '-/+': '−/+', '-/-': '−/−', '0-0': '0–0', '1/2-0': '½–0', '0-1/2': '0–½' };

/**
 * A result as it is entered.
 * @param {string | null | undefined} result
 */
export const entered = (result) => (result ?? '').replaceAll('½', '1/2').replaceAll('–', '-').replaceAll('−', '-');

/**
 * The board of a pairing, where the game of the pairing stands on it.
 * @param {Pairing} pairing
 */
export function boardOf(pairing) {
  const board = pairing.board ? boardById(pairing.board) : undefined;
  return board && (!pairing.game || board.game === pairing.game) ? board : null;
}

/**
 * The same where what its board shows is of the pairing: before its game has begun nothing is that was played on it, or found, in the game before.
 * @param {Pairing} pairing
 */
export function shownOf(pairing) {
  const board = boardOf(pairing);
  return board && (pairing.game || (board.state !== 'ended' && !board.plies?.length && !board.ply)) ? board : null;
}

/**
 * How the result of a table stands: `none`, `postponed` (played later than its round), `proposed`, `conflict`, `typed` (waits for somebody who may confirm it), `disputed` (something of the game is
 * not ruled on), `confirmed`.
 * @param {Pairing} pairing
 * @param {Round} round
 */
export function standOf(pairing, round) {
  const shown = boardOf(pairing)?.result;
  const saw = pairing.game && shown && shown.result !== '*' ? shown.result : null;
  if (!pairing.result) return pairing.table !== null && round.postponed.includes(pairing.table) ? 'postponed' : 'none';
  if (saw && entered(pairing.result) !== saw && pairing.how !== 'forfeit') return pairing.confirmed ? 'confirmed' : 'conflict';
  if (pairing.confirmed) return 'confirmed';
  if (pairing.table !== null && round.unruled?.includes(pairing.table)) return 'disputed';
  return isOfItsGame(pairing) ? 'proposed' : 'typed';
}

/**
 * Whether its game shows the result, as the board saw it or an arbiter ordered it there. Unconfirmed, it goes with what the game shows.
 * @param {Pairing} pairing
 */
export const isOfItsGame = ({ how }) => how === 'board' || how === 'arbiter';

/**
 * The result with which a game has ended as soon as an arbiter declares it, such as by a second illegal move: until then its table has none.
 * @param {Pairing} pairing
 */
export function undeclaredOf(pairing) {
  const shown = boardOf(pairing)?.result;
  return !pairing.result && pairing.game && shown?.proposed && shown.result !== '*' ? shown : null;
}

/**
 * Whether its result is one that its board shows and only the arbiter can declare, such as by kings on the centre squares: it is confirmed by itself.
 * @param {Pairing} pairing
 * @param {Pick<Round, 'undeclared'>} round
 */
export function isUndeclared(pairing, round) {
  if (pairing.how !== 'board' || pairing.confirmed) return false;
  const board = shownOf(pairing);
  if (board && pairing.game) return Boolean(board.result?.proposed);
  return pairing.table !== null && Boolean(round.undeclared?.includes(pairing.table));
}

/**
 * Whether its result is a loss that an arbiter has declared, and that may rest on a finding which was dismissed since: as its board says that has it, else as it was told with the round.
 * @param {Pairing} pairing
 * @param {Pick<Round, 'rests_on_dismissed'>} round
 */
export function restsOnDismissed(pairing, round) {
  if (!pairing.result) return false;
  const board = shownOf(pairing);
  if (board && pairing.game) return Boolean(board.rests_on_dismissed);
  return pairing.table !== null && Boolean(round.rests_on_dismissed?.includes(pairing.table));
}

/**
 * What a mark of the hall says: `bare` (no board), `fault`, `needs`, `question`, `waiting`, `postponed`, `paused`, `playing`, `short`, `proposed`, `done`.
 * @param {Pairing} pairing
 * @param {Round} round
 */
export function markOf(pairing, round) {
  const [board, shown] = [boardOf(pairing), shownOf(pairing)];
  const stand = standOf(pairing, round);
  const rank = shown?.urgency.rank ?? QUIET;
  if (rank === CERTAIN || rank === RESTORE) return 'needs';
  if (stand === 'conflict' || stand === 'disputed' || restsOnDismissed(pairing, round)) return 'question';
  if (pairing.confirmed) return isUnruled(pairing, round) ? 'question' : 'done';
  if (stand === 'postponed') return 'postponed';
  if (stand !== 'none') return 'proposed';
  if (rank === DOUBT) return 'question';
  if (board && (board.urgency.rank === FAULT || board.fault || !board.connected)) return 'fault';
  if (rank < QUIET) return 'question';
  if (!board) return pairing.board ? 'waiting' : 'bare';
  if (pairing.table !== null && round.waiting.includes(pairing.table)) return 'waiting';
  if (board.state === 'paused') return 'paused';
  const left = shown && smallest(shown);
  return left !== null && left < SHORT_MS ? 'short' : 'playing';
}

/**
 * Whether something of its game waits for a ruling, its result confirmed or not: as the board says that has it, else as it was told with the round.
 * @param {Pairing} pairing
 * @param {Round} round
 */
function isUnruled(pairing, round) {
  const board = shownOf(pairing);
  if (board) return openFindings(board).length > 0 || board.doubts.length > 0;
  return pairing.table !== null && Boolean(round.unruled?.includes(pairing.table));
}

/**
 * The smaller of both clocks; null where no clock tells.
 * @param {Shown} board
 */
export function smallest(board) {
  const both = [remaining(board, 'white'), remaining(board, 'black')].filter((ms) => ms !== null);
  return both.length > 0 ? Math.min(...both) : null;
}

/**
 * Rows of a hall, such as `1-10 / 20-11`: each a list of tables from left to right; null where it is none.
 * @param {string} text
 * @returns {number[][] | null}
 */
export function layoutOf(text) {
  /** @type {number[][]} */
  const rows = [];
  for (const line of text.split(/[/\n]/).map((part) => part.trim()).filter(Boolean)) {
    /** @type {number[]} */
    const row = [];
    for (const part of line.split(/[,;\s]+(?![-–])/).filter(Boolean)) {
      const range = /^(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?$/.exec(part);
      if (!range) return null;
      const [from, to] = [Number(range[1]), Number(range[2] ?? range[1])];
      if (Math.abs(to - from) > 500) return null;
      const step = to < from ? -1 : 1;
      for (let table = from; table !== to + step; table += step) row.push(table);
    }
    rows.push(row);
  }
  return rows.length > 0 ? rows : null;
}

/**
 * Tables in rows of ten, where nobody has said how they stand.
 * @param {number[]} tables
 */
export function rowsOfTen(tables) {
  /** @type {number[][]} */
  const rows = [];
  for (let at = 0; at < tables.length; at += 10) rows.push(tables.slice(at, at + 10));
  return rows;
}

/**
 * Whether a game of a table was annulled, and none has begun there since: it is to be played anew.
 * @param {Pairing} pairing
 * @param {Round} round
 */
export const isAnew = (pairing, round) => !pairing.result && pairing.table !== null && round.waiting.includes(pairing.table) && ((pairing.in_hall ?? pairing).annulled_games ?? []).length > 0;
