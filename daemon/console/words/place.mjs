// @ts-check
// Where something is. People in a hall know tables: which board stands there is said second.
import { say } from './language.mjs';

/**
 * The round of a game of one: the first number of that, as in `3.12`.
 * @param {{ round: string } | null | undefined} of
 */
export function roundOf(of) {
  const round = /^(\d+)\.\d+$/.exec(of?.round ?? '')?.[1];
  return round ? Number(round) : null;
}

/**
 * The table of a game of a round: the second number of that, as in `3.12`.
 * @param {{ round: string } | undefined} of
 */
export function tableOf(of) {
  const table = /^\d+\.(\d+)$/.exec(of?.round ?? '')?.[1];
  return table ? Number(table) : null;
}

/** The round of a game that is over, be it that its pieces stand there still: a table alone would be taken for that of the round under way. @param {Incident} incident */
export const earlierRound = ({ at_hand: isAtHand, over, round }) => (isAtHand && !over ? null : round);

/**
 * The table; the board where there is none.
 * @param {{ table: number | null, board: string }} seat
 */
export const placeName = ({ table, board }) => (table === null ? say('title.board', { board }) : say('incident.table', { n: table }));

/**
 * A board with its table, where its game has one. In lists of boards the others are their names alone.
 * @param {string} id
 * @param {{ round: string } | undefined} of
 */
export function boardAndTable(id, of) {
  const table = tableOf(of);
  return table === null ? id : `${placeName({ table, board: id })} · ${id}`;
}

/**
 * The same where nothing else says that it is a board.
 * @param {{ id: string, round: string }} board
 */
export const boardPlace = (board) => (tableOf(board) === null ? placeName({ table: null, board: board.id }) : boardAndTable(board.id, board));

/**
 * Which table is meant, and who plays there: what is said at the foot of a page is read far from both.
 * @param {{ table: number | null, board: string, white: string, black: string }} seat
 */
export function seatName({ table, board, white, black }) {
  const place = placeName({ table, board });
  return white || black ? `${place}, ${white || '?'} – ${black || '?'}` : place;
}

/** Several tables at once; empty where there is none. @param {number[]} tables */
export function tablesText(tables) {
  if (tables.length === 0) return '';
  return tables.length === 1 ? say('incident.table', { n: tables[0] }) : say('inbox.filter-sector', { tables: tables.join(', ') });
}
