// @ts-check
// The orders of a game that have effect, each with a way back: on the page of the game, be it at hand or over. It is not printed.
import { html } from '../app/html.mjs';
import { takeBackOf } from '../state/incidents.mjs';
import { takeBack } from '../state/orders.mjs';
import { boardById } from '../state/store.mjs';
import { useIsArbiter } from '../state/floor.mjs';
import { tableOf } from '../words/place.mjs';
import { capital, say } from '../words/language.mjs';
import { triedOut } from '../board/changes.mjs';
import { sayRefused } from '../board/takeback.mjs';
import { confirm } from '../parts/confirm.mjs';
import { authorOf, givenOf, orderName } from './given.mjs';
import { givenText } from './protocol.mjs';

/** @typedef {import('./given.mjs').Given} Given */

/** `onBack`: the game is to be read again. @param {{ game: GameDocument, onBack: () => void }} props */
export function WaysBack({ game, onBack }) {
  const isArbiter = useIsArbiter();
  const { length: n } = ordersOf(game);
  if (!isArbiter || n === 0) return null;
  return html`
    <details class="more given no-print">
      <summary>${say('given', { n })}</summary>
      <p class="hint">${say('given.hint')}</p>
      <${WaysBackList} game=${game} onBack=${onBack} />
    </details>
  `;
}

/** @param {GameDocument} game */
const ordersOf = (game) => givenOf(game).filter(({ line, undone }) => !undone && line.event === 'arbiter' && orderName(line));

/** The latest first. @param {{ game: GameDocument, onBack: () => void }} props */
export function WaysBackList({ game, onBack }) {
  const orders = ordersOf(game).reverse();
  if (orders.length === 0) return html`<p class="hint">${say('given', { n: 0 })}</p>`;
  return html`<ul class="given">${orders.map((one) => html`<${GivenLine} key=${orderName(one.line)} time=${one.time} text=${capital(givenText(one.line, game.view))} author=${authorOf(one.line)}
    onBack=${async () => { if (await back(game, one)) onBack(); }} />`)}</ul>`;
}

/** When, what, who, and the way back. @param {{ time: string, text: string, author: string, onBack: () => void }} props */
export const GivenLine = ({ time, text, author, onBack }) => html`
  <li><span class="number">${time}</span><span>${text}</span>${author && html`<span class="hint">${author}</span>`}
    <button class="quiet" onClick=${onBack}>${say('given.take-back')}</button></li>`;

/** @param {GameDocument} game @param {Given} one */
async function back(game, { line }) {
  const what = capital(givenText(line, game.view));
  const board = boardById(game.board);
  const tried = board?.game === game.id ? await triedOut(board, takeBack(orderName(line))) : null;
  if (board && tried?.refused) return Boolean(await sayRefused(board, what, tried.refused));
  const sure = await confirm({ title: say('follows.title', { title: what }), text: say('given.text', { what }), action: say('given.take-back') });
  const table = tableOf(game);
  return sure && takeBackOf({ incident: '', game: game.id, board: game.board, table, order: orderName(line), title: what, done: '', at: 0 });
}
