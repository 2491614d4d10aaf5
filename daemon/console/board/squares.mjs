// @ts-check
// Squares by name, for whoever has no pointer; and pieces put on them.
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { pieceAt, standsThere } from '../words/pieces.mjs';

export const SQUARES = Array.from({ length: 64 }, (_, n) => `${'abcdefgh'[n % 8]}${1 + Math.floor(n / 8)}`);

/**
 * A choice of squares; with `fen`, what stands there is said.
 * @param {{ label: string, name?: string, value?: string, onChoose?: (square: string) => void, fen?: string, only?: string[] }} props
 */
export function SquareChoice({ label, name, value, onChoose, fen, only = SQUARES }) {
  return html`
    <label><span>${label}</span>
      <select name=${name} onChange=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => onChoose?.(event.currentTarget.value)}>
        <option value="">${say('square.none')}</option>
        ${only.map((square) => html`<option value=${square} selected=${square === value}>${square}${fen && pieceAt(fen, square) ? ` ${standsThere(pieceAt(fen, square))}` : ''}</option>`)}
      </select></label>
  `;
}

/**
 * A position with a piece put on a square, or taken from it.
 * @param {string} fen
 * @param {string} square
 * @param {string | null} piece
 */
export function withPiece(fen, square, piece) {
  const [, ...rest] = fen.split(' ');
  const rows = [];
  for (let rank = 8; rank >= 1; rank -= 1) {
    const row = 'abcdefgh'.split('').map((file) => (`${file}${rank}` === square ? piece : pieceAt(fen, `${file}${rank}`)) ?? '1');
    rows.push(row.join('').replace(/1+/g, (empty) => String(empty.length)));
  }
  return [rows.join('/'), ...rest].join(' ');
}

/**
 * A position after something was moved in it, whatever the Laws say: a king that castles brings its rook along.
 * @param {string} fen
 * @param {string} uci
 */
export function afterMove(fen, uci) {
  const [from, to, promoted] = [uci.slice(0, 2), uci.slice(2, 4), uci[4]];
  const piece = pieceAt(fen, from);
  if (!piece) return fen;
  const becomes = promoted ? (piece === 'P' ? promoted.toUpperCase() : promoted) : piece;
  let next = withPiece(withPiece(fen, from, null), to, becomes);
  const files = to.charCodeAt(0) - from.charCodeAt(0);
  if (piece.toLowerCase() === 'k' && Math.abs(files) === 2) {
    const [corner, beside] = files > 0 ? ['h', 'f'] : ['a', 'd'];
    const rook = pieceAt(next, `${corner}${from[1]}`);
    if (rook) next = withPiece(withPiece(next, `${corner}${from[1]}`, null), `${beside}${from[1]}`, rook);
  }
  if (piece.toLowerCase() === 'p' && files !== 0 && !pieceAt(fen, to)) next = withPiece(next, `${to[0]}${from[1]}`, null);
  return next;
}
