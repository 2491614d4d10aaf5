// @ts-check
// The orders that were given, each with a way back: the game is then as if it had not been given.
import { useReducer, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toGame } from '../app/route.mjs';
import { useGame, useGameBefore } from '../state/game.mjs';
import { authorOf, isOfProgram, orderName } from '../record/given.mjs';
import { GivenLine, WaysBackList } from '../record/ways.mjs';
import { timeOfDay } from '../record/times.mjs';
import { orderedText } from '../words/evidence.mjs';
import { capital, say } from '../words/language.mjs';
import { orderTakeBack } from './takeback.mjs';
import { ToRecord } from '../parts/torecord.mjs';

/** @param {{ board: Shown }} props */
export function Given({ board }) {
  const orders = board.orders.filter((line) => !isOfProgram(line));
  // The board's own state tells the time of its own clock alone.
  const game = useGame(orders.length > 0 ? board.game : '', orders.length);
  /** @param {InputLine} line */
  const timeOf = (line) => {
    const given = game?.given.find((one) => orderName(/** @type {InputLine} */ (/** @type {unknown} */ (one))) === orderName(line));
    return given ? timeOfDay(given.wall) : '';
  };
  return html`
    ${orders.length > 0 && html`<details class="more given">
      <summary>${say('given', { n: orders.length })}</summary>
      <p class="hint">${say('given.hint')}</p>
      <ul>${[...orders].reverse().map((line) => html`<${GivenLine} key=${orderName(line)} time=${timeOf(line)} text=${capital(orderedText(line, board))} author=${authorOf(line)}
        onBack=${() => orderTakeBack(board, line)} />`)}</ul>
    </details>`}
    <${GivenBefore} key=${board.game} board=${board} />
  `;
}

/** What was ordered of the game before stands with that: how it ended is often said while the next one is played. @param {{ board: Shown }} props */
function GivenBefore({ board }) {
  const [open, setOpen] = useState(false);
  // The first of a day has none before it.
  if (board.game.endsWith('-1')) return null;
  return html`
    <details class="more given-before" onToggle=${(/** @type {Event & { currentTarget: HTMLDetailsElement }} */ event) => setOpen(event.currentTarget.open)}>
      <summary>${say('given.before')}</summary>
      ${open && html`<${Before} board=${board} />`}
    </details>
  `;
}

/** @param {{ board: Shown }} props */
function Before({ board }) {
  const [again, readAgain] = useReducer((/** @type {number} */ n) => n + 1, 0);
  // It is asked no more once it is answered, and asked again when that is taken back.
  const game = useGame(useGameBefore(board), `${again} ${board.asked?.game}`);
  if (!game) return null;
  return html`
    <p class="hint"><${ToRecord} to=${toGame(game.id)}>${game.id}<//> ${[game.white, game.black].filter(Boolean).join(' – ')}</p>
    <${WaysBackList} game=${game} onBack=${() => readAgain(undefined)} />
  `;
}
