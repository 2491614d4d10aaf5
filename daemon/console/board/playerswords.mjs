// @ts-check
// What players say and do that no board shows: the arbiter enters it, as a button or a clock would.
import { html } from '../app/html.mjs';
import { adjust, claim, draw, flagFall, resign, sendOrder, stop } from '../state/orders.mjs';
import { claimKind } from '../words/findings.mjs';
import { capital, say } from '../words/language.mjs';
import { COLOURS, playerName } from '../words/players.mjs';
import { confirm } from '../parts/confirm.mjs';

/** @type {ClaimKind[]} */
const KINDS = ['threefold', 'fifty-moves', 'touch-move', 'illegal-move', 'flag-fall'];
/** @type {Set<ClaimKind>} */
const OF_DRAWS = new Set(['threefold', 'fifty-moves']);

/**
 * Each word: its label, its order, what is reported when it is done.
 * @type {['adjust' | 'stop' | 'offer' | 'accept' | 'decline', (by: Colour) => Order][]}
 */
const WORDS = [
  ['adjust', adjust],
  ['stop', stop],
  ['offer', (by) => draw(by, 'offer')],
  ['accept', (by) => draw(by, 'accept')],
  ['decline', (by) => draw(by, 'decline')],
];

/** @param {{ board: Shown }} props */
export function PlayersWords({ board }) {
  return html`
    <details class="more words">
      <summary>${say('words.title')}</summary>
      ${COLOURS.map((by) => html`<${Player} board=${board} by=${by} />`)}
      <${Claim} board=${board} />
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
          <button onClick=${() => sendOrder(board.id, order(by), capital(say(`done.${name}`, { by })))}>${say(`words.${name}`)}</button>`)}
        <button onClick=${() => ask(board, by, 'flag', flagFall)}>${say('words.flag')}</button>
        <button onClick=${() => ask(board, by, 'resign', resign)}>${say('words.resign')}</button>
      </div>
    </div>
  `;
}

/**
 * What ends a game is asked first.
 * @param {Shown} board
 * @param {Colour} by
 * @param {'flag' | 'resign'} word
 * @param {(by: Colour) => Order} order
 */
async function ask(board, by, word, order) {
  const sure = await confirm({
    title: say(`${word}.title`, { board: board.id, by }),
    text: say(`${word}.text`, { name: playerName(board, by) }),
    action: say(`${word}.action`, { by }),
    danger: true,
  });
  if (sure) sendOrder(board.id, order(by), capital(say(`done.${word}`, { by })));
}

/**
 * A claim: of a draw with the move intended, if one is; of a breach with the square, if one is named.
 * @param {{ board: Shown }} props
 */
function Claim({ board }) {
  return html`
    <form class="form two" aria-label=${say('words.claims')} onSubmit=${(/** @type {FormEvent} */ event) => enter(event, board)}>
      <label><span>${say('words.by')}</span>
        <select name="by">${COLOURS.map((by) => html`<option value=${by} selected=${by === board.turn}>${playerName(board, by)}</option>`)}</select></label>
      <label><span>${say('words.claims')}</span>
        <select name="kind">${KINDS.map((kind) => html`<option value=${kind}>${claimKind(kind)}</option>`)}</select></label>
      <label><span>${say('words.move')}</span><input name="move" pattern="[a-h][1-8][a-h][1-8][qrbn]?" autocomplete="off" placeholder=${say('words.optional')} /></label>
      <label><span>${say('words.square')}</span><input name="square" pattern="[a-h][1-8]" autocomplete="off" placeholder=${say('words.optional')} /></label>
      <button>${say('words.claim')}</button>
    </form>
  `;
}

/**
 * @param {FormEvent} event
 * @param {Shown} board
 */
async function enter(event, board) {
  event.preventDefault();
  const form = event.currentTarget;
  const { by, kind, move, square } = /** @type {{ by: Colour, kind: ClaimKind, move: string, square: string }} */ (Object.fromEntries(new FormData(form)));
  const fields = OF_DRAWS.has(kind) ? (move && { move }) : (square && { square });
  if (await sendOrder(board.id, claim(by, kind, fields || {}), say('done.claim'))) form.reset();
}
