// @ts-check
// Rights to castle as a FEN has them: each with the squares on which its king and its rook stand, wherever an array of Chess960 puts them.
import { pieceAt } from '../words/pieces.mjs';

/** @typedef {'K' | 'Q' | 'k' | 'q'} Side */
/** @typedef {{ letter: string, side: Side, king: string, rook: string }} Right */

/** Where they stand in the usual array. @type {Right[]} */
const USUAL = [
  { letter: 'K', side: 'K', king: 'e1', rook: 'h1' },
  { letter: 'Q', side: 'Q', king: 'e1', rook: 'a1' },
  { letter: 'k', side: 'k', king: 'e8', rook: 'h8' },
  { letter: 'q', side: 'q', king: 'e8', rook: 'a8' },
];

/**
 * One right of a position: `K` and `Q` mean the outermost rook, other letters its file.
 * @param {string} fen
 * @param {string} letter
 * @returns {Right | null}
 */
function rightOf(fen, letter) {
  const isWhite = letter === letter.toUpperCase();
  const rank = isWhite ? '1' : '8';
  /** @param {string} piece */
  const files = (piece) => 'abcdefgh'.split('').filter((file) => pieceAt(fen, file + rank) === (isWhite ? piece : piece.toLowerCase()));
  const [king] = files('K');
  if (!king) return null;
  const rooks = files('R');
  const name = letter.toUpperCase();
  const rook = name === 'K' ? rooks.findLast((file) => file > king) : name === 'Q' ? rooks.find((file) => file < king) : rooks.find((file) => file === name.toLowerCase());
  if (!rook) return null;
  const side = rook > king ? 'K' : 'Q';
  return { letter, side: /** @type {Side} */ (isWhite ? side : side.toLowerCase()), king: king + rank, rook: rook + rank };
}

/**
 * The rights that a position has.
 * @param {string} fen
 */
export const rightsIn = (fen) => (fen.split(' ')[2] ?? '-').split('').filter((letter) => /[a-hkq]/i.test(letter)).flatMap((letter) => rightOf(fen, letter) ?? []);

/**
 * The four rights there can be in a game, as the first of its positions that has one knows it; else as in the usual array.
 * @param {string[]} fens
 * @returns {Right[]}
 */
export const rightsOfGame = (fens) => USUAL.map((usual) => fens.flatMap(rightsIn).find(({ side }) => side === usual.side) ?? usual);

/**
 * Whether king and rook stand so that the right can be.
 * @param {string} fen
 * @param {Right} right
 */
export function mayStand(fen, { side, king, rook }) {
  const [k, r] = side === side.toUpperCase() ? ['K', 'R'] : ['k', 'r'];
  return pieceAt(fen, king) === k && pieceAt(fen, rook) === r;
}

/**
 * The rights after a move, as a FEN has them.
 * @param {string} fen
 * @param {string} uci
 */
export function rightsAfter(fen, uci) {
  const touched = [uci.slice(0, 2), uci.slice(2, 4)];
  return rightsIn(fen).filter(({ king, rook }) => !touched.includes(king) && !touched.includes(rook)).map(({ letter }) => letter).join('') || '-';
}

/**
 * The rights of a position whose pieces stand as `placement` says, as a FEN has them: those of `known` that king and rook still have there. Where nothing is
 * known, whoever stands so may castle: nobody has seen that he may not.
 * @param {string} placement
 * @param {{ known: string | null, rights: Right[] }} record
 */
export function rightsKept(placement, { known, rights }) {
  const had = known === null ? null : rightsIn(known).map(({ side }) => side);
  const kept = rights.filter((right) => mayStand(placement, right) && (had === null || had.includes(right.side)));
  return kept.map(({ letter }) => letter).join('') || '-';
}
