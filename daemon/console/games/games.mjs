// @ts-check
// Every game of the journal, with its PGN and its event script.
import { html } from '../app/html.mjs';
import { toBoard, toGame } from '../app/route.mjs';
import { useGames } from '../state/games.mjs';
import { useMayRead } from '../state/rights.mjs';
import { boardById, boardIds, useOrder } from '../state/store.mjs';
import { isOver } from '../state/urgency.mjs';
import { resultReason, resultText } from '../words/findings.mjs';
import { boardAndTable, tableOf } from '../words/place.mjs';
import { Download } from '../parts/download.mjs';
import { Scrolls } from '../parts/scrolls.mjs';
import { ToRecord } from '../parts/torecord.mjs';
import { say } from '../words/language.mjs';

/** @type {Word[]} */
const COLUMNS = ['games.game', 'games.board', 'new.white', 'new.black', 'games.result', 'moves', 'games.files'];

export function Games() {
  useOrder();
  const { games, problem } = useGames();
  const columns = useMayRead() ? COLUMNS : COLUMNS.filter((key) => key !== 'games.files');
  if (!games || games.length === 0) {
    const why = games ? say('games.none') : problem ? say('games.failed', { problem }) : say('games.reading');
    return html`<h1>${say('bar.games')}</h1><p class="empty">${why}</p>`;
  }
  const listed = new Set(games.map(({ id }) => id));
  const shown = games.filter((game) => !isOnlyNamed(game, games));
  return html`
    <h1>${say('bar.games')}</h1>
    <p><a href="public.html">${say('public.title')}</a></p>
    <${Scrolls} label=${say('bar.games')}>
      <table class="games">
        <thead><tr>${columns.map((key) => html`<th>${say(key)}</th>`)}</tr></thead>
        <tbody>${shown.map((game) => html`<${Row} key=${game.id} game=${game} listed=${listed} />`)}</tbody>
      </table>
    <//>
  `;
}

/**
 * Whether its players are only what the configuration names for want of others: nobody has moved, it is of no round, and the same two would sit at other boards as well.
 * @param {Game} game
 * @param {Game[]} games
 */
function isOnlyNamed(game, games) {
  /** @param {Game} one */
  const isIdle = ({ plies, result, ended, round, white, black, damage }) => plies === 0 && !damage && result === '*' && !ended && !tableOf({ round }) && Boolean(white || black);
  /** @param {Game} other */
  const isSame = (other) => other.board !== game.board && other.white === game.white && other.black === game.black && isIdle(other);
  return isIdle(game) && games.some(isSame);
}

/** @param {Game} game @param {Set<string>} listed */
function outcome(game, listed) {
  if (game.damage) return say('games.damaged');
  if (game.annulled) return resultReason('annulled');
  if (game.result !== '*') return resultText(game.result);
  // Another has begun on its board: nobody plays it any more, if it was ever begun.
  const ids = boardIds();
  const board = ids.map(boardById).find((one) => one?.game === game.id);
  // The board may tell its result before the list has it.
  if (board?.result && isOver(board) && board.result.result !== '*') return resultText(board.result.result);
  if (board && isOver(board)) return board.result?.reason === 'annulled' ? resultReason('annulled') : say('games.no-result');
  const next = boardById(game.board)?.game;
  // Nor has it the next game there yet: how this one ended stands in the next list.
  const isOld = next && !listed.has(next);
  if (ids.length === 0 || board || isOld) return say('result.in-play');
  return say(game.plies === 0 ? 'mark.waiting' : 'games.no-result');
}

/** `listed`: the names of all games that the list has. @param {{ game: Game, listed: Set<string> }} props */
function Row({ game, listed }) {
  const mayRead = useMayRead();
  const path = `api/games/${encodeURIComponent(game.id)}`;
  // A score stands on one line, words need not.
  const isScore = !game.damage && game.result !== '*';
  return html`
    <tr>
      <td class="of-id"><${ToRecord} to=${toGame(game.id)}>${game.id}<//></td>
      <td><a href=${toBoard(game.board)}>${boardAndTable(game.board, game)}</a></td>
      <td class="of-player">${game.white || '–'}</td>
      <td class="of-player">${game.black || '–'}</td>
      <td class="of-result" title=${game.damage?.what}><${ToRecord} kind=${isScore ? 'score' : null} to=${toGame(game.id)}>${outcome(game, listed)}<//></td>
      <td class="of-moves">${Math.ceil(game.plies / 2)}</td>
      ${mayRead && html`<td class="of-files"><${Download} href=${`${path}.pgn`} name=${`${game.id}.pgn`} text="PGN" /> <${Download} href=${`${path}/script`} name=${`${game.id}.jsonl`} text=${say('games.script')} /></td>`}
    </tr>
  `;
}
