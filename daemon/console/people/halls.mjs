// @ts-check
// The halls of a hub: what waits in them, how far each is, and the way to its boards.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { Row as Waiting } from '../inbox/row.mjs';
import { LanguageChoice } from '../parts/languagechoice.mjs';
import { needsSomebody } from '../state/incidents.mjs';
import { hasCalled } from '../state/halls.mjs';
import { useMe } from '../state/me.mjs';
import { roomOf, wallOf } from '../state/room.mjs';
import { say } from '../words/language.mjs';
import { refusalText } from '../words/refusals.mjs';
import { Problem, show } from './door.mjs';

const AGAIN_MS = 1_000;
const HALLS = 'api/halls';

/** @type {Word[]} */
const COLUMNS = ['halls.hall', 'halls.line', 'halls.behind', 'halls.last', 'halls.boards', 'halls.playing', 'halls.open', 'halls.show'];

/** @param {string} path */
async function load(path) {
  const answer = await fetch(path);
  if (answer.status === 401) location.assign('login.html');
  const body = await answer.json();
  // Viewers and screens are shown boards, and not how far each hall is.
  if (path === HALLS && answer.ok && body.some((/** @type {Partial<HallOfHub>} */ hall) => hall.rows === undefined)) {
    location.replace('wall.html');
    return new Promise(() => {});
  }
  if (!answer.ok) throw Object.assign(new Error(refusalText(body, answer.status)), { status: answer.status });
  return body;
}

/**
 * Whoever is not shown what was found is shown nothing of it.
 * @returns {Promise<IncidentOfHall[] | null>}
 */
const loadIncidents = () => load('api/halls/incidents').catch((error) => {
  if (error.status !== 403) throw error;
  return null;
});

function Halls() {
  document.title = say('halls.title');
  const [halls, setHalls] = useState(/** @type {HallOfHub[]} */ ([]));
  const [waiting, setWaiting] = useState(/** @type {IncidentOfHall[] | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    const look = () => Promise.all([load(HALLS), loadIncidents()])
      .then(([now, waits]) => (setHalls(now), setWaiting(waits), setProblem(null)), () => setProblem(say('halls.silent')));
    look();
    const timer = setInterval(look, AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return html`
    <main class="desk">
      <section>
        <${Head} halls=${halls} />
        <${Problem} text=${problem} />
        ${waiting && html`<${Inbox} all=${waiting.filter(({ incident }) => needsSomebody(incident))} />`}
        <div class="table-frame" tabindex="0" role="group" aria-label=${say('halls.title')}>
          <table>
            <thead><tr>${COLUMNS.map((key) => html`<th scope="col">${say(key)}</th>`)}</tr></thead>
            <tbody>${halls.map((hall) => html`<${Row} key=${hall.name} hall=${hall} />`)}</tbody>
          </table>
        </div>
      </section>
    </main>
  `;
}

/** What the hub has of its own, whoever is here, and the language. @param {{ halls: HallOfHub[] }} props */
function Head({ halls }) {
  const me = useMe();
  return html`
    <header class="row">
      <h1>${say('halls.title')}</h1><span class="spacer"></span>
      ${me?.required && me.name && html`<a href="/people.html" title=${say('bar.people')}>${me.name}</a>`}
      <${LanguageChoice} />
    </header>
    <nav class="of-event" aria-label=${say('halls.event')}>
      <b>${say('halls.event')}</b>
      <a href="index.html#/round">${say('hub.rounds')}</a>
      <a href="public.html">${say('public.title')}</a>
      <a href=${wallOf(halls)}>${say('hub.wall')}</a>
    </nav>
  `;
}

/** What nobody sees to yet, in all halls. @param {{ all: IncidentOfHall[] }} props */
function Inbox({ all }) {
  return html`
    <h2>${all.length > 0 ? say('inbox.needs', { n: all.length }) : say('inbox.none')}</h2>
    <ul class="incidents of-halls">${all.map(({ hall, incident }) => html`<${Waiting} key=${`${hall} ${incident.id}`} incident=${incident} hall=${hall} />`)}</ul>
  `;
}

/** @param {{ hall: HallOfHub }} props */
function Row({ hall }) {
  const room = roomOf(hall.name);
  const stands = hall.connected ? 'halls.there' : hasCalled(hall) ? 'halls.away' : 'halls.never';
  return html`
    <tr>
      <td>${hall.name}</td>
      <td>${say(stands)}${[hall.fault, hall.event].filter(Boolean).map((told) => html`<div class="problem">${told}</div>`)}</td>
      <td>${hall.connected ? say('halls.rows', { n: hall.behind }) : say('halls.behind-unknown')}</td>
      <td>${hall.written === null ? '–' : new Date(hall.written).toLocaleTimeString(document.documentElement.lang, { hourCycle: 'h23' })}</td>
      <td>${hall.boards}</td>
      <td>${hall.playing}</td>
      <td>${hall.open}</td>
      <td>${hasCalled(hall) && html`<a href=${room}>${say('halls.console')}</a> <a href=${`${room}wall.html`}>${say('halls.wall')}</a>`}</td>
    </tr>
  `;
}

show(Halls);
