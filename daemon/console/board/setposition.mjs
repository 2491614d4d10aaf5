// @ts-check
// A position set by clicking and dragging: the game goes on from it. It is checked before it is ordered.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { setPosition } from '../state/orders.mjs';
import { useTrial } from '../state/trial.mjs';
import { say } from '../words/language.mjs';
import { placementOf } from '../words/pieces.mjs';
import { PositionEditor, faultIn, tidied } from './editor.mjs';
import { orderRestore } from './restore.mjs';
import { rightsOfGame } from './rights.mjs';

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
  const rights = rightsOfGame([board.fen, board.start_fen]);
  const whole = tidied(fen, rights, board.fen);
  const tried = useTrial(board, faultIn(whole) ? null : setPosition(whole));
  const reads = board.sensor === 'piece' && board.reading ? placementOf(board.reading) : null;
  return html`
    <div class="choices">
      <button type="button" onClick=${() => setFen(board.fen)}>${say('set.recorded')}</button>
      <button type="button" onClick=${() => setFen(board.start_fen)}>${say('set.start')}</button>
      ${reads && html`<button type="button" onClick=${() => setFen([reads, ...whole.split(' ').slice(1)].join(' '))}>${say('set.reads')}</button>`}
    </div>
    <${PositionEditor} fen=${whole} rights=${rights} name="set" onSet=${setFen} />
    ${tried?.refused && html`<p class="problem" role="alert">${tried.refused}</p>`}
    <button class="strong" disabled=${!tried?.trial} onClick=${() => orderRestore(board, whole, say('restore.typed'))}>${say('set.order')}</button>
  `;
}
