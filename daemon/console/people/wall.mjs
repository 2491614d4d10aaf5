// @ts-check
// What the public sees: positions, players, the last move, results; at a hub of all its halls. The daemon sends it nothing else.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { hallHere, titleHere } from '../state/room.mjs';
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
    </main>
  `;
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
