// @ts-check
// How it stands with the ways out: the addresses, the folder, programs that know LiveChess.
import { html } from '../app/html.mjs';
import { Scrolls } from '../parts/scrolls.mjs';
import { say } from '../words/language.mjs';

/** @type {Word[]} */
const COLUMNS = ['public.outlet', 'public.state', 'public.last', 'public.clients'];

/** @param {PublicOutlet} outlet */
export const name = (outlet) => say(`public.outlet.${outlet}`);

/** @param {string} moment */
export const time = (moment) => new Date(moment).toLocaleTimeString(document.documentElement.lang, { hourCycle: 'h23' });

/** @param {{ outlets: PublicOutletState[] }} props */
export function Outlets({ outlets }) {
  /** @param {PublicOutletState} one */
  const row = ({ outlet, place, done, problem, clients }) => html`
    <tr key=${outlet}>
      <td>${name(outlet)} <code>${place}</code></td>
      <td>${problem === null ? say('public.current') : html`<div class="problem">${problem}</div>`}</td>
      <td>${done === null ? '–' : time(done)}</td>
      <td>${clients ?? '–'}</td>
    </tr>
  `;
  return html`
    <section aria-label=${say('public.outlets')}>
      <h2>${say('public.outlets')}</h2>
      <${Scrolls} label=${say('public.outlets')}>
        <table>
          <thead><tr>${COLUMNS.map((key) => html`<th>${say(key)}</th>`)}</tr></thead>
          <tbody>${outlets.map(row)}</tbody>
        </table>
      <//>
    </section>
  `;
}
