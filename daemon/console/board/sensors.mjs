// @ts-check
// What the sensors read where it differs from the record. During a move that is normal.
import { html } from '../app/html.mjs';
import { toSeen } from '../app/route.mjs';
import { mustBePutRight } from '../state/urgency.mjs';
import { Icon } from '../parts/icon.mjs';
import { say } from '../words/language.mjs';
import { symbolAt } from '../state/reading.mjs';
import { pieceAt, standsThere, symbolName } from '../words/pieces.mjs';
import { ToRecord } from '../parts/torecord.mjs';

/** @param {{ board: Shown }} props */
export function Sensors({ board }) {
  const isOver = board.state === 'ended' && !board.result?.proposed && board.differs.length > 0;
  const listed = board.differs.length > 0 && board.reading && !mustBePutRight(board) && !isOver;
  return html`
    <section class="panel sensors" aria-label=${say('sensors')}>
      <h2><${Icon} name="sensor" /> ${say('sensors')}</h2>
      <p class="sub">${say(board.connected ? 'sensors.connected' : 'sensors.not-connected')}${board.serial ? ` · ${board.serial}` : ''}${board.sensor ? ` · ${say(`sensors.${board.sensor}`)}` : ''}${board.firmware ? ` · ${board.firmware}` : ''}</p>
      ${board.game && html`<p><${ToRecord} to=${toSeen(board.game)} or=${null}>${say('replay.title')}<//></p>`}
      ${board.note ? html`<p class="sub">${board.note}</p>` : ''}
      ${isOver && html`<p class="hint">${say('sensors.after-end')}</p>`}
      ${listed
        ? html`<ul class="squares-list">${board.differs.map((square) => html`
            <li><b>${square}</b> ${say('sensors.reads', { reads: symbolName(symbolAt(board.reading ?? '', square)), record: standsThere(pieceAt(board.fen, square)) })}</li>`)}</ul>`
        : board.connected && board.differs.length === 0 && html`<p class="hint">${say('sensors.equal')}</p>`}
    </section>
  `;
}
