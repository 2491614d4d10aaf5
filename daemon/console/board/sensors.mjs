// What the sensors read where it differs from the record. During a move that is normal.
import { html } from '../app/html.mjs';
import { mustBePutRight } from '../state/urgency.mjs';
import { Icon } from '../parts/icon.mjs';
import { pieceAt, standsThere, symbolAt, symbolName } from '../words/pieces.mjs';

const CLASSES = { occupancy: 'sees whether a square is occupied', colour: 'sees the colour of a piece', piece: 'sees which piece it is' };

export function Sensors({ board }) {
  const listed = board.differs.length > 0 && board.reading && !mustBePutRight(board);
  return html`
    <section class="panel sensors" aria-label="Sensors">
      <h2><${Icon} name="sensor" /> Sensors</h2>
      <p class="sub">${board.connected ? 'Connected' : 'Not connected'}${board.serial ? ` · ${board.serial}` : ''}${board.sensor ? ` · ${CLASSES[board.sensor]}` : ''}</p>
      ${listed
        ? html`<ul class="squares-list">${board.differs.map((square) => html`
            <li><b>${square}</b> reads ${symbolName(symbolAt(board.reading, square))}; the record has ${standsThere(pieceAt(board.fen, square))}</li>`)}</ul>`
        : board.differs.length === 0 && html`<p class="hint">The board equals the record.</p>`}
    </section>
  `;
}
