// @ts-check
// The halls of a hub: what waits in them, how far each is, and the way to its boards.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { Row as Waiting, roomOf } from '../inbox/row.mjs';
import { needsSomebody } from '../state/incidents.mjs';
import { say } from '../words/language.mjs';
import { refusalText } from '../words/refusals.mjs';
import { Problem, show } from './door.mjs';

const AGAIN_MS = 1_000;

/** @type {Word[]} */
const COLUMNS = ['halls.hall', 'halls.line', 'halls.behind', 'halls.last', 'halls.boards', 'halls.playing', 'halls.open', 'halls.show'];

/** @param {string} path */
async function load(path) {
  const answer = await fetch(path);
  if (answer.status === 401) location.assign('login.html');
  const body = await answer.json();
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
    const look = () => Promise.all([load('api/halls'), loadIncidents()])
      .then(([now, waits]) => (setHalls(now), setWaiting(waits), setProblem(null)), () => setProblem(say('halls.silent')));
    look();
    const timer = setInterval(look, AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return html`
    <main class="desk">
      <section>
        <h1>${say('halls.title')}</h1>
        <${Problem} text=${problem} />
        ${waiting && html`<${Inbox} all=${waiting.filter(({ incident }) => needsSomebody(incident))} />`}
        <div class="table-frame">
          <table>
            <thead><tr>${COLUMNS.map((key) => html`<th>${say(key)}</th>`)}</tr></thead>
            <tbody>${halls.map((hall) => html`<${Row} key=${hall.name} hall=${hall} />`)}</tbody>
          </table>
        </div>
        <p><a href="index.html#/round">${say('halls.event')}</a></p>
      </section>
    </main>
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
  return html`
    <tr>
      <td>${hall.name}</td>
      <td>${say(hall.connected ? 'halls.there' : 'halls.away')}${[hall.fault, hall.event].filter(Boolean).map((told) => html`<div class="problem">${told}</div>`)}</td>
      <td>${say('halls.rows', { n: hall.behind })}</td>
      <td>${hall.written === null ? '–' : new Date(hall.written).toLocaleTimeString()}</td>
      <td>${hall.boards}</td>
      <td>${hall.playing}</td>
      <td>${hall.open}</td>
      <td><a href=${room}>${say('halls.console')}</a> <a href=${`${room}wall.html`}>${say('halls.wall')}</a></td>
    </tr>
  `;
}

show(Halls);
