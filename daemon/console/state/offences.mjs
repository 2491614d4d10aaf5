// @ts-check
// How findings stand to the game that has gone on since, and to each other.
import { recordedIn, symbolAt } from './reading.mjs';

/** Moves that no legal position of the game is left by: what else counts with them, such as a claim, leaves nothing to be put right. @type {Set<Code>} */
const ILLEGAL_MOVES = new Set(['illegal-move', 'pawn-not-promoted']);

/**
 * The square on which a queen belongs in the place of a pawn that was left there: its move stands, and is not taken back. Null where that is not so.
 * @param {Finding} finding
 * @param {Pick<Shown, 'plies'> | null} board
 * @returns {string | null}
 */
export function queenOn({ code, ply, required, squares, undone }, board) {
  const only = required?.length === 1 ? required[0] : null;
  const stands = only !== null && only.endsWith('q') && board?.plies[ply - 1]?.uci === only;
  return code === 'pawn-not-promoted' && stands && !undone ? squares[0] ?? null : null;
}

/**
 * The same as long as the pawn is still read there.
 * @param {Finding} finding
 * @param {Pick<Shown, 'plies' | 'reading'> | null} board
 */
export function queenDue(finding, board) {
  const square = queenOn(finding, board);
  return square && symbolAt(board?.reading ?? '', square)?.toLowerCase() === 'p' ? square : null;
}

/**
 * Whether the players have put an illegal move right themselves and gone on: there is nothing to put back, and the clocks have run on.
 * @param {Finding} finding
 * @param {Pick<Shown, 'plies' | 'reading'> | null} board
 */
export function wasPutRight(finding, board) {
  const { code, penalty, ply, undone } = finding;
  // What was taken back with an earlier move is of no move that stands there now.
  if (undone || queenDue(finding, board)) return false;
  // What a ruling takes back is in the record no more: a position that is put back is that of another finding.
  const played = board?.plies[ply - 1];
  // An illegal move that stands is written from square to square.
  return Boolean(penalty && ILLEGAL_MOVES.has(code) && played && played.san !== played.uci);
}

/** Pieces that stood where no move put them. @type {Set<Code>} */
const DISPLACED = new Set(['piece-displaced', 'displacement-found-later']);

/**
 * Whether displaced pieces have been put right since: the board equals the record, and that has not gone on from where they stood.
 * @param {Finding} finding
 * @param {Shown | null} board
 */
export function wereStraightened({ code, ply, squares, undone }, board) {
  if (!board || !DISPLACED.has(code) || undone || board.restore || board.differs.length > 0) return false;
  const [last, played] = [board.plies[ply - 2], board.plies[ply - 1]];
  if (!played || played.san.startsWith('O-O')) return true;
  const [before, then] = [last?.fen ?? board.start_fen, played.fen].map(recordedIn);
  return squares.every((square) => played.uci.includes(square) || symbolAt(before, square) === symbolAt(then, square));
}

/**
 * What is said of them: once play has gone on nobody knows whether anybody put them right, or a move did.
 * @param {Finding} finding
 * @param {Shown | null} board
 * @returns {Word | null}
 */
export function straightenedWord(finding, board) {
  if (!wereStraightened(finding, board)) return null;
  return board?.plies[finding.ply - 1] ? 'finding.gone-on' : 'finding.straightened';
}

/**
 * Whether a ruling on it would take half-moves out of the record: of a game that has its result the daemon refuses that.
 * @param {Finding} finding
 * @param {Pick<Shown, 'plies' | 'reading'> | null} board
 */
export const wouldCut = (finding, board) => Boolean(finding.required && !finding.undone && board && board.plies.length >= finding.ply && !wasPutRight(finding, board) && !queenOn(finding, board));

/**
 * Whether the game is cancelled where it is upheld, and a new one is played (7.2.1).
 * @param {Finding} finding
 */
export const cancels = ({ code, claim }) => code === 'position-setup-wrong' && claim?.open !== false;

/**
 * Whether a finding is of the position after so many half-moves: of the one before the move it is about, or of the one that the move has led to.
 * @param {Finding} finding
 * @param {Shown} board
 * @param {number} plies
 */
export const isOfPosition = (finding, board, plies) => !finding.undone && (plies === finding.ply - 1 || (plies === finding.ply && !wasPutRight(finding, board)));

/**
 * The findings that count among a player's illegal moves and that nobody has ruled on.
 * @param {Pick<Board, 'findings'>} board
 * @param {Party} by
 */
export const unruled = ({ findings }, by) => findings.filter((finding) => finding.by === by && finding.status === 'open'
  && finding.certainty === 'certain' && finding.penalty && finding.code !== 'incorrect-draw-claim');

/**
 * The findings without which this one would not end the game.
 * @param {Pick<Board, 'findings'>} board
 * @param {Finding} finding
 */
export const restsOn = (board, finding) => (finding.penalty?.then ? unruled(board, finding.by).filter(({ id }) => id < finding.id) : []);

/**
 * The findings that nobody has ruled on, and without which the loss that waits to be declared would be none.
 * @param {Pick<Board, 'findings' | 'result'> | null} board
 */
export function proposedOn(board) {
  if (!board || !board.result?.proposed) return [];
  return losersOf(board.result).flatMap((by) => unruled(board, by));
}

/** Who has offended too often, where a game has ended with that. @param {{ reason: ResultReason, result: string }} ended @returns {Party[]} */
function losersOf({ reason, result }) {
  if (reason !== 'forfeit-illegal-moves') return [];
  return result === '0-1' ? ['white'] : result === '1-0' ? ['black'] : ['white', 'black'];
}

/** @param {string | undefined} result @returns {Colour | null} */
const loserOf = (result) => (result === '0-1' ? 'white' : result === '1-0' ? 'black' : null);

/**
 * Whether a loss of who is found at fault was declared, so that a dismissal leaves it as it is.
 * @param {Finding} finding
 * @param {Pick<Board, 'result'> | null} board
 */
export const wasDeclaredLost = ({ by, penalty }, board) => Boolean(penalty && board?.result && !board.result.proposed && (board.result.reason === null || DECLARED.has(board.result.reason)) && loserOf(board.result.result) === by);

/** Of a loss that somebody has declared or entered: how many findings against who has lost wait, on which it may rest. @param {Pick<Board, 'findings' | 'result'>} board */
export function leftOn(board) {
  const { result } = board;
  const loser = result && !result.proposed && result.reason !== null && DECLARED.has(result.reason) ? loserOf(result.result) : null;
  return loser ? unruled(board, loser).length : 0;
}

/** How a game is lost that somebody has declared or entered so. @type {Set<ResultReason>} */
const DECLARED = new Set(/** @type {ResultReason[]} */ (['arbiter', 'entered', 'confirmed', 'forfeit-illegal-moves']));

/**
 * Whether play has gone on since a move or a press that is found fault with, or it was taken back with an earlier one: the clocks have run on then, and time is added to what they show.
 * @param {Finding} finding
 * @param {Pick<Shown, 'plies'> | null} board
 */
export const hasGoneOn = ({ ply, undone }, board) => Boolean(board && (undone || board.plies.length >= ply));

/**
 * Whether the result of a game, as somebody has given it, is a loss of who is found at fault: it may rest on that.
 * @param {Finding} finding
 * @param {{ result: string, proposed?: boolean } | string | null | undefined} result
 */
export function mayRestOn({ by, penalty, status }, result) {
  const is = typeof result === 'string' ? result : result?.proposed ? null : result?.result;
  return Boolean(penalty && status === 'upheld' && is === { white: '0-1', black: '1-0', either: '' }[by]);
}
