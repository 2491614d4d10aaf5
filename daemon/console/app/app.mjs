// @ts-check
// The frame around every page: bar, page, notices.
import { html } from './html.mjs';
import { Announcer } from './announcer.mjs';
import { Bar } from './bar.mjs';
import { useKeys } from './keys.mjs';
import { useRoute } from './route.mjs';
import { useHalls } from '../state/halls.mjs';
import { useDepth } from '../state/watch.mjs';
import { Desk } from '../desk/desk.mjs';
import { Boards } from '../desk/boards.mjs';
import { HallMap } from '../desk/map.mjs';
import { Hall } from '../hall/hall.mjs';
import { Room } from '../board/room.mjs';
import { Ways } from '../hub/ways.mjs';
import { Games } from '../games/games.mjs';
import { Inbox } from '../inbox/inbox.mjs';
import { IncidentPage } from '../inbox/incident.mjs';
import { Waiting } from '../inbox/waiting.mjs';
import { AskHost } from '../parts/ask.mjs';
import { GamePage } from '../record/page.mjs';
import { Report } from '../record/report.mjs';
import { ConfirmHost } from '../parts/confirm.mjs';
import { Help } from '../parts/help.mjs';
import { LanguageChoice } from '../parts/languagechoice.mjs';
import { ClockNotice } from '../parts/machineclock.mjs';
import { Notice } from '../parts/notice.mjs';
import { say, useLanguage } from '../words/language.mjs';

export function App() {
  const route = useRoute();
  useKeys(route);
  useDepth(route.page);
  useLanguage();
  return html`
    <a class="skip" href="#main" onClick=${skipToMain}>${say('skip')}</a>
    <${Bar} route=${route} />
    <${ClockNotice} />
    <${Waiting} />
    <main id="main" tabindex="-1" class=${`page page-${route.page}`}>
      <${Page} route=${route} />
      <div class="own-language no-print"><${LanguageChoice} /></div>
    </main>
    <${Notice} />
    <${Announcer} />
    <${ConfirmHost} />
    <${AskHost} />
    <${Help} />
  `;
}

/** What a hub has of its own: the event of all halls. */
const OF_HUB = new Set(['round', 'report']);

/** @param {{ route: Route }} props */
function Page({ route }) {
  const halls = useHalls();
  // Until it is known whose page it is, none is shown that may be the wrong one.
  if (halls === undefined) return null;
  if (halls && !OF_HUB.has(route.page)) return html`<${Ways} />`;
  return html`
    ${route.unknown && html`<p class="hint" role="status">${say('route.unknown', { address: route.unknown })}</p>`}
    ${route.page === 'hall' && html`<${Hall} />`}
    ${route.page === 'board' && html`<${Room} key=${route.board} id=${route.board} />`}
    ${route.page === 'map' && html`<${HallMap} />`}
    ${route.page === 'devices' && html`<${Boards} />`}
    ${route.page === 'round' && html`<${Desk} number=${route.round} />`}
    ${route.page === 'games' && html`<${Games} />`}
    ${route.page === 'game' && html`<${GamePage} key=${route.game} id=${route.game} />`}
    ${route.page === 'report' && html`<${Report} key=${route.round} number=${route.round} />`}
    ${route.page === 'inbox' && html`<${Inbox} />`}
    ${route.page === 'incident' && html`<${IncidentPage} key=${route.incident} id=${route.incident} />`}
  `;
}

// The address after # is the page shown, so this link moves the focus itself.
/** @param {Event} event */
function skipToMain(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
