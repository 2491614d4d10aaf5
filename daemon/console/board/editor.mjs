// @ts-check
// A board on which a position is set up by clicking and dragging, with who is to move and who may still castle.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { capital, say } from '../words/language.mjs';
import { pieceAt, symbolName } from '../words/pieces.mjs';
import { COLOURS } from '../words/players.mjs';
import { MoveBoard } from '../parts/moveboard.mjs';
import { mayStand, rightsIn } from './rights.mjs';
import { SQUARES, SquareChoice, withPiece } from './squares.mjs';

const PIECES = 'KQRBNPkqrbnp'.split('');
const GLYPHS = '♔♕♖♗♘♙♚♛♜♝♞♟';

/**
 * A position with the rights to castle that can be; en passant only as in `known`, as long as its pieces stand.
 * @param {string} fen
 * @param {import('./rights.mjs').Right[]} rights
 * @param {string} known
 */
export function tidied(fen, rights, known) {
  const [placement, turn = 'w', , , half = '0', number = '1'] = fen.split(' ');
  const kept = rightsIn(fen).map(({ side }) => side);
  const wanted = rights.filter((right) => kept.includes(right.side) && mayStand(fen, right)).map(({ letter }) => letter).join('') || '-';
  const [stood, moved, , passant = '-'] = known.split(' ');
  return [placement, turn, wanted, placement === stood && turn === moved ? passant : '-', half, number].join(' ');
}

/**
 * Why no game can go on from a position, as far as no rules of chess are needed to see it; null where that is not seen.
 * @param {string} fen
 * @returns {string | null}
 */
export function faultIn(fen) {
  const [placement] = fen.split(' ');
  for (const by of COLOURS) {
    const n = placement.split(by === 'white' ? 'K' : 'k').length - 1;
    if (n !== 1) return say(n === 0 ? 'set.no-king' : 'set.kings', { by });
  }
  const pawns = SQUARES.filter((square) => /[18]$/.test(square) && /p/i.test(pieceAt(fen, square) ?? ''));
  return pawns.length > 0 ? say('set.pawns', { n: pawns.length, squares: pawns.join(', ') }) : null;
}

/**
 * `rights` are the four there can be; `name` tells it from another on the page.
 * @param {{ fen: string, rights: import('./rights.mjs').Right[], name: string, onSet: (change: (fen: string) => string) => void }} props
 */
export function PositionEditor({ fen, rights, name, onSet }) {
  const [piece, setPiece] = useState(/** @type {string | null} */ (null));
  const [square, setSquare] = useState('');
  const fault = faultIn(fen);
  /** @param {string} at @param {string | null} what */
  const put = (at, what) => onSet((now) => withPiece(now, at, what));
  return html`
    <p class="hint">${say('set.hint')}</p>
    <${MoveBoard} fen=${fen} label=${say('set.board')}
      onMove=${(/** @type {string} */ from, /** @type {string} */ to) => onSet((now) => withPiece(withPiece(now, from, null), to, pieceAt(now, from)))}
      onGone=${(/** @type {string} */ at) => put(at, null)}
      onPut=${(/** @type {string} */ at) => { if (piece === null) return false; put(at, piece === '' ? null : piece); return true; }} />
    <div class="palette" role="group" aria-label=${say('set.palette')}>
      ${PIECES.map((letter, n) => html`<button type="button" aria-pressed=${piece === letter} aria-label=${symbolName(letter)} title=${symbolName(letter)} onClick=${() => setPiece(piece === letter ? null : letter)}><span aria-hidden="true">${[...GLYPHS][n]}</span></button>`)}
      <button type="button" aria-pressed=${piece === ''} onClick=${() => setPiece(piece === '' ? null : '')}>${say('set.remove')}</button>
    </div>
    <div class="inline put">
      <${SquareChoice} label=${say('set.square')} value=${square} fen=${fen} onChoose=${setSquare} />
      <button type="button" disabled=${!square || piece === null} onClick=${() => put(square, piece || null)}>${say('set.put')}</button>
    </div>
    <${Rest} fen=${fen} rights=${rights} name=${name} onSet=${onSet} />
    ${fault && html`<p class="problem" role="alert">${fault}</p>`}
  `;
}

/** What no piece shows. @param {{ fen: string, rights: import('./rights.mjs').Right[], name: string, onSet: (change: (fen: string) => string) => void }} props */
function Rest({ fen, rights, name, onSet }) {
  const turn = fen.split(' ')[1];
  const wanted = rightsIn(fen).map(({ side }) => side);
  /** @param {number} field @param {string} value */
  const write = (field, value) => onSet((now) => now.split(' ').with(field, value).join(' '));
  /** @param {import('./rights.mjs').Right} right */
  const turnOver = (right) => write(2, rights.filter((one) => (one === right) !== wanted.includes(one.side) && mayStand(fen, one)).map(({ letter }) => letter).join('') || '-');
  return html`
    <fieldset><legend>${say('set.turn')}</legend>${COLOURS.map((by) => html`<label class="check-label"><input type="radio" name=${`${name}-turn`} checked=${turn === by[0]} onChange=${() => write(1, by[0])} /> ${capital(say(`player.${by}`))}</label>`)}</fieldset>
    <fieldset><legend>${say('set.castling')}</legend>${rights.map((right) => html`
      <label class="check-label"><input type="checkbox" disabled=${!mayStand(fen, right)} checked=${wanted.includes(right.side)} onChange=${() => turnOver(right)} /> ${castleText(right)}</label>`)}</fieldset>
  `;
}

/** Which castling a right is to. @param {import('./rights.mjs').Right} right */
export const castleText = ({ side }) => say(`castle.${side === side.toUpperCase() ? 'white' : 'black'}-${side.toLowerCase() === 'k' ? 'short' : 'long'}`);
