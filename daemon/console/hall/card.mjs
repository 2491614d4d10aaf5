// @ts-check
// One board among all: position, players, clocks, last move, state, and what it needs. Where nobody has scrolled to it, what it needs alone.
import { useEffect, useReducer, useRef } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard } from '../app/route.mjs';
import { isRunning, remaining } from '../state/clock.mjs';
import { useSeen } from '../state/seen.mjs';
import { useBoardInView } from '../state/store.mjs';
import { isMated, isUnbegun, openFindings } from '../state/urgency.mjs';
import { localSan, moveNumber, shownSquares } from '../words/pieces.mjs';
import { phaseText, resultText } from '../words/findings.mjs';
import { needs } from '../words/headline.mjs';
import { capital, say, titled, useLanguage } from '../words/language.mjs';
import { boardAndTable, boardPlace } from '../words/place.mjs';
import { playerName } from '../words/players.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { Clock } from '../parts/clock.mjs';
import { Icon } from '../parts/icon.mjs';
import { Tag } from '../parts/tag.mjs';
import { NO_PIECES, asUnset, drawnFrom } from '../board/unset.mjs';

const SHOWN_NEEDS = 2;

/**
 * `expected`: who is to play there, while the game before stands on the board; of a forfeit nobody plays, whatever stands on it.
 * @param {{ id: string, expected?: import('../state/floor.mjs').Expected }} props
 */
export function Card({ id, expected }) {
  useLanguage();
  const { place, isSeen } = useSeen();
  const wasSeen = useRef(false);
  wasSeen.current ||= isSeen;
  const told = useBoardInView(id, isSeen);
  const out = useOut(told);
  if (!told?.fen) return null;
  // What is found in the game before is said with its own players.
  const isSettled = told.state === 'ended' && openFindings(told).length === 0 && told.doubts.length === 0 && !told.restore && !told.result?.proposed;
  const next = expected && (expected.result || isSettled) ? expected : null;
  const board = told.unset ? asUnset(told) : next ? { ...told, white: next.white, black: next.black, round: next.round } : told;
  const phase = told.unset ? say('unset.phase') : next ? expectedText(next) : phaseText(board);
  // Of who is still to play nothing was played.
  const last = told.unset || (next && !next.result) ? null : board.last;
  const all = needs(board);
  const outs = next || told.unset ? [] : out;
  return html`
    <a ref=${place} class=${`card rank-${board.urgency.rank}`} href=${toBoard(id)} data-board=${id} aria-label=${spokenCard(board, phase, all, outs)}>
      ${wasSeen.current && html`<div class="card-board">
        <${Chessboard} fen=${board.fen} lastMove=${last && shownSquares(last)} label=${say('card.position', { place: boardPlace(board) })} />
      </div>`}
      <div class="card-facts">
        <div class="card-head"><strong>${boardAndTable(id, board)}</strong><span class=${`phase${board.result?.proposed ? ' proposed' : ''}`}>${phase}</span></div>
        ${wasSeen.current && html`<${Side} board=${board} colour="black" still=${!isSeen} isNext=${Boolean(next || told.unset)} />
        <div class="last-move">${last ? html`<span class="number">${moveNumber(board, board.ply)}</span> ${localSan(last.san)}` : say(told.unset && board.fen !== NO_PIECES ? drawnFrom(told) : 'moves.none')}</div>
        <${Side} board=${board} colour="white" still=${!isSeen} isNext=${Boolean(next || told.unset)} />`}
        ${outs.map((colour) => html`<p class="no-time"><${Icon} name="hourglass" /> ${outText(colour)}</p>`)}
      </div>
      ${all.length > 0 && html`<div class="card-needs">${all.slice(0, SHOWN_NEEDS).map((need) => html`<${Need} need=${need} />`)}
        ${all.length > SHOWN_NEEDS && html`<p class="more">${say('card.more', { n: all.length - SHOWN_NEEDS })}</p>`}</div>`}
    </a>
  `;
}

/** @param {import('../state/floor.mjs').Expected} next */
const expectedText = ({ result }) => (result ? `${resultText(result)} · ${say('how.forfeit')}` : capital(say('grid.waiting')));

/** @param {{ board: Shown, colour: Colour, still: boolean, isNext: boolean }} props */
function Side({ board, colour, still, isNext }) {
  const toMove = board.turn === colour && board.state !== 'ended' && !isMated(board);
  return html`
    <div class=${`side${toMove ? ' to-move' : ''}`}>
      <i class=${`stone ${colour}`} aria-hidden="true"></i>
      <span class="name">${playerName(board, colour)}</span>
      ${!isUnbegun(board) && !isNext && html`<${Clock} board=${board} colour=${colour} coarse still=${still} />`}
    </div>
  `;
}

/** Whose clock shows no time any more, also where it was counted down here. @param {Shown | undefined} board @returns {Colour[]} */
function useOut(board) {
  const [, again] = useReducer((/** @type {number} */ n) => n + 1, 0);
  const isPlayed = Boolean(board?.fen) && board !== undefined && board.state !== 'ended' && !isMated(board) && !isUnbegun(board);
  const sides = /** @type {Colour[]} */ (isPlayed ? ['white', 'black'] : []);
  const runs = board && sides.find((colour) => isRunning(board, colour));
  useEffect(() => {
    const left = board && runs ? remaining(board, runs) : null;
    if (!left) return undefined;
    const timer = setTimeout(() => again(undefined), left + 50);
    return () => clearTimeout(timer);
  }, [board, runs]);
  return sides.filter((colour) => board && remaining(board, colour) === 0);
}

/** @param {Colour} by */
const outText = (by) => capital(say('card.no-time', { by }));

/** @param {{ need: Need }} props */
const Need = ({ need }) => html`<p class="need"><${Tag} ...${need} /> <span>${need.text}</span></p>`;

/**
 * @param {Shown} board
 * @param {string} phase
 * @param {Need[]} all
 * @param {Colour[]} outs
 */
function spokenCard(board, phase, all, outs) {
  return say('card.spoken', {
    place: boardPlace(board),
    white: playerName(board, 'white'),
    black: playerName(board, 'black'),
    phase: capital(phase),
    needs: [...outs.map(outText), ...all.map((need) => titled(need.word, need.text))].join('. '),
  });
}
