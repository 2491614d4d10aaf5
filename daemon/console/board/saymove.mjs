// @ts-check
// A move said by clicking or dragging, or by the names of its squares.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { capital, say } from '../words/language.mjs';
import { PROMOTIONS, colourOf, moveName, pieceAt, pieceName } from '../words/pieces.mjs';
import { MoveBoard } from '../parts/moveboard.mjs';
import { SQUARES, SquareChoice, afterMove } from './squares.mjs';

/**
 * @param {{ fen: string, flipped?: boolean, value: string, onSay: (uci: string) => void }} props
 */
export function SayMove({ fen, flipped, value, onSay }) {
  const [from, setFrom] = useState('');
  const [promotes, setPromotes] = useState('');
  const by = fen.split(' ')[1] === 'b' ? 'black' : 'white';
  /** @param {string} start @param {string} to */
  const moved = (start, to) => {
    const piece = pieceAt(fen, start);
    setFrom(start);
    const last = piece?.toLowerCase() === 'p' && (to[1] === '8' || to[1] === '1');
    setPromotes(last ? `${start}${to}` : '');
    onSay(last ? '' : `${start}${to}`);
  };
  const own = SQUARES.filter((square) => {
    const piece = pieceAt(fen, square);
    return piece && colourOf(piece) === by;
  });
  return html`
    <div class="say-move">
      <${MoveBoard} fen=${value ? afterMove(fen, value) : fen} flipped=${flipped} onMove=${moved} label=${say('move.board')} />
      <div class="form two">
        <${SquareChoice} label=${say('move.from')} value=${value.slice(0, 2) || from} onChoose=${(/** @type {string} */ square) => { setFrom(square); onSay(''); }} fen=${fen} only=${own} />
        <${SquareChoice} label=${say('move.to')} value=${(promotes || value).slice(2, 4)} onChoose=${(/** @type {string} */ square) => square && from && moved(from, square)} fen=${fen} />
      </div>
      ${promotes && html`<div class="choices" role="group" aria-label=${say('move.promotes')}>${PROMOTIONS.map((piece) => html`
        <button type="button" aria-pressed=${value === `${promotes}${piece}`} onClick=${() => onSay(`${promotes}${piece}`)}>${capital(pieceName(piece))}</button>`)}</div>`}
      <p class="said" aria-live="polite">${value ? html`<b>${moveName(fen, value)}</b> <button type="button" class="quiet" onClick=${() => { setFrom(''); setPromotes(''); onSay(''); }}>${say('move.other')}</button>` : say('move.say')}</p>
    </div>
  `;
}
