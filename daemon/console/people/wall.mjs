// @ts-check
// What the public sees: positions, players, the last move, results. The daemon sends it nothing else.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { clockText } from '../state/clock.mjs';
import { capital, say, setEventLanguage } from '../words/language.mjs';
import { localSan, shownSquares } from '../words/pieces.mjs';
import { resultText } from '../words/findings.mjs';
import { mayStay } from '../state/me.mjs';
import { show } from './door.mjs';

const AGAIN_MS = 3_000;

/**
 * @param {(board: string, state: any) => void} tell
 * @param {(ids: string[]) => void} begin which boards there are for this screen
 */
function follow(tell, begin) {
  const socket = new WebSocket(new URL('api/live?rest=card', document.baseURI).href.replace(/^http/, 'ws'));
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if ('hall' in message) {
      setEventLanguage(message.hall.language ?? null);
      begin(message.hall.boards);
    }
    if ('update' in message) tell(message.board, message);
  };
  socket.onclose = async () => {
    await mayStay();
    setTimeout(() => follow(tell, begin), AGAIN_MS);
  };
}

function Wall() {
  document.title = say('wall.title');
  const [boards, setBoards] = useState(/** @type {Map<string, any>} */ (new Map()));
  const [isBare, setBare] = useState(false);
  useEffect(() => follow(
    (id, state) => setBoards((all) => new Map(all).set(id, { ...all.get(id), ...state })),
    (ids) => setBare(ids.length === 0),
  ), []);
  if (isBare) return html`<main><p class="empty">${say('wall.none')}</p></main>`;
  return html`<main class="wall">${[...boards].map(([id, board]) => html`<${Board} key=${id} id=${id} board=${board} />`)}</main>`;
}

/** @param {{ id: string, board: any }} props */
function Board({ id, board }) {
  const { last } = board;
  const result = board.result?.result;
  return html`
    <figure>
      <${Chessboard} fen=${board.fen} lastMove=${last && shownSquares(last)} label=${say('card.position', { board: id })} />
      <figcaption>
        ${/** @type {Colour[]} */ (['white', 'black']).map((colour) => html`<span class="players"><i class=${`stone ${colour}`} aria-hidden="true"></i> <b>${board[colour] || capital(say(`player.${colour}`))}</b>
          <span class="time">${typeof board[`${colour}_ms`] === 'number' ? clockText(board[`${colour}_ms`]) : ''}</span></span>`)}
        <span class="last">${board.name} · ${result ? resultText(result) : last ? html`<i class=${`stone ${mover(board)}`} aria-hidden="true"></i> ${localSan(last.san)}` : say('moves.none')}</span>
      </figcaption>
    </figure>
  `;
}

/** Who made the last move; its number is nobody's business here (Article 12.6). @param {any} board */
const mover = ({ ply, start_fen: start }) => ((ply + (start?.split(' ')[1] === 'b' ? 1 : 0)) % 2 === 1 ? 'white' : 'black');

show(Wall);
