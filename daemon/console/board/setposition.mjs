// @ts-check
// A position typed in: the game goes on from it.
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { orderRestore } from './restore.mjs';

/** @param {{ board: Shown }} props */
export function SetPosition({ board }) {
  return html`
    <details class="more">
      <summary>${say('set.title')}</summary>
      <form class="form" onSubmit=${(/** @type {FormEvent} */ event) => order(event, board)}>
        <label><span>${say('set.fen')}</span><input name="fen" required autocomplete="off" spellcheck=${false} placeholder=${board.fen} /></label>
        <button class="strong">${say('set.order')}</button>
      </form>
    </details>
  `;
}

/**
 * @param {FormEvent} event
 * @param {Shown} board
 */
async function order(event, board) {
  event.preventDefault();
  const form = event.currentTarget;
  const fen = String(new FormData(form).get('fen')).trim();
  if (await orderRestore(board, fen, say('restore.typed'))) form.reset();
}
