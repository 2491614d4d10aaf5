// @ts-check
// Every game of the journal, with its PGN and its event script.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard, toGame } from '../app/route.mjs';
import { useLink } from '../state/link.mjs';
import { boardById, boardIds, useOrder } from '../state/store.mjs';
import { isOver } from '../state/urgency.mjs';
import { resultReason, resultText } from '../words/findings.mjs';
import { boardAndTable } from '../words/place.mjs';
import { Download } from '../parts/download.mjs';
import { say } from '../words/language.mjs';
import { refusalText } from '../words/refusals.mjs';

/** @type {Word[]} */
const COLUMNS = ['games.game', 'games.board', 'new.white', 'new.black', 'games.result', 'moves', 'games.files'];

export function Games() {
  const { status } = useLink();
  useOrder();
  const [games, setGames] = useState(/** @type {Game[] | null} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    load().then(setGames, (error) => setProblem(error.message));
  }, [status]);
  if (problem && !games) return html`<p class="empty">${say('games.failed', { problem })}</p>`;
  if (!games) return html`<p class="empty">${say('games.reading')}</p>`;
  if (games.length === 0) return html`<p class="empty">${say('games.none')}</p>`;
  return html`
    <h1>${say('bar.games')}</h1>
    <p><a href="public.html">${say('public.title')}</a></p>
    <div class="table-frame">
      <table class="games">
        <thead><tr>${COLUMNS.map((key) => html`<th>${say(key)}</th>`)}</tr></thead>
        <tbody>${games.map((game) => html`<${Row} key=${game.id} game=${game} />`)}</tbody>
      </table>
    </div>
  `;
}

async function load() {
  const answer = await fetch('api/games');
  const body = await answer.json();
  if (!answer.ok) throw new Error(refusalText(body, answer.status));
  return body;
}

/** @param {Game} game */
function outcome(game) {
  if (game.damage) return say('games.damaged');
  if (game.result !== '*') return resultText(game.result);
  // Another has begun on its board: nobody plays it any more, if it was ever begun.
  const ids = boardIds();
  const board = ids.map(boardById).find((one) => one?.game === game.id);
  if (board && isOver(board)) return board.result?.reason === 'annulled' ? resultReason('annulled') : say('games.no-result');
  if (ids.length === 0 || board) return say('result.in-play');
  return say(game.plies === 0 ? 'mark.waiting' : 'games.no-result');
}

/** @param {{ game: Game }} props */
function Row({ game }) {
  const path = `api/games/${encodeURIComponent(game.id)}`;
  // A score stands on one line, words need not.
  const isScore = !game.damage && game.result !== '*';
  return html`
    <tr>
      <td class="of-id"><a href=${toGame(game.id)}>${game.id}</a></td>
      <td><a href=${toBoard(game.board)}>${boardAndTable(game.board, game)}</a></td>
      <td class="of-player">${game.white || '–'}</td>
      <td class="of-player">${game.black || '–'}</td>
      <td class="of-result" title=${game.damage?.what}><a class=${isScore ? 'score' : null} href=${toGame(game.id)}>${outcome(game)}</a></td>
      <td class="of-moves">${Math.ceil(game.plies / 2)}</td>
      <td class="of-files"><${Download} href=${`${path}.pgn`} name=${`${game.id}.pgn`} text="PGN" /> <${Download} href=${`${path}/script`} name=${`${game.id}.jsonl`} text=${say('games.script')} /></td>
    </tr>
  `;
}
