// @ts-check
// A position that must stand on the board before play goes on: which squares, and what belongs there.
import { html } from '../app/html.mjs';
import { basisOf, letStand, resume, sendOrder, setPosition } from '../state/orders.mjs';
import { setNotice } from '../state/notice.mjs';
import { mustBePutRight, openFindings } from '../state/urgency.mjs';
import { symbolAt } from '../state/reading.mjs';
import { pieceAt, standsThere, symbolName } from '../words/pieces.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Tag } from '../parts/tag.mjs';
import { changesBy, triedOut } from './changes.mjs';
import { capital, say } from '../words/language.mjs';
import { boardPlace } from '../words/place.mjs';

/** `waits`: the game is stopped until its pieces stand there, as on a board that came to its table. @param {{ board: Shown, waits?: boolean }} props */
export function Restore({ board, waits = false }) {
  const isStopped = waits && board.state === 'paused';
  if (!isStopped && !mustBePutRight(board)) return null;
  const ordered = board.restore ?? (isStopped ? board.fen : null);
  const wanted = ordered ?? board.fen;
  return html`
    <section class="need-panel restore" aria-label=${say('word.restore')}>
      <header>
        <${Tag} kind="restore" word=${say(ordered ? 'word.restore' : 'word.disturbed')} />
        <h2>${say(isStopped ? 'restore.set-up' : ordered ? 'restore.ordered' : 'restore.disturbed')}</h2>
      </header>
      ${board.differs.length > 0
        ? html`<ul class="squares-list">${board.differs.map((square) => html`<${Square} board=${board} square=${square} wanted=${wanted} />`)}</ul>`
        : html`<p class="hint">${say('restore.matches')}</p>`}
      <div class="buttons">
        ${!ordered && html`<button class=${isLost(board) ? '' : 'strong'} onClick=${() => orderRestore(board, board.fen, say('restore.recorded'))}>${say('restore.order-recorded')}</button>`}
        ${isStopped
          ? html`<button class="strong" onClick=${() => sendOrder(board.id, resume(), say('done.resume'), basisOf(board))}>${say('orders.resume')}</button>`
          : mayLetStand(board) && html`<button onClick=${() => orderLetStand(board)}>${say('restore.let-stand')}</button>`}
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
  const order = setPosition(fen);
  const changes = await changesBy(board, order);
  const sure = await confirm({
    title: say('restore.title', { place: boardPlace(board), what }),
    text: withChanges(changes, say('restore.text')),
    action: say('restore.action'),
  });
  return sure && sendOrder(board.id, order, say('done.ordered', { what }), basisOf(board));
}

/**
 * What the record loses is said first; a position that it had already takes it back to there.
 * @param {string[] | null} changes null where that is not known
 * @param {string} text
 */
const withChanges = (changes, text) => [...(changes?.length === 0 ? [say('restore.keeps')] : changes ?? []), text].join(' ');

/** Nobody knows what was played to get to what stands. @param {Shown} board */
const isLost = (board) => board.doubts.some(({ kind }) => kind === 'thread-lost');

/**
 * Whether something stands there that could be let stand: where the board equals the record and nothing was found, or the game has ended, the order would do nothing.
 * @param {Shown} board
 */
export const mayLetStand = (board) => board.state !== 'ended' && !isLost(board) && (board.differs.length > 0 || mustBePutRight(board) || openFindings(board).length > 0);

/** What would be refused is not asked about: why, and what helps, is said. @param {Shown} board */
export async function orderLetStand(board) {
  const { changes, refused } = await triedOut(board, letStand());
  if (refused) return setNotice({ kind: 'refused', text: capital(refused.text) });
  const sure = await confirm({
    title: say('stand.title', { place: boardPlace(board) }),
    text: withChanges(changes, say('stand.text')),
    action: say('stand.action'),
  });
  return sure && sendOrder(board.id, letStand(), say('done.stand'), basisOf(board));
}
