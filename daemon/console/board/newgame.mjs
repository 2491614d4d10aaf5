// Starts the next game on a board.
import { html } from '../app/html.mjs';
import { newGame, sendOrder } from '../state/orders.mjs';
import { confirm } from '../parts/confirm.mjs';

const FIELDS = [
  ['white', 'White'],
  ['black', 'Black'],
  ['round', 'Round'],
  ['fen', 'Position (FEN)'],
];

export function NewGame({ board }) {
  return html`
    <details class="more">
      <summary>New game</summary>
      <form class="new-game" onSubmit=${(event) => begin(event, board)}>
        ${FIELDS.map(([name, label]) => html`
          <label><span>${label}</span><input name=${name} autocomplete="off" placeholder=${name === 'fen' ? 'initial position' : 'as configured'} /></label>`)}
        <button class="strong">Start a new game</button>
      </form>
    </details>
  `;
}

async function begin(event, board) {
  event.preventDefault();
  const form = event.currentTarget;
  const filled = [...new FormData(form)].map(([name, value]) => [name, value.trim()]).filter(([, value]) => value);
  const sure = await confirm({
    title: `Board ${board.id}: start a new game?`,
    text: 'The game at hand ends as it stands and stays in the journal.',
    action: 'Start it',
    danger: board.state !== 'ended',
  });
  if (sure && await sendOrder(board.id, newGame(Object.fromEntries(filled)), 'new game started.')) form.reset();
}
