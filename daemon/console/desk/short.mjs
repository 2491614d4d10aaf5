// @ts-check
// Tables by the smaller clock: what is added with each move, and who may have stopped writing (Article 8.4).
import { html } from '../app/html.mjs';
import { toBoard } from '../app/route.mjs';
import { clockText } from '../state/clock.mjs';
import { periodsOf, recordingOf } from '../state/recording.mjs';
import { SHORT_MS, shownOf, smallest } from '../state/tables.mjs';
import { say } from '../words/language.mjs';
import { COLOURS } from '../words/players.mjs';
import { Icon } from '../parts/icon.mjs';
import { Halts } from './halt.mjs';

/** @typedef {import('../state/recording.mjs').Period} Period */

/** Who is short of time, and the fire alarm. @param {{ pairings: Pairing[], halts: EventDocument['halts'], control?: string }} props */
export function Short({ pairings, halts, control }) {
  const periods = periodsOf(control);
  const clocks = pairings.flatMap((pairing) => {
    const board = shownOf(pairing);
    // Of a game that has not begun nothing is told yet.
    const left = board && pairing.game && board.state !== 'ended' && !pairing.confirmed && !pairing.postponed ? smallest(board) : null;
    return left === null || !board ? [] : [{ pairing, board, left }];
  }).sort((a, b) => a.left - b.left);
  const short = clocks.filter(({ left }) => left < SHORT_MS);
  const [next] = clocks.filter(({ left }) => left >= SHORT_MS);
  return html`
    <aside class="short" aria-label=${say('short.title')}>
      <h2>${say('short.title')} <span class="count">${short.length}</span></h2>
      <p class="hint">${ruleText(periods)}</p>
      <ul>${short.map(({ pairing, board, left }) => html`<${Table} key=${pairing.table} pairing=${pairing} board=${board} left=${left} periods=${periods} />`)}</ul>
      ${short.length === 0 && html`<p class="hint">${say('short.none')} ${next && say('short.next', { table: next.pairing.table, time: clockText(next.left) })}</p>`}
      <${Halts} halts=${halts} />
    </aside>
  `;
}

/** What the time control means for those who write. @param {Period[] | null} periods */
function ruleText(periods) {
  if (!periods) return say('short.unknown');
  const added = [...new Set(periods.map((period) => period.added))];
  const seconds = added.map((one) => `+${one}`).join(' / ');
  if (added.every((one) => one >= 30)) return say('short.all-write', { seconds });
  return say(added.some((one) => one >= 30) ? 'short.some-write' : 'short.may-stop', { seconds });
}

/** @param {{ pairing: Pairing, board: Shown, left: number, periods: Period[] | null }} props */
function Table({ pairing, board, left, periods }) {
  const seats = { white: pairing.white, black: pairing.black };
  const added = recordingOf(board, board.turn, periods).added;
  return html`
    <li data-table=${pairing.table}><a href=${toBoard(board.id)}><b>${pairing.table}</b>
      <span>${COLOURS.map((colour) => html`<span class=${board.turn === colour ? 'to-move' : ''}><i class=${`stone ${colour}`} aria-hidden="true"></i> ${seats[colour]?.name}${recordingOf(board, colour, periods).stopped && html` <${Stopped} />`}</span>`)}</span>
      <span class="time">${clockText(left)}${added !== null && html` <small>+${added}</small>`}</span></a></li>`;
}

const Stopped = () => html`<span class="may-stop" title=${say('short.stopped')}><${Icon} name="pencil" /><span class="spoken">${say('short.stopped')}</span></span>`;
