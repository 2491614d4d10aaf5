// @ts-check
// The frame around every page: bar, page, notices.
import { html } from './html.mjs';
import { Announcer } from './announcer.mjs';
import { Bar } from './bar.mjs';
import { useKeys } from './keys.mjs';
import { useRoute } from './route.mjs';
import { Hall } from '../hall/hall.mjs';
import { Room } from '../board/room.mjs';
import { Games } from '../games/games.mjs';
import { ConfirmHost } from '../parts/confirm.mjs';
import { Help } from '../parts/help.mjs';
import { Notice } from '../parts/notice.mjs';
import { say, useLanguage } from '../words/language.mjs';

export function App() {
  const route = useRoute();
  useKeys(route);
  useLanguage();
  return html`
    <a class="skip" href="#main" onClick=${skipToMain}>${say('skip')}</a>
    <${Bar} route=${route} />
    <main id="main" tabindex="-1" class=${`page page-${route.page}`}>
      ${route.page === 'hall' && html`<${Hall} />`}
      ${route.page === 'board' && html`<${Room} key=${route.board} id=${route.board} />`}
      ${route.page === 'games' && html`<${Games} />`}
    </main>
    <${Notice} />
    <${Announcer} />
    <${ConfirmHost} />
    <${Help} />
  `;
}

// The address after # is the page shown, so this link moves the focus itself.
/** @param {Event} event */
function skipToMain(event) {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
