// The large board with its players and clocks, and the marks on it.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { subscribe } from '../state/topics.mjs';
import { capital, moveNumber } from '../words/pieces.mjs';
import { playerName } from '../words/players.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { Clock } from '../parts/clock.mjs';
import { Icon } from '../parts/icon.mjs';
import { marksOf, pastMarks, requiredShapes, shapesOf } from './marks.mjs';
import { positionShown } from './history.mjs';

export function Position({ board, history, finding, pointed }) {
  const [flipped, setFlipped] = useState(false);
  useEffect(() => subscribe('key', (said) => said === 'flip' && setFlipped((now) => !now)), []);
  const live = history.shown === null;
  const { fen, lastMove } = positionShown(board, history.shown);
  const [top, bottom] = flipped ? ['white', 'black'] : ['black', 'white'];
  return html`
    <section class="position" aria-label="Position">
      <${Player} board=${board} colour=${top} />
      <div class=${live ? 'frame' : 'frame past'}>
        <${Chessboard} fen=${fen} lastMove=${lastMove} flipped=${flipped} coordinates
          marks=${live ? marksOf(board, finding, pointed) : pastMarks(finding, pointed)}
          shapes=${live ? shapesOf(board, finding) : requiredShapes(fen, finding?.required)}
          label=${`Board ${board.id}, ${live ? `${capital(board.turn)} to move` : 'an earlier position'}`} />
      </div>
      <${Player} board=${board} colour=${bottom} />
      <div class="under-board">
        ${live
          ? html`<${Legend} board=${board} finding=${finding} />`
          : html`<p class="looking-back">${placeText(board, history.shown)}
              <button onClick=${() => history.show(board.plies.length)}>Back to live</button></p>`}
        <button class="quiet" aria-label="Turn the board round" title="Turn the board round (f)" onClick=${() => setFlipped(!flipped)}>
          <${Icon} name="flip" />
        </button>
      </div>
    </section>
  `;
}

function placeText(board, shown) {
  return shown === 0 ? 'Starting position.' : `After ${moveNumber(board, shown)} ${board.plies[shown - 1].san}.`;
}

function Player({ board, colour }) {
  const toMove = board.turn === colour && board.state !== 'ended';
  return html`
    <div class=${`player${toMove ? ' to-move' : ''}`}>
      <i class=${`stone ${colour}`} aria-hidden="true"></i>
      <span class="name">${playerName(board, colour)}</span>
      ${toMove && html`<span class="turn">to move</span>`}
      <${Clock} board=${board} colour=${colour} />
    </div>
  `;
}

function Legend({ board, finding }) {
  const signs = [
    board.differs.length > 0 && ['differs', 'reads differently'],
    finding?.squares.length > 0 && ['finding', 'finding'],
    board.doubts.length > 0 && ['doubt', 'doubt'],
    board.obligation && ['obliged', 'must move or take'],
  ].filter(Boolean);
  return html`<ul class="legend">${signs.map(([kind, text]) => html`<li><i class=${`swatch mark-${kind}`} aria-hidden="true"></i>${text}</li>`)}</ul>`;
}
