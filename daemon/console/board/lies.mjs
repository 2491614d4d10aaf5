// @ts-check
// How the board lies: told once, its squares are read so from then on.
import { html } from '../app/html.mjs';
import { misfitsTurned } from '../state/reading.mjs';
import { basisOf, boardTurned, sendOrder } from '../state/orders.mjs';
import { confirm } from '../parts/confirm.mjs';
import { say } from '../words/language.mjs';
import { boardPlace } from '../words/place.mjs';

/** @type {Turned[]} */
const WAYS = [0, 90, 180, 270];
/** By how much more the board is turned, by the square that reads as a1. */
/** @type {Record<string, number>} */
const FURTHER = { h1: 90, h8: 180, a8: 270 };

/**
 * One button for each way a board can lie, the present one pressed.
 * @param {{ board: Shown }} props
 */
export function Lies({ board }) {
  return html`
    <div class="row" role="group" aria-label=${say('orders.lies-label')}>
      <span class="row-name">${say('orders.lies')}</span>
      <div class="choices">${WAYS.map((turned) => html`
        <button aria-pressed=${turned === board.turned ? 'true' : 'false'} disabled=${turned === board.turned}
          onClick=${() => orderTurned(board, turned)}>${say('lies.turned', { turned })}</button>`)}</div>
    </div>
  `;
}

/**
 * The answer to a board that reads as if `corner` were its a1.
 * @param {{ board: Shown, corner: string }} props
 */
export function LiesSo({ board, corner }) {
  if (!(corner in FURTHER)) return null;
  const turned = /** @type {Turned} */ ((board.turned + FURTHER[corner]) % 360);
  return html`<button onClick=${() => orderTurned(board, turned)}>${turned === 0 ? say('lies.so-so') : say('lies.so', { turned })}</button>`;
}

/** Where what stands fits the record worse when it is read so, that is said before. @param {Shown} board @param {Turned} turned */
function fitText(board, turned) {
  if (!board.reading || !board.game || board.state === 'ended' || turned === board.turned) return [];
  const now = misfitsTurned(board, 0);
  const then = misfitsTurned(board, (turned - board.turned + 360) % 360);
  return then > now ? [say('lies.fits-worse', { n: then, now })] : [];
}

/**
 * @param {Shown} board
 * @param {Turned} turned
 */
async function orderTurned(board, turned) {
  const sure = await confirm({
    title: turned === 0 ? say('lies.title-so', { place: boardPlace(board) }) : say('lies.title', { place: boardPlace(board), turned }),
    text: [...fitText(board, turned), say('lies.text')].join(' '),
    action: say('lies.action'),
  });
  if (sure) sendOrder(board.id, boardTurned(turned), turned === 0 ? say('done.lies-so') : say('done.lies', { turned }), basisOf(board));
}
