// @ts-check
// What was corrected after it had been public, the newest first.
import { html } from '../app/html.mjs';
import { Scrolls } from '../parts/scrolls.mjs';
import { say } from '../words/language.mjs';
import { name, time } from './outlets.mjs';

/** @type {Word[]} */
const COLUMNS = ['public.when', 'public.event', 'public.round', 'public.table', 'public.ply', 'public.was', 'public.is', 'public.arrived'];

/** @param {{ list: Correction[] }} props */
export function Corrections({ list }) {
  /** @param {Correction} found */
  const row = (found) => html`
    <tr>
      <td>${time(found.utc)}</td>
      <td>${found.event}</td><td>${found.round}</td><td>${found.table}</td><td>${found.ply || '–'}</td><td>${found.was || '–'}</td><td>${found.annulled ? say('public.annulled') : found.is || '–'}</td>
      <td>${found.arrived.map(({ outlet, utc }) => html`<div>${name(outlet)} ${time(utc)}</div>`)}</td>
    </tr>
  `;
  return html`
    <section>
      <h2>${say('public.corrections')}</h2>
      ${list.length === 0 ? html`<p class="empty">${say('public.corrections.none')}</p>` : html`
        <${Scrolls} label=${say('public.corrections')}>
          <table>
            <thead><tr>${COLUMNS.map((key) => html`<th>${say(key)}</th>`)}</tr></thead>
            <tbody>${[...list].reverse().map(row)}</tbody>
          </table>
        <//>`}
    </section>
  `;
}
