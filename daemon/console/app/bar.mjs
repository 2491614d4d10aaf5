// The bar at the top: where we are, how many boards need the arbiter, and whether what is shown is live.
import { useEffect, useState } from 'preact/hooks';
import { html } from './html.mjs';
import { toGames, toHall } from './route.mjs';
import { useLink } from '../state/link.mjs';
import { boardById, useOrder } from '../state/store.mjs';
import { needsArbiter } from '../state/urgency.mjs';
import { showHelp } from '../parts/help.mjs';
import { Icon } from '../parts/icon.mjs';

export function Bar({ route }) {
  const waiting = useOrder().filter((id) => needsArbiter(boardById(id))).length;
  useEffect(() => {
    const page = route.page === 'board' ? `Board ${route.board}` : 'Arbiter’s console';
    document.title = waiting > 0 ? `(${waiting}) ${page}` : page;
  }, [waiting, route.page, route.board]);
  return html`
    <header class="bar">
      <a class="brand" href=${toHall()} aria-label="All boards">
        <img src="icon.svg" alt="" width="26" height="26" />
        <span>Arbiter’s console</span>
      </a>
      <nav aria-label="Pages">
        <a href=${toHall()} aria-current=${route.page === 'games' ? null : 'page'}>Boards</a>
        <a href=${toGames()} aria-current=${route.page === 'games' ? 'page' : null}>Games</a>
      </nav>
      <span class="spacer"></span>
      ${waiting > 0 && html`<a class="needs" href=${toHall()}>${waiting} <span class="long">${waiting === 1 ? 'board ' : 'boards '}</span>${waiting === 1 ? 'needs' : 'need'} you</a>`}
      <${Line} />
      <button class="quiet round" aria-label="Keys and signs" title="Keys and signs (?)" onClick=${showHelp}>?</button>
    </header>
    <${LostBanner} />
  `;
}

function Line() {
  const { status } = useLink();
  const words = { live: 'Live', lost: 'Connection lost', connecting: 'Connecting' };
  return html`<span class=${`line line-${status}`}><i aria-hidden="true"></i><span>${words[status]}</span></span>`;
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
      <span><strong>Connection lost.</strong> ${age ? html`What you see is <span class="age">${age}</span> old.` : 'Nothing has been received yet.'} Trying again.</span>
    </div>
  `;
}

function ageText(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
