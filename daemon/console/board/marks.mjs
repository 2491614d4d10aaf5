// @ts-check
// What is marked on the large board. Each kind of mark has its own shape.
import { symbolAt } from '../state/reading.mjs';
import { colourOf, pieceAt } from '../words/pieces.mjs';

const FEW_MOVES = 4;

/**
 * Squares and the classes they carry: `mark-differs`, `mark-distrusted`, `mark-finding`, `mark-doubt`, `mark-obliged`, `mark-pointed`.
 * @param {Shown} board
 * @param {Finding | null | undefined} finding
 * @param {string[] | null} pointed
 */
export function marksOf(board, finding, pointed) {
  /** @type {Map<string, string>} */
  const marks = new Map();
  /**
   * @param {string[]} squares
   * @param {string} kind
   */
  const mark = (squares, kind) => squares.forEach((square) => marks.set(square, `${marks.get(square) ?? ''} mark-${kind}`.trim()));
  mark(differsOf(board), 'differs');
  mark(board.distrusted, 'distrusted');
  if (finding) mark(finding.squares, 'finding');
  for (const doubt of board.doubts) mark(doubt.squares, 'doubt');
  if (obligationOf(board)) mark(obligedSquares(board), 'obliged');
  if (pointed) mark(pointed, 'pointed');
  return marks;
}

/** Where the board differs from the record; after the end the pieces are put away. @param {Shown} board */
export const differsOf = (board) => (board.state === 'ended' ? [] : board.differs);

/**
 * What a player is bound to, in the position shown: where moves have been made since that nobody has completed, it is of an earlier one, and may name a piece that has gone from its square.
 * @param {Pick<Shown, 'obligation' | 'fen' | 'turn'>} board
 */
export function obligationOf({ obligation, fen, turn }) {
  /** @param {string} square */
  const ownOn = (square) => {
    const piece = pieceAt(fen, square);
    return piece && colourOf(piece) === obligation?.by ? piece : null;
  };
  /** Whoever castles may go to his rook. @param {string} uci */
  const canBe = (uci) => ownOn(uci.slice(0, 2)) && (!ownOn(uci.slice(2, 4)) || ownOn(uci.slice(2, 4))?.toLowerCase() === 'r');
  return obligation?.by === turn && obligation.moves.every(canBe) ? obligation : null;
}

/**
 * The squares a player is bound to: the pieces that must move, and the piece that must be taken.
 * @param {Shown} board
 */
export function obligedSquares(board) {
  const moves = obligationOf(board)?.moves ?? [];
  const from = [...new Set(moves.map((uci) => uci.slice(0, 2)))];
  const to = [...new Set(moves.map((uci) => uci.slice(2, 4)))];
  const captured = to.length === 1 && pieceAt(board.fen, to[0]) ? to : [];
  return from.length <= FEW_MOVES || captured.length === 0 ? from.concat(captured) : captured;
}

/**
 * Arrows for the moves still allowed when they are few, and letters for what the sensors read.
 * @param {Shown} board
 * @param {Finding | null | undefined} finding
 */
export function shapesOf(board, finding) {
  const shapes = differsOf(board).map((square) => readingShape(board, square)).filter((shape) => shape !== null);
  return shapes.concat(requiredShapes(board.fen, finding?.required ?? obligationOf(board)?.moves));
}

/**
 * Arrows only from squares that hold a piece in the position shown: the game may have gone on.
 * @param {string} fen
 * @param {string[] | null | undefined} required
 * @returns {DrawShape[]}
 */
export function requiredShapes(fen, required) {
  if (!required || required.length > FEW_MOVES) return [];
  const arrows = [...new Set(required.map((uci) => uci.slice(0, 4)))];
  return arrows
    .filter((uci) => pieceAt(fen, uci.slice(0, 2)))
    .map((uci) => ({ orig: /** @type {Key} */ (uci.slice(0, 2)), dest: /** @type {Key} */ (uci.slice(2, 4)), brush: 'green' }));
}

/**
 * On an earlier position only what was pointed at and the finding are marked: sensors and doubts are of now.
 * @param {Finding | null | undefined} finding
 * @param {string[] | null} pointed
 */
export function pastMarks(finding, pointed) {
  const marks = new Map((finding?.squares ?? []).map((square) => [square, 'mark-finding']));
  for (const square of pointed ?? []) marks.set(square, 'mark-pointed');
  return marks;
}

// A piece the sensors see and the record does not stands on the board as a small piece or letter.
/**
 * @param {Shown} board
 * @param {string} square
 * @returns {DrawShape | null}
 */
function readingShape(board, square) {
  if (!board.reading) return null;
  const orig = /** @type {Key} */ (square);
  const symbol = symbolAt(board.reading, square);
  if (/[prnbqk]/i.test(symbol)) return { orig, piece: { role: ROLES[symbol.toLowerCase()], color: colourOf(symbol), scale: 0.55 } };
  return { orig, label: { text: symbol === '.' ? '∅' : symbol, fill: '#39424a' } };
}

/** @type {Record<string, Role>} */
const ROLES = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };
