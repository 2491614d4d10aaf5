// @ts-check
// Positions and moves in words, from the placement field of a FEN. No rules of chess are needed for that.
import { capital, say, titled } from './language.mjs';

const LETTERS = 'PNBRQK';
/** @type {Promotion[]} */
export const PROMOTIONS = ['q', 'r', 'b', 'n'];

/** @param {Colour} colour */
export const opponent = (colour) => (colour === 'white' ? 'black' : 'white');
/** @param {string} letter */
export const pieceName = (letter) => say(/** @type {Word} */ (`role.${letter.toLowerCase()}`));
/** @param {string} letter */
export const thePiece = (letter) => say(/** @type {Word} */ (`the.${letter.toLowerCase()}`));
/** @param {string} letter */
export const colourOf = (letter) => (letter === letter.toUpperCase() ? 'white' : 'black');

/**
 * A move as the record has it, with the letters of the language; one that no piece may make from square to square, as `b8–b6`.
 * @param {string} san
 */
export const localSan = (san) => san.replace(/^([a-h][1-8])([a-h][1-8])/, '$1–$2').replace(/[PNBRQK]/g, (letter) => say('letters')[LETTERS.indexOf(letter)]);

/**
 * The FEN letter on `square`, or null when it is empty.
 * @param {string} fen
 * @param {string} square
 */
export function pieceAt(fen, square) {
  const row = fen.split(' ')[0].split('/')[8 - Number(square[1])] ?? '';
  let file = square.charCodeAt(0) - 97;
  for (const c of row) {
    const width = Number(c) || 1;
    if (file < width) return Number(c) ? null : c;
    file -= width;
  }
  return null;
}

/**
 * The placement field of a FEN of what a board that sees pieces reads.
 * @param {string} reading
 */
export function placementOf(reading) {
  const rows = reading.match(/.{8}/g) ?? [];
  return rows.map((row) => row.replace(/\.+/g, (empty) => String(empty.length))).join('/');
}

/**
 * `white pawn`, `a light piece`, `a piece`, `nothing`.
 * @param {string} symbol
 */
export const symbolName = (symbol) => say(/** @type {Word} */ (`piece.${symbol === '.' ? 'none' : symbol}`));

/** @param {string | null} letter */
export const standsThere = (letter) => symbolName(letter ?? '.');

/**
 * A move with both its squares, `Ng1–f3`, `e5×d6`, `O-O`: clear without knowing what else could move there.
 * @param {string} fen
 * @param {string} uci
 */
export function moveName(fen, uci) {
  const [from, to, promoted] = [uci.slice(0, 2), uci.slice(2, 4), uci[4]];
  const piece = pieceAt(fen, from);
  if (!piece) return `${from}–${to}`;
  const kind = piece.toLowerCase();
  const files = to.charCodeAt(0) - from.charCodeAt(0);
  const target = pieceAt(fen, to);
  const ownRook = target && target.toLowerCase() === 'r' && colourOf(target) === colourOf(piece);
  if (kind === 'k' && (Math.abs(files) === 2 || ownRook)) return files > 0 ? 'O-O' : 'O-O-O';
  const takes = target || (kind === 'p' && files !== 0) ? '×' : '–';
  const letter = kind === 'p' ? '' : localSan(kind.toUpperCase());
  return `${letter}${from}${takes}${to}${promoted ? `=${localSan(promoted.toUpperCase())}` : ''}`;
}

/**
 * The squares a ply of the record is shown by: where its piece came from and where it stands.
 * @param {{ uci: string, san: string }} props
 */
export function shownSquares({ uci, san }) {
  const [from, to, rank] = [uci.slice(0, 2), uci.slice(2, 4), uci[1]];
  if (!san.startsWith('O-O')) return [from, to];
  // Chess960 names the rook's square instead; and the king may stay where it is.
  const king = `${san.startsWith('O-O-O') ? 'c' : 'g'}${rank}`;
  return from === king ? [to, `${san.startsWith('O-O-O') ? 'd' : 'f'}${rank}`] : [from, king];
}

/**
 * Where a move goes, when it is known who moves: `f3`, `×d6`, `d8=Q`, `O-O`.
 * @param {string} fen
 * @param {string} uci
 */
export function targetName(fen, uci) {
  const name = moveName(fen, uci);
  return name.startsWith('O-O') ? name : name.slice(name.search(/[–×]/)).replace('–', '');
}

/**
 * Moves gathered by the piece that makes them: `[{from, piece, moves: [uci]}]`.
 * @param {string} fen
 * @param {string[]} moves
 */
export function byPiece(fen, moves) {
  /** @type {Map<string, { from: string, piece: string | null, moves: string[] }>} */
  const groups = new Map();
  for (const uci of moves) {
    const from = uci.slice(0, 2);
    if (!groups.has(from)) groups.set(from, { from, piece: pieceAt(fen, from), moves: [] });
    groups.get(from)?.moves.push(uci);
  }
  return [...groups.values()];
}

/**
 * A position in words: who has which pieces where.
 * @param {string} fen
 */
export function positionText(fen) {
  /** @param {Colour} colour */
  const side = (colour) => {
    const pieces = 'kqrbnp'.split('').map((role) => {
      const letter = colour === 'white' ? role.toUpperCase() : role;
      const squares = 'abcdefgh'.split('').flatMap((file) => '12345678'.split('').map((rank) => file + rank)).filter((square) => pieceAt(fen, square) === letter);
      return squares.length > 0 ? `${pieceName(role)} ${squares.join(' ')}` : '';
    });
    return titled(capital(say(`player.${colour}`)), pieces.filter(Boolean).join(', '));
  };
  return `${side('white')}. ${side('black')}.`;
}

/**
 * The position before `ply` (1 is the first half-move).
 * @param {{ start_fen: string, plies: PlyRecord[], fen: string }} board
 * @param {number} ply
 */
export function fenBefore(board, ply) {
  return ply <= 1 ? board.start_fen : (board.plies[ply - 2]?.fen ?? board.fen);
}

/**
 * `12.` or `12…` for the half-move `ply`, counted from the starting position.
 * @param {{ start_fen: string }} board
 * @param {number} ply
 */
export function moveNumber(board, ply) {
  const [, turn, , , , first] = board.start_fen.split(' ');
  const half = ply - 1 + (turn === 'b' ? 1 : 0);
  return `${Number(first || 1) + Math.floor(half / 2)}${half % 2 === 0 ? '.' : '…'}`;
}

/**
 * `12. Nf3` for the half-move `ply` of the record.
 * @param {Shown} board
 * @param {number} ply
 */
export const numbered = (board, ply) => `${moveNumber(board, ply)} ${localSan(board.plies[ply - 1].san)}`;
