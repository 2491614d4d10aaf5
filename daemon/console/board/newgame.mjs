// @ts-check
// Starts the next game on a board.
import { html } from '../app/html.mjs';
import { newGame, sendOrder } from '../state/orders.mjs';
import { confirm } from '../parts/confirm.mjs';
import { say } from '../words/language.mjs';

const FIELDS = /** @type {const} */ (['white', 'black', 'round', 'fen', 'chess960']);

/** @param {{ board: Shown }} props */
export function NewGame({ board }) {
  return html`
    <details class="more">
      <summary>${say('new.title')}</summary>
      <form class="form" onSubmit=${(/** @type {FormEvent} */ event) => begin(event, board)}>
        ${FIELDS.map((name) => html`
          <label><span>${say(`new.${name}`)}</span><input name=${name} autocomplete="off" placeholder=${say(name === 'fen' ? 'new.initial' : 'new.configured')} /></label>`)}
        <button class="strong">${say('new.start')}</button>
      </form>
    </details>
  `;
}

/**
 * @param {FormEvent} event
 * @param {Shown} board
 */
async function begin(event, board) {
  event.preventDefault();
  const form = event.currentTarget;
  const filled = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value);
  const sure = await confirm({
    title: say('new.confirm-title', { board: board.id }),
    text: say('new.confirm-text'),
    action: say('new.action'),
    danger: board.state !== 'ended',
  });
  if (sure && await sendOrder(board.id, newGame(Object.fromEntries(filled)), say('done.new'))) form.reset();
}
