// @ts-check
// Every game of the journal, with its PGN and its event script.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard, toGame } from '../app/route.mjs';
import { useLink } from '../state/link.mjs';
import { resultText } from '../words/findings.mjs';
import { Download } from '../parts/download.mjs';
import { say } from '../words/language.mjs';
import { refusalText } from '../words/refusals.mjs';

/** @type {Word[]} */
const COLUMNS = ['games.game', 'games.board', 'new.white', 'new.black', 'games.result', 'moves', 'games.files'];

export function Games() {
  const { status } = useLink();
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
  return game.result === '*' ? say('result.in-play') : resultText(game.result);
}

/** @param {{ game: Game }} props */
function Row({ game }) {
  const path = `api/games/${encodeURIComponent(game.id)}`;
  return html`
    <tr>
      <td><a href=${toGame(game.id)}>${game.id}</a></td>
      <td><a href=${toBoard(game.board)}>${game.board}</a></td>
      <td>${game.white || '–'}</td>
      <td>${game.black || '–'}</td>
      <td title=${game.damage?.what}><a href=${toGame(game.id)}>${outcome(game)}</a></td>
      <td>${Math.ceil(game.plies / 2)}</td>
      <td><${Download} href=${`${path}.pgn`} name=${`${game.id}.pgn`} text="PGN" /> <${Download} href=${`${path}/script`} name=${`${game.id}.jsonl`} text=${say('games.script')} /></td>
    </tr>
  `;
}
