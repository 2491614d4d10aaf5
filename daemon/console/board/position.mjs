// @ts-check
// The large board with its players and clocks, and the marks on it.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { isOfPosition, unruled } from '../state/offences.mjs';
import { subscribe } from '../state/topics.mjs';
import { isMated, isUnbegun } from '../state/urgency.mjs';
import { offencesText } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { numbered, positionText } from '../words/pieces.mjs';
import { boardPlace } from '../words/place.mjs';
import { COLOURS, playerName } from '../words/players.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { Clock } from '../parts/clock.mjs';
import { Icon } from '../parts/icon.mjs';
import { differsOf, marksOf, obligationOf, pastMarks, requiredShapes, shapesOf } from './marks.mjs';
import { positionShown } from './history.mjs';

/** @param {{ board: Shown, history: LookBack, finding: Finding | null, pointed: string[] | null }} props */
export function Position({ board, history, finding, pointed }) {
  const [flipped, setFlipped] = useState(false);
  useEffect(() => subscribe('key', (said) => said === 'flip' && setFlipped((now) => !now)), []);
  const live = history.shown === null;
  const { fen, lastMove } = positionShown(board, history.shown);
  // What was found is not drawn over a position that it is not about.
  const found = finding && isOfPosition(finding, board, history.shown ?? board.plies.length) ? finding : null;
  const [bottom, top] = flipped ? [...COLOURS].reverse() : COLOURS;
  return html`
    <section class="position" aria-label=${say('position')}>
      <${Player} board=${board} colour=${top} />
      <div class=${live ? 'frame' : 'frame past'}>
        <${Chessboard} fen=${fen} lastMove=${lastMove} flipped=${flipped} coordinates
          marks=${live ? marksOf(board, found, pointed) : pastMarks(found, pointed)}
          shapes=${live ? shapesOf(board, found) : requiredShapes(fen, found?.required)}
          label=${`${say(live ? 'position.live' : 'position.past', { place: boardPlace(board), by: board.turn })}. ${positionText(fen)}`} />
      </div>
      <${Player} board=${board} colour=${bottom} />
      <div class="under-board">
        ${live
          ? html`<${Legend} board=${board} finding=${found} />`
          : html`<p class="looking-back">${placeText(board, history.shown ?? 0)}
              <button onClick=${() => history.show(board.plies.length)}>${say('position.back')}</button></p>`}
        <button class="quiet" aria-label=${say('position.turn')} title=${`${say('position.turn')} (f)`} onClick=${() => setFlipped(!flipped)}>
          <${Icon} name="flip" />
        </button>
      </div>
    </section>
  `;
}

/**
 * @param {Shown} board
 * @param {number} shown
 */
function placeText(board, shown) {
  return shown === 0 ? say('position.start') : say('position.after', { move: numbered(board, shown) });
}

/** @param {{ board: Shown, colour: Colour }} props */
function Player({ board, colour }) {
  const toMove = board.turn === colour && board.state !== 'ended' && !isMated(board);
  return html`
    <div class=${`player${toMove ? ' to-move' : ''}`}>
      <i class=${`stone ${colour}`} aria-hidden="true"></i>
      <span class="name">${playerName(board, colour)}</span>
      ${toMove && html`<span class="turn">${say('player.to-move')}</span>`}
      <${Offences} board=${board} colour=${colour} />
      ${!isUnbegun(board) && html`<${Clock} board=${board} colour=${colour} />`}
    </div>
  `;
}

/**
 * Completed illegal moves, and how many lose: the arbiter sees what the next one means before it happens. Those that nobody has ruled on are only proposed.
 * @param {{ board: Shown, colour: Colour }} props
 */
function Offences({ board, colour }) {
  const short = offencesText(board, colour, { of: 'offences', free: 'offences' });
  if (!short) return null;
  const loses = board.offences?.loses;
  const open = unruled(board, colour).length;
  return html`<span class=${`offences${open ? ' proposed' : ''}`} title=${offencesText(board, colour, { of: 'offences.of', free: 'offences.free' })}>
    <${Icon} name=${open ? 'pencil' : 'irregularity'} /> ${short}${loses ? ` / ${loses}` : ''}${open ? ` · ${say('offences.unruled', { n: open })}` : ''}</span>`;
}

/** @param {{ board: Shown, finding: Finding | null }} props */
function Legend({ board, finding }) {
  const signs = [
    differsOf(board).length > 0 && ['differs', say('legend.differs')],
    board.distrusted.length > 0 && ['distrusted', say('legend.distrusted')],
    finding && finding.squares.length > 0 && ['finding', say('legend.finding')],
    board.doubts.length > 0 && ['doubt', say('legend.doubt')],
    obligationOf(board) && ['obliged', say('legend.obliged')],
  ].filter((sign) => Array.isArray(sign));
  return html`<ul class="legend">${signs.map(([kind, text]) => html`<li><i class=${`swatch mark-${kind}`} aria-hidden="true"></i>${text}</li>`)}</ul>`;
}
