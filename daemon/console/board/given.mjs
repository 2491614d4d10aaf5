// @ts-check
// The orders that were given, each with a way back: the game is then as if it had not been given.
import { html } from '../app/html.mjs';
import { basisOf, sendOrder, takeBack } from '../state/orders.mjs';
import { boardTime, eventText } from '../words/evidence.mjs';
import { say } from '../words/language.mjs';
import { confirm } from '../parts/confirm.mjs';

/** @param {{ board: Shown }} props */
export function Given({ board }) {
  if (board.orders.length === 0) return null;
  return html`
    <details class="more given">
      <summary>${say('given', { n: board.orders.length })}</summary>
      <p class="hint">${say('given.hint')}</p>
      <ul>${[...board.orders].reverse().map((line) => html`<${Line} key=${nameOf(line)} board=${board} line=${line} />`)}</ul>
    </details>
  `;
}

/** @param {{ board: Shown, line: InputLine }} props */
function Line({ board, line }) {
  const author = 'author' in line && line.author;
  return html`
    <li><span class="number">${boardTime(line.at ?? 0)}</span> ${eventText(line)}
      ${author && html` <span class="hint">${author}</span>`}
      <button class="quiet" onClick=${() => orderTakeBack(board, line)}>${say('given.take-back')}</button></li>
  `;
}

/** @param {InputLine} line */
const nameOf = (line) => ('order' in line && line.order) || '';

/**
 * @param {Shown} board
 * @param {InputLine} line
 */
async function orderTakeBack(board, line) {
  const what = eventText(line);
  const sure = await confirm({
    title: say('given.title', { board: board.id }),
    text: say('given.text', { what }),
    action: say('given.take-back'),
  });
  if (sure) sendOrder(board.id, takeBack(nameOf(line)), say('done.take-back', { what }), basisOf(board));
}
