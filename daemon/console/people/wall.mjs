// @ts-check
// What the public sees: positions, players, the last move, results; at a hub of all its halls. The daemon sends it nothing else.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { hallHere, titleHere } from '../state/room.mjs';
import { useSeconds } from '../parts/seconds.mjs';
import { ageText } from '../words/incidents.mjs';
import { say } from '../words/language.mjs';
import { show } from './door.mjs';
import { followAll } from './wallfeed.mjs';
import { useSizes } from './wallsize.mjs';
import { WallBoard } from './wallboard.mjs';

/** @typedef {import('./wallfeed.mjs').WallRoom} WallRoom */

function Wall() {
  document.title = titleHere(say('wall.title'));
  const [rooms, setRooms] = useState(/** @type {WallRoom[]} */ ([]));
  useEffect(() => followAll(setRooms), []);
  const { width, isAcross } = useSizes(rooms.map(({ boards }) => boards.size), rooms.some(({ hall }) => hall !== null));
  return html`
    <main class=${`walls${isAcross ? ' across' : ''}`}>
      ${rooms.some(({ hall }) => hall === null || hall !== hallHere()) && html`<h1 class="spoken">${say('bar.boards')}</h1>`}
      ${rooms.map((room) => html`<${WallOf} key=${room.hall} room=${room} width=${width} />`)}
      ${rooms.some(isOld) && html`<${Old} rooms=${rooms.filter(isOld)} />`}
    </main>
  `;
}

/** Whether boards are shown as they were before the line was lost. @param {WallRoom} room */
const isOld = ({ old, boards }) => old !== null && boards.size > 0;

/** Whoever looks at a wall takes it for what is: that it was is said, over the boards, whose room it must not take. @param {{ rooms: WallRoom[] }} props */
function Old({ rooms }) {
  useSeconds();
  return html`<div class="wall-old">${rooms.map(({ hall, old }) => html`
    <p key=${hall}>${hall !== null && html`<b>${hall}</b>: `}<span role="status">${say('line.lost')}.</span> ${say('lost.age', { age: ageText(Date.now() - Number(old)) })}</p>`)}</div>`;
}

/** @param {{ room: WallRoom, width: number | null }} props `width`: of a board, where all are in sight */
function WallOf({ room: { hall, boards, stand }, width }) {
  const head = hall !== null && (hall === hallHere() ? html`<h1 class="wall-hall">${hall}</h1>` : html`<h2 class="wall-hall">${hall}</h2>`);
  const style = width ? { '--board': `${width}px` } : {};
  return html`
    <section>
      ${head}
      ${stand === 'silent' && html`<p class="empty">${say('wall.silent')}</p>`}
      ${stand === 'bare' && html`<p class="empty">${say(hall === null ? 'wall.none' : 'wall.bare')}</p>`}
      <div class=${width ? 'wall few' : 'wall'} style=${style}>
        ${[...boards].map(([id, board]) => html`<${WallBoard} key=${id} id=${id} board=${board} />`)}
      </div>
    </section>
  `;
}

show(Wall);
