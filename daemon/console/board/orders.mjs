// What the arbiter can order besides ruling on findings.
import { html } from '../app/html.mjs';
import { adjust, draw, pause, resign, resume, sendOrder } from '../state/orders.mjs';
import { capital, moveNumber } from '../words/pieces.mjs';
import { playerName } from '../words/players.mjs';
import { confirm } from '../parts/confirm.mjs';
import { declareResult } from './doubts.mjs';
import { positionShown } from './history.mjs';
import { NewGame } from './newgame.mjs';
import { orderLetStand, orderRestore } from './restore.mjs';

const RESULTS = ['1-0', '1/2-1/2', '0-1'];
const RESULT_NAMES = { '1-0': '1–0', '1/2-1/2': '½–½', '0-1': '0–1' };

export function Orders({ board, history }) {
  const ended = board.state === 'ended';
  return html`
    <section class="panel orders" aria-label="Orders">
      <h2>Orders</h2>
      <div class="row" role="group" aria-label="Enter a result">
        <span class="row-name">Result</span>
        <div class="choices">${RESULTS.map((value) => html`<button onClick=${() => declareResult(board, value)}>${RESULT_NAMES[value]}</button>`)}</div>
      </div>
      <div class="row" role="group" aria-label="Game">
        <span class="row-name">Game</span>
        <div class="choices">
          ${board.state === 'paused'
            ? html`<button onClick=${() => sendOrder(board.id, resume(), 'the game goes on.')}>Resume</button>`
            : html`<button disabled=${ended} onClick=${() => sendOrder(board.id, pause(), 'paused.')}>Pause</button>`}
          <button onClick=${() => restoreShown(board, history.shown)}>Restore ${history.shown === null ? 'recorded' : 'shown'} position</button>
          <button onClick=${() => orderLetStand(board)}>Let board stand</button>
        </div>
      </div>
      <details class="more">
        <summary>Players’ declarations</summary>
        ${['white', 'black'].map((colour) => html`<${Declarations} board=${board} colour=${colour} />`)}
      </details>
      <${NewGame} board=${board} />
    </section>
  `;
}

function restoreShown(board, shown) {
  const what = shown === null ? 'the recorded position'
    : shown === 0 ? 'the starting position'
    : `the position after ${moveNumber(board, shown)} ${board.plies[shown - 1].san}`;
  orderRestore(board, positionShown(board, shown).fen, what);
}

function Declarations({ board, colour }) {
  const say = (order, done) => sendOrder(board.id, order, `${capital(colour)} ${done}.`);
  return html`
    <div class="row" role="group" aria-label=${capital(colour)}>
      <span class="row-name">${capital(colour)}</span>
      <div class="choices">
        <button onClick=${() => say(adjust(colour), 'adjusts')}>Adjusts</button>
        <button onClick=${() => say(draw(colour, 'offer'), 'offers a draw')}>Offers draw</button>
        <button onClick=${() => say(draw(colour, 'accept'), 'accepts the draw')}>Accepts</button>
        <button onClick=${() => resignFor(board, colour)}>Resigns</button>
      </div>
    </div>
  `;
}

async function resignFor(board, colour) {
  const sure = await confirm({
    title: `Board ${board.id}: ${capital(colour)} resigns?`,
    text: `${playerName(board, colour)} loses the game. It is written to the journal.`,
    action: `${capital(colour)} resigns`,
    danger: true,
  });
  if (sure) sendOrder(board.id, resign(colour), `${capital(colour)} resigned.`);
}
