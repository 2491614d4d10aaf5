// @ts-check
// One game of the journal: its protocol, what its clocks did, and what its sensors saw.
import { useEffect, useReducer, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard, toGames } from '../app/route.mjs';
import { useBoard } from '../state/store.mjs';
import { useWatched } from '../state/watch.mjs';
import { readable } from '../state/texts.mjs';
import { subscribe } from '../state/topics.mjs';
import { say, useLanguage } from '../words/language.mjs';
import { refusalSentence } from '../words/refusals.mjs';
import { Download } from '../parts/download.mjs';
import { Icon } from '../parts/icon.mjs';
import { linesOf } from './given.mjs';
import { Plot } from './plot.mjs';
import { Protocol } from './protocol.mjs';
import { Replay } from './replay.mjs';
import { WaysBack } from './ways.mjs';

/** Acts that say something of a result. */
const RESULTS = new Set(['propose', 'result', 'confirm', 'withdraw', 'annul']);

/** @param {{ id: string }} props */
export function GamePage({ id }) {
  const [game, setGame] = useState(/** @type {GameDocument | null} */ (null));
  const [script, setScript] = useState(/** @type {string | null} */ (null));
  const [problem, setProblem] = useState('');
  const language = useLanguage();
  const board = useBoard(game?.board ?? '');
  useWatched(board?.game === id ? board.id : undefined);
  const at = board?.game === id ? `${board.ply}/${board.open}/${board.orders.length}/${board.state === 'ended'}` : '';
  const [again, readAgain] = useReducer((/** @type {number} */ n) => n + 1, 0);
  useEffect(() => subscribe('event', (act) => (act === null || RESULTS.has(act)) && readAgain(undefined)), []);
  useEffect(() => {
    const path = `api/games/${encodeURIComponent(id)}`;
    read(path).then((answer) => answer.json()).then((told) => readable(told, language)).then(setGame, (error) => setProblem(error.message));
    read(`${path}/script`).then((answer) => answer.text()).then(setScript, () => setScript(null));
  }, [id, at, language, again]);
  if (!game) return html`<p class="empty">${problem ? say('games.failed', { problem }) : say('games.reading')}</p>`;
  const path = `api/games/${encodeURIComponent(id)}`;
  const lines = linesOf(script);
  return html`
    <div class="record-head no-print">
      <a class="back" href=${toGames()}><${Icon} name="back" /> ${say('bar.games')}</a>
      ${board?.game === id && html`<a href=${toBoard(board.id)}>${say('incident.whole')}</a>`}
      <span class="spacer"></span>
      <${Download} href=${`${path}.pgn`} name=${`${id}.pgn`} text="PGN" kind="button" />
      <${Download} href=${`${path}/script`} name=${`${id}.jsonl`} text=${say('record.take')} kind="button" />
      <button class="strong" onClick=${() => print()}><${Icon} name="print" /> ${say('record.print')}</button>
    </div>
    <${WaysBack} game=${game} onBack=${() => readAgain(undefined)} />
    <${Protocol} game=${game} script=${script} />
    ${game.view && html`<${Plot} view=${game.view} />`}
    ${game.view && lines.length > 0 && html`<${Replay} view=${game.view} lines=${lines} />`}
  `;
}

/** @param {string} path */
async function read(path) {
  const answer = await fetch(path);
  if (answer.ok) return answer;
  throw new Error(refusalSentence(await answer.json().catch(() => null), answer.status));
}
