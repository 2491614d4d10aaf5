// @ts-check
// A position set by clicking and dragging: the game goes on from it. It is checked before it is ordered.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { setPosition } from '../state/orders.mjs';
import { useTrial } from '../state/trial.mjs';
import { capital, say } from '../words/language.mjs';
import { pieceAt, placementOf, symbolName } from '../words/pieces.mjs';
import { COLOURS } from '../words/players.mjs';
import { MoveBoard } from '../parts/moveboard.mjs';
import { orderRestore } from './restore.mjs';
import { SquareChoice, withPiece } from './squares.mjs';

const PIECES = 'KQRBNPkqrbnp'.split('');
const GLYPHS = '♔♕♖♗♘♙♚♛♜♝♞♟';
/** Rights to castle, with the squares on which king and rook must stand. @type {[string, string, string][]} */
const RIGHTS = [['K', 'e1', 'h1'], ['Q', 'e1', 'a1'], ['k', 'e8', 'h8'], ['q', 'e8', 'a8']];

/** @param {{ board: Shown }} props */
export function SetPosition({ board }) {
  const [open, setOpen] = useState(false);
  return html`
    <details class="more set-position" onToggle=${(/** @type {Event & { currentTarget: HTMLDetailsElement }} */ event) => setOpen(event.currentTarget.open)}>
      <summary>${say('set.title')}</summary>
      ${open && html`<${Editor} board=${board} />`}
    </details>
  `;
}

/** @param {{ board: Shown }} props */
function Editor({ board }) {
  const [fen, setFen] = useState(board.fen);
  const [piece, setPiece] = useState(/** @type {string | null} */ (null));
  const [square, setSquare] = useState('');
  const [, turn, rights = '-', passant = '-', ...counts] = fen.split(' ');
  const wanted = rights.split('').filter((right) => mayStand(fen, right)).join('') || '-';
  const whole = [fen.split(' ')[0], turn, wanted, fen.split(' ')[0] === board.fen.split(' ')[0] ? passant : '-', ...counts].join(' ');
  const tried = useTrial(board, setPosition(whole));
  /** @param {string} at @param {string | null} what */
  const put = (at, what) => setFen((now) => withPiece(now, at, what));
  /** @param {Partial<{ turn: string, rights: string }>} change */
  const set = (change) => setFen([fen.split(' ')[0], change.turn ?? turn, change.rights ?? (wanted === '-' ? '-' : wanted), '-', ...counts].join(' '));
  const reads = board.sensor === 'piece' && board.reading ? placementOf(board.reading) : null;
  return html`
    <div class="choices">
      <button type="button" onClick=${() => setFen(board.fen)}>${say('set.recorded')}</button>
      <button type="button" onClick=${() => setFen(board.start_fen)}>${say('set.start')}</button>
      ${reads && html`<button type="button" onClick=${() => setFen([reads, turn, rights, '-', ...counts].join(' '))}>${say('set.reads')}</button>`}
    </div>
    <p class="hint">${say('set.hint')}</p>
    <${MoveBoard} fen=${fen} label=${say('set.board')}
      onMove=${(/** @type {string} */ from, /** @type {string} */ to) => { const moved = pieceAt(fen, from); put(from, null); put(to, moved); }}
      onGone=${(/** @type {string} */ at) => put(at, null)}
      onPut=${(/** @type {string} */ at) => { if (piece === null) return false; put(at, piece === '' ? null : piece); return true; }} />
    <div class="palette" role="group" aria-label=${say('set.palette')}>
      ${PIECES.map((letter, n) => html`<button type="button" aria-pressed=${piece === letter} aria-label=${symbolName(letter)} title=${symbolName(letter)} onClick=${() => setPiece(piece === letter ? null : letter)}><span aria-hidden="true">${[...GLYPHS][n]}</span></button>`)}
      <button type="button" aria-pressed=${piece === ''} onClick=${() => setPiece(piece === '' ? null : '')}>${say('set.remove')}</button>
    </div>
    <div class="inline">
      <${SquareChoice} label=${say('set.square')} value=${square} fen=${fen} onChoose=${setSquare} />
      <button type="button" disabled=${!square || piece === null} onClick=${() => put(square, piece || null)}>${say('set.put')}</button>
    </div>
    <fieldset><legend>${say('set.turn')}</legend>${COLOURS.map((by) => html`<label class="check-label"><input type="radio" name="turn" checked=${turn === by[0]} onChange=${() => set({ turn: by[0] })} /> ${capital(say(`player.${by}`))}</label>`)}</fieldset>
    <fieldset><legend>${say('set.castling')}</legend>${RIGHTS.map(([right]) => html`
      <label class="check-label"><input type="checkbox" disabled=${!mayStand(fen, right)} checked=${wanted.includes(right)} onChange=${() => set({ rights: RIGHTS.map(([one]) => one).filter((one) => (one === right) !== wanted.includes(one) && mayStand(fen, one)).join('') || '-' })} /> ${say(`castle.${right === right.toUpperCase() ? 'white' : 'black'}-${right.toLowerCase() === 'k' ? 'short' : 'long'}`)}</label>`)}</fieldset>
    ${tried?.refused && html`<p class="problem" role="alert">${tried.refused}</p>`}
    <button class="strong" disabled=${!tried?.trial} onClick=${() => orderRestore(board, whole, say('restore.typed'))}>${say('set.order')}</button>
  `;
}

/** Whether king and rook stand so that the right can be. @param {string} fen @param {string} right */
function mayStand(fen, right) {
  const [, king, rook] = RIGHTS.find(([one]) => one === right) ?? ['', '', ''];
  const [k, r] = right === right.toUpperCase() ? ['K', 'R'] : ['k', 'r'];
  return Boolean(king) && pieceAt(fen, king) === k && pieceAt(fen, rook) === r;
}
