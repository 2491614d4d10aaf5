// @ts-check
// What goes out of the hall: how far each game is public, how late, what Lichess has of it, and what was corrected.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { LanguageChoice } from '../parts/languagechoice.mjs';
import { Scrolls } from '../parts/scrolls.mjs';
import { Problem, show } from '../people/door.mjs';
import { whoAmI } from '../state/me.mjs';
import { hallHere, titleHere } from '../state/room.mjs';
import { resultText } from '../words/findings.mjs';
import { say, titled } from '../words/language.mjs';
import { refusalText } from '../words/refusals.mjs';
import { Corrections } from './corrections.mjs';
import { Lichess } from './lichess.mjs';
import { Orders, lateness } from './orders.mjs';
import { Outlets } from './outlets.mjs';

const AGAIN_MS = 2_000;

/**
 * @template T
 * @param {string} path
 * @returns {Promise<T>}
 */
async function load(path) {
  const answer = await fetch(path);
  if (answer.status === 401) location.assign('login.html');
  const body = await answer.json();
  if (!answer.ok) throw new Error(refusalText(body, answer.status));
  return body;
}

function Public() {
  document.title = titleHere(say('public.title'));
  const [state, setState] = useState(/** @type {PublicState | null} */ (null));
  const [corrections, setCorrections] = useState(/** @type {Correction[]} */ ([]));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const [may, setMay] = useState(false);
  const look = async () => {
    try {
      setState(await load('api/public'));
      if (hallHere() === null) setCorrections(await load('api/public/corrections'));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof TypeError ? say('public.silent') : String(/** @type {Error} */ (error).message));
    }
  };
  useEffect(() => {
    whoAmI().then((me) => setMay(me !== null && (!me.required || me.role === 'chief')));
    look();
    const timer = setInterval(look, AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  /** @param {PublicState} now */
  const done = (now) => (setState(now), setProblem(null));
  return html`
    <main class="desk">
      <header class="row">
        <h1>${titleHere(say('public.title'))}</h1><span class="spacer"></span>
        <a href="./">${say('public.boards')}</a>
        <${LanguageChoice} />
      </header>
      <${Problem} text=${problem} />
      ${state && html`
        <${Everything} state=${state} may=${may} done=${done} refused=${setProblem} />
        ${hallHere() === null
          ? html`<${Details} state=${state} may=${may} done=${done} refused=${setProblem} corrections=${corrections} />`
          : html`<p class="hint">${say('public.in-hall')}</p>`}
      `}
    </main>
  `;
}

/** @typedef {{ state: PublicState, may: boolean, done: (now: PublicState) => void, refused: (why: string) => void }} Part */

/** What a hub does not know of its halls. @param {Part & { corrections: Correction[] }} props */
function Details({ state, may, done, refused, corrections }) {
  return html`
    <${Games} state=${state} may=${may} done=${done} refused=${refused} />
    ${state.outlets.length > 0 && html`<${Outlets} outlets=${state.outlets} />`}
    ${state.lichess.length > 0 && html`<${Lichess} rounds=${state.lichess} />`}
    <${Corrections} list=${corrections} />
  `;
}

/** @param {Part} props */
function Everything({ state, may, done, refused }) {
  const is = state.stopped;
  return html`
    <section aria-label=${say('public.all')}>
      <h2>${say('public.all')}</h2>
      <p class=${is ? 'problem' : ''}>${say(is ? 'public.stopped' : 'public.goes')} · ${say('public.late')} ${lateness(state.late)}</p>
      ${may && html`<${Orders} scope=${{}} stopped=${is} late=${state.late} done=${done} refused=${refused} />`}
    </section>
  `;
}

/** @type {Word[]} */
const COLUMNS = ['public.round', 'public.table', 'public.plies', 'public.result', 'public.state', 'public.late'];

/** @param {Part} props */
function Games({ state, may, done, refused }) {
  const hasWay = state.outlets.length > 0 || state.lichess.length > 0;
  if (state.games.length === 0) return html`<p class="empty">${say(hasWay ? 'public.none' : 'public.no-way')}</p>`;
  /** @param {PublicGameState} game */
  const row = (game) => html`
    <tr key=${game.game}>
      <td>${game.round}</td><td>${game.table}</td><td>${game.plies}</td><td>${resultText(game.result)}</td>
      <td>${word(game)}${refusals(state, game).map((error) => html`<div class="problem">${titled(say('public.lichess'), error)}</div>`)}</td>
      <td>${lateness(game.late)}</td>
      ${may && html`<td><${Orders} scope=${{ round: game.round, table: game.table }} stopped=${game.stopped} late=${game.late} done=${done} refused=${refused} /></td>`}
    </tr>
  `;
  return html`
    <section>
      <${Scrolls} label=${say('bar.games')}>
        <table>
          <thead><tr>${COLUMNS.map((key) => html`<th>${say(key)}</th>`)}${may && html`<th>${say('public.orders')}</th>`}</tr></thead>
          <tbody>${state.games.map(row)}</tbody>
        </table>
      <//>
    </section>
  `;
}

/** @param {PublicGameState} game */
function word(game) {
  if (game.stopped) return say('public.stopped');
  return say(game.with_arbiter ? 'public.arbiter' : 'public.goes');
}

/**
 * What Lichess says of a game that it does not take.
 * @param {PublicState} state
 * @param {PublicGameState} game
 */
function refusals(state, game) {
  const refused = state.lichess.filter((round) => round.round === game.round).flatMap((round) => round.refused);
  return refused.filter(({ table }) => table !== null && table === game.table).map(({ error }) => error);
}

show(Public);
