// @ts-check
// What was played at a ply, where the record has something else: the rest of the game is heard again under it.
import { html } from '../app/html.mjs';
import { played, sendOrder } from '../state/orders.mjs';
import { confirm } from '../parts/confirm.mjs';
import { say } from '../words/language.mjs';
import { fenBefore, moveName, moveNumber } from '../words/pieces.mjs';

/**
 * The ply that is shown, or the last one, is meant unless another is named.
 * @param {{ board: Shown, history: LookBack }} props
 */
export function Played({ board, history }) {
  const last = board.plies.length;
  const meant = Math.max(1, history.shown ?? last);
  return html`
    <details class="more played">
      <summary>${say('played.title')}</summary>
      <p class="hint">${say('played.hint')}</p>
      <form class="form two" aria-label=${say('played.title')} onSubmit=${(/** @type {FormEvent} */ event) => order(event, board)}>
        <label><span>${say('played.ply')}</span>
          <input key=${meant} name="ply" type="number" required min="1" max=${last + 1} value=${meant} /></label>
        <label><span>${say('played.move')}</span>
          <input name="move" required pattern="([a-h][1-8]){2}[qrbn]?" autocomplete="off" placeholder="e2e4" /></label>
        <button>${say('played.enter')}</button>
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
  const fields = new FormData(form);
  const [ply, uci] = [Number(fields.get('ply')), String(fields.get('move'))];
  const move = `${moveNumber(board, ply)} ${moveName(fenBefore(board, ply), uci)}`;
  const sure = await confirm({
    title: say('played.confirm', { board: board.id, move }),
    text: say('played.text'),
    action: say('played.enter'),
  });
  if (sure && await sendOrder(board.id, played(ply, uci), say('done.reading', { move }))) form.reset();
}
