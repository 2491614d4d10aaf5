// A position that must stand on the board before play goes on: which squares, and what belongs there.
import { html } from '../app/html.mjs';
import { letStand, sendOrder, setPosition } from '../state/orders.mjs';
import { mustBePutRight } from '../state/urgency.mjs';
import { pieceAt, standsThere, symbolAt, symbolName } from '../words/pieces.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Tag } from '../parts/tag.mjs';

export function Restore({ board }) {
  if (!mustBePutRight(board)) return null;
  const ordered = board.restore;
  const wanted = ordered ?? board.fen;
  return html`
    <section class="need-panel restore" aria-label="Restore">
      <header>
        <${Tag} kind="restore" word=${ordered ? 'Restore' : 'Disturbed'} />
        <h2>${ordered ? 'Put this position back' : 'No move explains the board'}</h2>
      </header>
      ${board.differs.length > 0
        ? html`<ul class="squares-list">${board.differs.map((square) => html`<${Square} board=${board} square=${square} wanted=${wanted} />`)}</ul>`
        : html`<p class="hint">The board matches.</p>`}
      <div class="buttons">
        ${!ordered && html`<button class="strong" onClick=${() => orderRestore(board, board.fen, 'the recorded position')}>Order the recorded position</button>`}
        <button onClick=${() => orderLetStand(board)}>Let the board stand</button>
      </div>
    </section>
  `;
}

function Square({ board, square, wanted }) {
  const reads = board.reading ? symbolName(symbolAt(board.reading, square)) : 'unknown';
  return html`<li><b>${square}</b> ${standsThere(pieceAt(wanted, square))} belongs here; the board reads ${reads}</li>`;
}

export async function orderRestore(board, fen, what) {
  const sure = await confirm({
    title: `Board ${board.id}: order ${what}?`,
    text: 'The game goes on from this position. Play waits until it stands on the board. The order is written to the journal and cannot be taken back.',
    action: 'Order it',
  });
  if (sure) sendOrder(board.id, setPosition(fen), `${what} ordered.`);
}

export async function orderLetStand(board) {
  const sure = await confirm({
    title: `Board ${board.id}: let the board stand?`,
    text: 'What stands on the board becomes the position of the game. The order is written to the journal and cannot be taken back.',
    action: 'Let it stand',
  });
  if (sure) sendOrder(board.id, letStand(), 'the position on the board stands.');
}
