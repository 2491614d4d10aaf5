// @ts-check
// A position that must stand on the board before play goes on: which squares, and what belongs there.
import { html } from '../app/html.mjs';
import { basisOf, letStand, sendOrder, setPosition } from '../state/orders.mjs';
import { mustBePutRight } from '../state/urgency.mjs';
import { pieceAt, standsThere, symbolAt, symbolName } from '../words/pieces.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Tag } from '../parts/tag.mjs';
import { say } from '../words/language.mjs';

/** @param {{ board: Shown }} props */
export function Restore({ board }) {
  if (!mustBePutRight(board)) return null;
  const ordered = board.restore;
  const wanted = ordered ?? board.fen;
  return html`
    <section class="need-panel restore" aria-label=${say('word.restore')}>
      <header>
        <${Tag} kind="restore" word=${say(ordered ? 'word.restore' : 'word.disturbed')} />
        <h2>${say(ordered ? 'restore.ordered' : 'restore.disturbed')}</h2>
      </header>
      ${board.differs.length > 0
        ? html`<ul class="squares-list">${board.differs.map((square) => html`<${Square} board=${board} square=${square} wanted=${wanted} />`)}</ul>`
        : html`<p class="hint">${say('restore.matches')}</p>`}
      <div class="buttons">
        ${!ordered && html`<button class="strong" onClick=${() => orderRestore(board, board.fen, say('restore.recorded'))}>${say('restore.order-recorded')}</button>`}
        <button onClick=${() => orderLetStand(board)}>${say('restore.let-stand')}</button>
      </div>
    </section>
  `;
}

/** @param {{ board: Shown, square: string, wanted: string }} props */
function Square({ board, square, wanted }) {
  const reads = board.reading ? symbolName(symbolAt(board.reading, square)) : say('restore.unknown');
  return html`<li><b>${square}</b> ${say('restore.square', { wanted: standsThere(pieceAt(wanted, square)), reads })}</li>`;
}

/**
 * @param {Shown} board
 * @param {string} fen
 * @param {string} what
 */
export async function orderRestore(board, fen, what) {
  const sure = await confirm({
    title: say('restore.title', { board: board.id, what }),
    text: say('restore.text'),
    action: say('restore.action'),
  });
  return sure && sendOrder(board.id, setPosition(fen), say('done.ordered', { what }), basisOf(board));
}

/** @param {Shown} board */
export async function orderLetStand(board) {
  const sure = await confirm({
    title: say('stand.title', { board: board.id }),
    text: say('stand.text'),
    action: say('stand.action'),
  });
  if (sure) sendOrder(board.id, letStand(), say('done.stand'), basisOf(board));
}
