// @ts-check
// What waits for somebody, at all tables: the most urgent first, and the same on the button under the thumb.
import { html } from '../app/html.mjs';
import { go, toIncident } from '../app/route.mjs';
import { lookAtAllGiven } from '../state/game.mjs';
import { isWaiting, needsSomebody, placeOf, urge, useIncidents } from '../state/incidents.mjs';
import { link, useLink } from '../state/link.mjs';
import { useMe } from '../state/me.mjs';
import { setOwnName, useOwnName } from '../state/name.mjs';
import { useAllGiven } from '../state/outbox.mjs';
import { timeText, titleOf } from '../words/incidents.mjs';
import { keptText } from '../words/kept.mjs';
import { capital, say, titled } from '../words/language.mjs';
import { placeName } from '../words/place.mjs';
import { Icon } from '../parts/icon.mjs';
import { useSeconds } from '../parts/seconds.mjs';
import { Dock } from './dock.mjs';
import { chooseFilter, useFilters } from './filters.mjs';
import { useWakeLock } from './wakelock.mjs';
import { HandOver } from './handover.mjs';
import { Row } from './row.mjs';
import { ChooseTables } from './sector.mjs';

/** @type {Word[]} */
const PLACES = ['inbox.waiting', 'inbox.going', 'inbox.ruled', 'inbox.over', 'inbox.past', 'inbox.later', 'inbox.superseded'];

export function Inbox() {
  const all = useIncidents();
  const me = useMe();
  const { isTold } = useLink();
  const { filters, chosen, is, tables } = useFilters();
  useSeconds();
  useWakeLock();
  // The chief arbiter, or whoever is asked for no name.
  if (me && (!me.required || me.role === 'chief')) urge();
  const shown = all.filter(is);
  const waiting = all.filter(isWaiting);
  const [first] = waiting.filter(is);
  const n = all.filter(needsSomebody).length;
  return html`
    <h1 class="inbox-title">${n > 0 ? say('inbox.needs', { n }) : say(isTold ? 'inbox.none' : 'hall.connecting')}</h1>
    <div class="filters" role="group" aria-label=${say('inbox.filters')}>
      ${Object.entries(filters).map(([name, isOf]) => html`<button aria-pressed=${chosen === name} onClick=${() => chooseFilter(name)}>
        ${say(/** @type {Word} */ (`inbox.filter-${name}`), { tables: tables?.replace('-', '–') })} ${waiting.filter(isOf).length || ''}</button>`)}
    </div>
    <${ChooseTables} />
    ${PLACES.map((title, place) => html`<${Part} title=${title} incidents=${shown.filter((incident) => placeOf(incident) === place)} />`)}
    <${RuledHere} />
    ${me && !me.required && html`<${OwnName} />`}
    <${HandOver} />
    ${me && (!me.required || me.role === 'chief') && html`<p class="hint">${say('inbox.unseen', { ...link.unseen })}</p>`}
    ${first && html`
      <${Dock} shape=${first.id}><button class="strong next" onClick=${() => go(toIncident(first.id))}>
        <span><b>${placeName(first)}</b> ${titleOf(first)}</span><${Icon} name="forward" /></button><//>`}
  `;
}

/** @param {{ title: Word, incidents: Incident[] }} props */
function Part({ title, incidents }) {
  if (incidents.length === 0) return null;
  return html`
    <section aria-label=${say(title)}>
      ${title !== 'inbox.waiting' && html`<h2 class="part">${say(title)} <span class="count">${incidents.length}</span></h2>`}
      <ul class="incidents">${incidents.map((incident) => html`<${Row} key=${incident.id} incident=${incident} />`)}</ul>
    </section>
  `;
}

/** What was ruled and answered on this device: each leads to the page that takes it back. */
function RuledHere() {
  const given = useAllGiven();
  if (given.length === 0) return null;
  return html`
    <details class="more ruled-here" onToggle=${lookAtAllGiven}><summary>${say('inbox.ruled-here', { n: given.length })}</summary>
      <ul class="plain-list">${given.map(({ incident, order, table, board, title, done, at }) => html`
        <li key=${order}><a href=${toIncident(incident)}>${titled(placeName({ table, board }), keptText(title))}</a> ${capital(keptText(done))} <span class="hint">${timeText(at)}</span></li>`)}</ul>
    </details>`;
}

/** Where nobody is asked who he is, he may say so: others see it beside what he does. */
function OwnName() {
  return html`<label class="own-name">${say('inbox.name')}
    <input value=${useOwnName()} autocomplete="name" maxlength="40" onInput=${(/** @type {InputEvent & { currentTarget: HTMLInputElement }} */ event) => setOwnName(event.currentTarget.value)} /></label>`;
}
