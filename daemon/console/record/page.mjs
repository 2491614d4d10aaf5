// @ts-check
// One game of the journal: its protocol, what its clocks did, and what its sensors saw.
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard, toGames } from '../app/route.mjs';
import { useIncidents } from '../state/incidents.mjs';
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
import { inOrder } from './seen.mjs';
import { WaysBack } from './ways.mjs';

/** Acts that say something of a result. */
const RESULTS = new Set(['propose', 'result', 'confirm', 'withdraw', 'annul', 'reinstate']);

/** @param {{ id: string }} props */
export function GamePage({ id }) {
  const [told, setGame] = useState(/** @type {GameDocument | null} */ (null));
  const [read, setRead] = useState(/** @type {{ of: string, script: string | null }} */ ({ of: '', script: null }));
  const script = read.of === id ? read.script : null;
  const lines = useMemo(() => linesOf(script), [script]);
  const game = useMemo(() => (told?.view ? { ...told, view: inOrder(told.view, lines) } : told), [told, lines]);
  const [problem, setProblem] = useState('');
  const language = useLanguage();
  const board = useBoard(game?.board ?? '');
  useWatched(board?.game === id ? board.id : undefined);
  const at = board?.game === id ? `${board.ply}/${board.open}/${board.orders.length}/${board.state === 'ended'}` : '';
  const [again, readAgain] = useReducer((/** @type {number} */ n) => n + 1, 0);
  // What is ruled when the game is on no board any more is no act of the event.
  const ruled = useIncidents().filter((one) => one.game === id).map((one) => `${one.id} ${one.version} ${one.rulings.length}`).sort().join();
  useEffect(() => {
    const ends = [subscribe('event', (act) => (act === null || RESULTS.has(act)) && readAgain(undefined)), subscribe('hall', () => readAgain(undefined))];
    return () => ends.forEach((end) => end());
  }, []);
  useEffect(() => {
    // What was asked before may be answered after.
    let isLeft = false;
    /** @template T @param {(told: T) => void} set */
    const unlessLeft = (set) => (/** @type {T} */ answer) => { if (!isLeft) set(answer); };
    const path = `api/games/${encodeURIComponent(id)}`;
    ask(path).then((answer) => answer.json()).then((answered) => readable(answered, language)).then(unlessLeft(setGame), unlessLeft((error) => setProblem(error.message)));
    ask(`${path}/script`).then((answer) => answer.text()).then(unlessLeft((text) => setRead({ of: id, script: text })), unlessLeft(() => setRead({ of: id, script: null })));
    return () => { isLeft = true; };
  }, [id, at, language, again, ruled]);
  if (!game || game.id !== id) return html`<p class="empty">${problem ? say('games.failed', { problem }) : say('games.reading')}</p>`;
  const path = `api/games/${encodeURIComponent(id)}`;
  return html`
    <div class="record-head no-print">
      <a class="back" href=${toGames()}><${Icon} name="back" /> ${say('bar.games')}</a>
      ${board?.game === id && html`<a href=${toBoard(board.id)}>${say('incident.whole')}</a>`}
      <span class="spacer"></span>
      <${Download} href=${`${path}.pgn`} name=${`${id}.pgn`} text="PGN" kind="button" />
      <${Download} href=${`${path}/script`} name=${`${id}.jsonl`} text=${say('record.take')} kind="button" of=${script} />
      <button class="strong" onClick=${() => print()}><${Icon} name="print" /> ${say('record.print')}</button>
    </div>
    <${WaysBack} game=${game} onBack=${() => readAgain(undefined)} />
    <${Protocol} game=${game} script=${script} />
    ${game.view && html`<${Plot} game=${game} view=${game.view} />`}
    ${game.view && lines.length > 0 && html`<${Replay} game=${game} view=${game.view} lines=${lines} />`}
  `;
}

/** @param {string} path */
async function ask(path) {
  const answer = await fetch(path);
  if (answer.ok) return answer;
  throw new Error(refusalSentence(await answer.json().catch(() => null), answer.status));
}
