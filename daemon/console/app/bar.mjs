// @ts-check
// The bar at the top: where we are, how many boards need the arbiter, and whether what is shown is live.
import { useEffect, useState } from 'preact/hooks';
import { html } from './html.mjs';
import { toGames, toHall } from './route.mjs';
import { useLink } from '../state/link.mjs';
import { isWaiting, useOrder } from '../state/store.mjs';
import { showHelp } from '../parts/help.mjs';
import { LanguageChoice } from '../parts/languagechoice.mjs';
import { PeopleLink } from '../parts/people.mjs';
import { Icon } from '../parts/icon.mjs';
import { say, useLanguage } from '../words/language.mjs';

/** @param {{ route: Route }} props */
export function Bar({ route }) {
  const language = useLanguage();
  const waiting = useOrder().filter(isWaiting).length;
  const needs = say('bar.needs', { n: waiting });
  useEffect(() => {
    const page = route.page === 'board' ? say('title.board', { board: route.board }) : say('title');
    document.title = waiting > 0 ? `(${waiting}) ${page}` : page;
  }, [waiting, route.page, route.board, language]);
  return html`
    <header class="bar">
      <a class="brand" href=${toHall()} aria-label=${say('bar.all')}>
        <img src="icon.svg" alt="" width="26" height="26" />
        <span>${say('title')}</span>
      </a>
      <nav aria-label=${say('bar.pages')}>
        <a href=${toHall()} aria-current=${route.page === 'games' ? null : 'page'}>${say('bar.boards')}</a>
        <a href=${toGames()} aria-current=${route.page === 'games' ? 'page' : null}>${say('bar.games')}</a>
      </nav>
      <span class="spacer"></span>
      ${waiting > 0 && html`<a class="needs" href=${toHall()} aria-label=${needs} title=${needs}><span class="long">${needs}</span><span class="short">${waiting}</span></a>`}
      <${Line} />
      <${PeopleLink} />
      <${LanguageChoice} />
      <button class="quiet round" aria-label=${say('bar.keys')} title=${`${say('bar.keys')} (?)`} onClick=${showHelp}>?</button>
    </header>
    <${LostBanner} />
  `;
}

function Line() {
  const { status } = useLink();
  return html`<span class=${`line line-${status}`}><i aria-hidden="true"></i><span>${say(`line.${status}`)}</span></span>`;
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
  const age = link.heardAt ? ageText(performance.now() - link.heardAt) : null;
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
