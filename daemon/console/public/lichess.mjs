// @ts-check
// How the rounds go that are pushed to Lichess.
import { html } from '../app/html.mjs';
import { Scrolls } from '../parts/scrolls.mjs';
import { say } from '../words/language.mjs';
import { time } from './outlets.mjs';

/** @type {Word[]} */
const COLUMNS = ['public.round', 'public.state', 'public.taken', 'public.last'];

/** @param {{ rounds: LichessRound[] }} props */
export function Lichess({ rounds }) {
  return html`
    <section aria-label=${say('public.lichess')}>
      <h2>${say('public.lichess')}</h2>
      <${Scrolls} label=${say('public.lichess')}>
        <table>
          <thead><tr>${COLUMNS.map((key) => html`<th>${say(key)}</th>`)}</tr></thead>
          <tbody>${rounds.map((round) => html`<${Row} key=${round.id} round=${round} />`)}</tbody>
        </table>
      <//>
    </section>
  `;
}

/** @param {{ round: LichessRound }} props */
function Row({ round }) {
  const { problem, again, refused } = round;
  return html`
    <tr>
      <td>${round.round} <code>${round.id}</code></td>
      <td>
        ${say(`public.${round.status}`)}
        ${problem && html`<div class="problem">${problem} ${again && say('public.again', { time: time(again) })}</div>`}
        ${refused.map(({ table, error }) => html`<div class="problem">
          ${table === null ? say('public.refused.some', { error }) : say('public.refused', { table, error })}</div>`)}
      </td>
      <td>${round.games}</td>
      <td>${round.taken === null ? '–' : time(round.taken)}</td>
    </tr>
  `;
}
