// @ts-check
// What the arbiter can order besides ruling on findings.
import { html } from '../app/html.mjs';
import { toRound } from '../app/route.mjs';
import { basisOf, pause, sendOrder } from '../state/orders.mjs';
import { isAnnulled } from '../state/urgency.mjs';
import { resultText } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { numbered } from '../words/pieces.mjs';
import { annulGame, declareResult } from './doubts.mjs';
import { GivePenalty } from '../floor/penalty.mjs';
import { GiveTime } from '../floor/time.mjs';
import { Claim } from './claim.mjs';
import { Given } from './given.mjs';
import { positionShown } from './history.mjs';
import { Lies } from './lies.mjs';
import { NewGame } from './newgame.mjs';
import { Played } from './played.mjs';
import { PlayersWords } from './playerswords.mjs';
import { Report } from './report.mjs';
import { mayLetStand, orderLetStand, orderRestore } from './restore.mjs';
import { Resume } from './resume.mjs';
import { SetPosition } from './setposition.mjs';
import { OrBeginSet } from './unset.mjs';

/** @type {GameResult[]} */
const RESULTS = ['1-0', '1/2-1/2', '0-1'];

/**
 * Whoever looks after boards stops games and begins them, and orders nothing else. A confirmed result is changed where results are, and of a game that has one, or gives way to
 * the next, nothing is ordered that only play could follow.
 * @param {{ board: Shown, history: LookBack, rights: import('../state/rights.mjs').Rights, confirmed: { round: number } | null, isLast: boolean }} props
 */
export function Orders({ board, history, rights, confirmed, isLast }) {
  const { rules } = rights;
  const ended = board.state === 'ended';
  const plays = !confirmed && !isLast;
  return html`
    <section class="panel orders" aria-label=${say('orders')}>
      <h2>${say(isLast ? 'last.orders' : 'orders')}</h2>
      ${confirmed && html`<p class="hint">${say('orders.confirmed')} <a href=${toRound(confirmed.round)}>${say('desk.round', { n: confirmed.round })}</a></p>`}
      ${rules && !confirmed && html`<div class="row" role="group" aria-label=${say('orders.result-label')}>
        <span class="row-name">${say('orders.result')}</span>
        <div class="choices">${RESULTS.map((value) => html`<button onClick=${() => declareResult(board, value)}>${resultText(value)}</button>`)}
          ${!isAnnulled(board) && html`<button onClick=${() => annulGame(board)}>${say('orders.annul')}</button>`}</div>
      </div>`}
      ${plays && html`<div class="row" role="group" aria-label=${say('orders.game')}>
        <span class="row-name">${say('orders.game')}</span>
        <div class="choices">
          ${board.state === 'paused'
            ? html`<${Resume} board=${board} />`
            : html`<button disabled=${ended} onClick=${() => sendOrder(board.id, pause(), say('done.pause'), basisOf(board))}>${say('orders.pause')}</button>`}
          ${rules && html`<button onClick=${() => restoreShown(board, history.shown)}>${say(history.shown === null ? 'orders.restore-recorded' : 'orders.restore-shown')}</button>
          ${mayLetStand(board) && html`<button onClick=${() => orderLetStand(board)}>${say('orders.let-stand')}</button>`}`}
        </div>
      </div>`}
      ${rules && html`<${Lies} board=${board} />
      ${plays && html`<${PlayersWords} board=${board} /><${Claim} board=${board} /><${GiveTime} board=${board} />`}
      <${GivePenalty} game=${board.game} board=${board} />
      <${Report} board=${board} />
      <${Played} board=${board} history=${history} />
      <${OrBeginSet} board=${board}>${plays && html`<${SetPosition} board=${board} />`}<//>`}
      <${NewGame} board=${board} />
      ${rules && html`<${Given} board=${board} />`}
    </section>
  `;
}

/**
 * @param {Shown} board
 * @param {number | null} shown
 */
function restoreShown(board, shown) {
  const what = shown === null ? say('restore.recorded')
    : shown === 0 ? say('restore.start')
    : say('restore.after', { move: numbered(board, shown) });
  orderRestore(board, positionShown(board, shown).fen, what);
}
