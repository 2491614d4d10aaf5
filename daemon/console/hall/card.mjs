// @ts-check
// One board among all: position, players, clocks, last move, state, and what it needs. Where nobody has scrolled to it, what it needs alone.
import { useRef } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard } from '../app/route.mjs';
import { useSeen } from '../state/seen.mjs';
import { useBoardInView } from '../state/store.mjs';
import { localSan, moveNumber, shownSquares } from '../words/pieces.mjs';
import { phaseText } from '../words/findings.mjs';
import { needs } from '../words/headline.mjs';
import { capital, say, titled, useLanguage } from '../words/language.mjs';
import { playerName } from '../words/players.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { Clock } from '../parts/clock.mjs';
import { Tag } from '../parts/tag.mjs';

const SHOWN_NEEDS = 2;

/** @param {{ id: string }} props */
export function Card({ id }) {
  useLanguage();
  const { place, isSeen } = useSeen();
  const wasSeen = useRef(false);
  wasSeen.current ||= isSeen;
  const board = useBoardInView(id, isSeen);
  if (!board?.fen) return null;
  const { last } = board;
  const all = needs(board);
  return html`
    <a ref=${place} class=${`card rank-${board.urgency.rank}`} href=${toBoard(id)} data-board=${id} aria-label=${spokenCard(board, all)}>
      ${wasSeen.current && html`<div class="card-board">
        <${Chessboard} fen=${board.fen} lastMove=${last && shownSquares(last)} label=${say('card.position', { board: id })} />
      </div>`}
      <div class="card-facts">
        <div class="card-head"><strong>${id}</strong><span class=${`phase${board.result?.proposed ? ' proposed' : ''}`}>${phaseText(board)}</span></div>
        ${wasSeen.current && html`<${Side} board=${board} colour="black" still=${!isSeen} />
        <div class="last-move">${last ? html`<span class="number">${moveNumber(board, board.ply)}</span> ${localSan(last.san)}` : say('moves.none')}</div>
        <${Side} board=${board} colour="white" still=${!isSeen} />`}
      </div>
      ${all.length > 0 && html`<div class="card-needs">${all.slice(0, SHOWN_NEEDS).map((need) => html`<${Need} need=${need} />`)}
        ${all.length > SHOWN_NEEDS && html`<p class="more">${say('card.more', { n: all.length - SHOWN_NEEDS })}</p>`}</div>`}
    </a>
  `;
}

/** @param {{ board: Shown, colour: Colour, still: boolean }} props */
function Side({ board, colour, still }) {
  const toMove = board.turn === colour && board.state !== 'ended';
  return html`
    <div class=${`side${toMove ? ' to-move' : ''}`}>
      <i class=${`stone ${colour}`} aria-hidden="true"></i>
      <span class="name">${playerName(board, colour)}</span>
      <${Clock} board=${board} colour=${colour} coarse still=${still} />
    </div>
  `;
}

/** @param {{ need: Need }} props */
const Need = ({ need }) => html`<p class="need"><${Tag} ...${need} /> <span>${need.text}</span></p>`;

/**
 * @param {Shown} board
 * @param {Need[]} all
 */
function spokenCard(board, all) {
  return say('card.spoken', {
    board: board.id,
    white: playerName(board, 'white'),
    black: playerName(board, 'black'),
    phase: capital(phaseText(board)),
    needs: all.map((need) => titled(need.word, need.text)).join('. '),
  });
}
