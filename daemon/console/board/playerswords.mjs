// @ts-check
// What players say and do that no board shows: the arbiter enters it, as a button or a clock would.
import { html } from '../app/html.mjs';
import { adjust, basisOf, draw, flagFall, resign, sendOrder, stop } from '../state/orders.mjs';
import { capital, say } from '../words/language.mjs';
import { opponent } from '../words/pieces.mjs';
import { boardPlace } from '../words/place.mjs';
import { COLOURS, playerName } from '../words/players.mjs';
import { confirm } from '../parts/confirm.mjs';
import { clockShows } from './doubts.mjs';

/**
 * Each word: its label, its order, what is reported when it is done.
 * @type {['adjust' | 'stop' | 'offer' | 'decline', (by: Colour) => Order][]}
 */
const WORDS = [
  ['adjust', adjust],
  ['stop', stop],
  ['offer', (by) => draw(by, 'offer')],
  ['decline', (by) => draw(by, 'decline')],
];

/** @typedef {typeof WORDS[number][0]} Told */

/** @param {Colour} by */
const accept = (by) => draw(by, 'accept');

/** @param {{ board: Shown }} props */
export function PlayersWords({ board }) {
  return html`
    <details class="more words">
      <summary>${say('words.title')}</summary>
      ${COLOURS.map((by) => html`<${Player} board=${board} by=${by} />`)}
    </details>
  `;
}

/** @param {{ board: Shown, by: Colour }} props */
function Player({ board, by }) {
  return html`
    <div class="row" role="group" aria-label=${capital(say(`player.${by}`))}>
      <span class="who"><i class=${`stone ${by}`} aria-hidden="true"></i> ${playerName(board, by)}</span>
      <div class="choices">
        ${WORDS.map(([name, order]) => html`
          <button onClick=${() => enter(board, by, name, order)}>${say(`words.${name}`)}</button>`)}
        <button onClick=${() => ask(board, by, 'accept', accept)}>${say('words.accept')}</button>
        <button onClick=${() => ask(board, by, 'flag', flagFall)}>${say('words.flag')}</button>
        <button onClick=${() => ask(board, by, 'resign', resign)}>${say('words.resign')}</button>
      </div>
    </div>
  `;
}

/** Whose move it is, where it is not his. @param {Shown} board @param {Colour} by */
const turnText = (board, by) => (board.turn === by ? '' : say('turn.text', { mover: playerName(board, opponent(by)), name: playerName(board, by) }));

/**
 * In the noise of a hall one player is soon taken for the other: words of the one who has not the move are asked about.
 * @param {Shown} board
 * @param {Colour} by
 * @param {Told} word
 * @param {(by: Colour) => Order} order
 */
async function enter(board, by, word, order) {
  const sure = board.turn === by || await confirm({
    title: say('turn.title', { place: boardPlace(board), by }),
    text: `${turnText(board, by)} ${say(`turn.${word}`)}`,
    action: say(`turn.enter-${word}`, { by }),
  });
  if (sure) sendOrder(board.id, order(by), capital(say(`done.${word}`, { by })), basisOf(board));
}

/**
 * What ends a game is asked first.
 * @param {Shown} board
 * @param {Colour} by
 * @param {'accept' | 'flag' | 'resign'} word
 * @param {(by: Colour) => Order} order
 */
async function ask(board, by, word, order) {
  const sure = await confirm({
    title: say(`${word}.title`, { place: boardPlace(board), by }),
    text: [turnText(board, by), word === 'flag' && clockShows(board, by), say(`${word}.text`, { name: playerName(board, by) })].filter(Boolean).join(' '),
    action: say(`${word}.action`, { by }),
    danger: true,
  });
  if (sure) sendOrder(board.id, order(by), capital(say(`done.${word}`, { by })), basisOf(board));
}
