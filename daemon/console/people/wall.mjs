// @ts-check
// What the public sees: positions, players, the last move, results. The daemon sends it nothing else.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { say, setEventLanguage } from '../words/language.mjs';
import { localSan, moveNumber, shownSquares } from '../words/pieces.mjs';
import { resultText } from '../words/findings.mjs';
import { mayStay } from '../state/me.mjs';
import { show } from './door.mjs';

const AGAIN_MS = 3_000;

/** @param {(board: string, state: any) => void} tell */
function follow(tell) {
  const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/live`);
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if ('hall' in message) setEventLanguage(message.hall.language ?? null);
    if ('update' in message) tell(message.board, message);
  };
  socket.onclose = async () => {
    await mayStay();
    setTimeout(() => follow(tell), AGAIN_MS);
  };
}

function Wall() {
  document.title = say('wall.title');
  const [boards, setBoards] = useState(/** @type {Map<string, any>} */ (new Map()));
  useEffect(() => follow((id, state) => setBoards((all) => new Map(all).set(id, state))), []);
  return html`<main class="wall">${[...boards].map(([id, board]) => html`<${Board} key=${id} id=${id} board=${board} />`)}</main>`;
}

/** @param {{ id: string, board: any }} props */
function Board({ id, board }) {
  const last = board.plies?.at(-1);
  const result = board.result?.result;
  return html`
    <figure>
      <${Chessboard} fen=${board.fen} lastMove=${last && shownSquares(last)} label=${say('card.position', { board: id })} />
      <figcaption>
        <span class="players">${board.white || say('player.white')} – ${board.black || say('player.black')}</span>
        <span class="last">${board.name} · ${result ? resultText(result) : last ? `${moveNumber(board, board.plies.length)} ${localSan(last.san)}` : say('moves.none')}</span>
      </figcaption>
    </figure>
  `;
}

show(Wall);
