// @ts-check
// The bar at the top: where we are, how many boards need the arbiter, and whether what is shown is live.
import { useEffect, useState } from 'preact/hooks';
import { html } from './html.mjs';
import { toGames, toHall, toInbox, toMap, toRound } from './route.mjs';
import { useIsHub } from '../state/halls.mjs';
import { useHub } from '../state/hub.mjs';
import { silence, useLink } from '../state/link.mjs';
import { needsSomebody, useIncidents } from '../state/incidents.mjs';
import { TO_HUB, hallHere, titleHere } from '../state/room.mjs';
import { isWaiting, useBoard, useOrder } from '../state/store.mjs';
import { showHelp } from '../parts/help.mjs';
import { LanguageChoice } from '../parts/languagechoice.mjs';
import { PeopleLink } from '../parts/people.mjs';
import { Icon } from '../parts/icon.mjs';
import { say, useLanguage } from '../words/language.mjs';
import { boardPlace } from '../words/place.mjs';

/** @param {{ route: Route }} props */
export function Bar({ route }) {
  const language = useLanguage();
  const waiting = useOrder().filter(isWaiting).length;
  const incidents = useIncidents().filter(needsSomebody).length;
  const needs = say('bar.needs', { n: waiting });
  const isHub = useIsHub();
  const name = say(isHub ? 'halls.event' : 'title');
  const board = useBoard(route.board ?? '');
  const shown = board && boardPlace(board);
  useEffect(() => {
    const page = titleHere(shown ?? name);
    document.title = waiting > 0 ? `(${waiting}) ${page}` : page;
  }, [waiting, shown, name, language]);
  useEffect(() => document.querySelector('.bar nav [aria-current]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' }), [route.page, language]);
  return html`
    <header class=${`bar${hallHere() === null ? '' : ' at-hub'}`}>
      <a class="brand" href=${isHub ? 'halls.html' : toHall()} aria-label=${say(isHub ? 'hub.halls' : 'bar.all')}>
        <img src="icon.svg" alt="" width="26" height="26" />
        ${hallHere() === null && html`<span>${name}</span>`}
      </a>
      <${WhichHall} />
      ${isHub ? html`<${HubPages} route=${route} />` : html`<${Pages} route=${route} incidents=${incidents} />`}
      <span class="spacer"></span>
      ${waiting > 0 && html`<a class="needs" href=${toHall()} aria-label=${needs} title=${needs}><span class="long">${needs}</span><span class="short">${waiting}</span></a>`}
      <${Line} />
      <${Hub} />
      <${PeopleLink} />
      <${LanguageChoice} />
      <button class="quiet round" aria-label=${say('bar.keys')} title=${`${say('bar.keys')} (?)`} onClick=${showHelp}>?</button>
    </header>
    <${LostBanner} />
  `;
}

/** @param {{ route: Route, incidents: number }} props */
function Pages({ route, incidents }) {
  return html`
    <nav aria-label=${say('bar.pages')}>
      <a href=${toHall()} aria-current=${route.page === 'hall' || route.page === 'board' ? 'page' : null}>${say('bar.boards')}</a>
      <a href=${toInbox()} aria-current=${route.page === 'inbox' || route.page === 'incident' ? 'page' : null}>${say('bar.inbox')}${incidents > 0 && html` <span class="inbox-count">${incidents}</span>`}</a>
      <a href=${toMap()} aria-current=${route.page === 'map' || route.page === 'devices' ? 'page' : null}>${say('bar.map')}</a>
      <a href=${toRound()} aria-current=${route.page === 'round' || route.page === 'report' ? 'page' : null}>${say('bar.round')}</a>
      <a href=${toGames()} aria-current=${route.page === 'games' || route.page === 'game' ? 'page' : null}>${say('bar.games')}</a>
    </nav>
  `;
}

/** What a hub has of its own. @param {{ route: Route }} props */
function HubPages({ route }) {
  return html`
    <nav aria-label=${say('bar.pages')}>
      <a href="halls.html">${say('halls.title')}</a>
      <a href=${toRound()} aria-current=${route.page === 'round' || route.page === 'report' ? 'page' : null}>${say('bar.round')}</a>
      <a href="public.html">${say('hub.public')}</a>
    </nav>
  `;
}

/** At a hub, whose boards these are, with the way to the other halls. */
function WhichHall() {
  const hall = hallHere();
  if (hall === null) return null;
  return html`<span class="which-hall"><a href=${`${TO_HUB}halls.html`}>${say('halls.title')}</a> <span aria-hidden="true">›</span> <b>${hall}</b></span>`;
}

function Line() {
  const { status } = useLink();
  return html`<span class=${`line line-${status}`}><i aria-hidden="true"></i><span>${say(`line.${status}`)}</span></span>`;
}

/** How much of the hall's journal is at its hub, where it has one. */
function Hub() {
  const hub = useHub();
  if (!hub) return null;
  const time = hub.complete_to && new Date(hub.complete_to).toLocaleTimeString(document.documentElement.lang, { hourCycle: 'h23' });
  const told = time ? say(hub.connected ? 'hub.to' : 'hub.cut', { time }) : say('hub.nothing');
  return html`<span class=${`line ${hub.connected ? '' : 'line-cut'}`} title=${hub.fault ?? hub.address}><span>${told}</span></span>`;
}

/** Says that what is shown is old, and how old. */
function LostBanner() {
  const link = useLink();
  const [, again] = useState(0);
  useEffect(() => {
    if (link.status !== 'lost') return undefined;
    const timer = setInterval(() => again(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [link.status]);
  if (link.status !== 'lost') return null;
  const age = link.heardAt ? ageText(silence()) : null;
  return html`
    <div class="lost" role="alert">
      <${Icon} name="unplugged" />
      <span><strong>${say('lost.title')}</strong> <span class="age">${age ? say('lost.age', { age }) : say('lost.nothing')}</span> ${say('lost.again')}</span>
    </div>
  `;
}

/** @param {number} ms */
function ageText(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return say('age.seconds', { s: seconds });
  return say('age.minutes', { m: Math.floor(seconds / 60), s: seconds % 60 });
}
