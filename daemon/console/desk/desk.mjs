// @ts-check
// A round from its preparation to its end, on one page.
import { useReducer } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { go, toReport, toRound } from '../app/route.mjs';
import { actOn, useEventFile } from '../state/event.mjs';
import { useIsArbiter } from '../state/floor.mjs';
import { useIsHub } from '../state/halls.mjs';
import { useIsChief } from '../state/me.mjs';
import { useOrder } from '../state/store.mjs';
import { standOf } from '../state/tables.mjs';
import { useTopic } from '../state/topics.mjs';
import { say } from '../words/language.mjs';
import { confirm } from '../parts/confirm.mjs';
import { RoundBreaks } from '../floor/breaks.mjs';
import { RoundObserved } from '../floor/observed.mjs';
import { RoundInHalls } from '../hub/ways.mjs';
import { Icon } from '../parts/icon.mjs';
import { useSeconds } from '../parts/seconds.mjs';
import { Absent } from './absent.mjs';
import { Checklist, notSetUp } from './checklist.mjs';
import { CloseRound, Exports } from './close.mjs';
import { NextRound } from './next.mjs';
import { Results } from './results.mjs';

/** So often it is asked whether somebody plays who should not yet. */
const EARLY_MS = 5_000;

/** The one that is played, or else the next one to be started; the last where none is left. @param {RoundSummary[]} rounds */
const roundAtHand = (rounds) => rounds.find((round) => round.stage === 'under-way') ?? rounds.find((round) => round.stage === 'drawn') ?? rounds.at(-1);

/** @param {{ number?: number }} props */
export function Desk({ number }) {
  const { told: event, problem } = useEventFile(/** @type {const} */ ('api/event'), EARLY_MS);
  const early = event?.rounds.find((/** @type {RoundSummary} */ round) => round.begun_early.length + round.begun_unset.length > 0);
  const shown = number ?? roundAtHand(event?.rounds ?? [])?.round;
  const { told: round, problem: missing } = useEventFile(shown ? `api/rounds/${shown}` : null);
  const { told: tables } = useEventFile('api/tables', EARLY_MS);
  // Boards tick the list and show results.
  useOrder();
  useTopic('boards');
  useSeconds();
  const isChief = useIsChief();
  const isArbiter = useIsArbiter();
  const isHub = useIsHub();
  const [, again] = useReducer((/** @type {number} */ n) => n + 1, 0);
  if (!event) return html`<p class="empty">${problem ?? say('desk.reading')}</p>`;
  return html`
    <div class="desk-head">
      <h1>${event.details.name || say('desk.title')}</h1>
      <nav class="rounds" aria-label=${say('desk.rounds')}>${event.rounds.map((/** @type {RoundSummary} */ one) => html`
        <a href=${toRound(one.round)} aria-current=${one.round === shown ? 'page' : null}>${say('desk.round', { n: one.round })}</a>`)}</nav>
      ${round && isArbiter && html`<a href=${toReport(round.round)}>${say('report.page')}</a>`}
    </div>
    ${isChief && event.open && event.rounds.length > 0 && !event.details.name && html`<${NameEvent} />`}
    ${early && html`<${Early} round=${early} isChief=${isChief} />`}
    ${missing && html`<p class="problem" role="alert">${missing}</p>`}
    ${round && html`<${Stages} round=${round} isChief=${isChief} />`}
    <div class="desk">
      ${round && html`
        <div class="desk-side">
          ${round.stage === 'under-way' && html`<${Absent} round=${round} details=${event.details} />`}
          ${isHub ? html`<${RoundInHalls} round=${round.round} />` : html`<${InThisHall} round=${round} details=${event.details} />`}
        </div>
        <${Results} round=${round} tables=${tables ?? []} onChange=${again} />`}
      <div class="desk-side">
        ${round && html`<${CloseRound} round=${round} next=${event.rounds.find((/** @type {RoundSummary} */ one) => one.stage !== 'closed')?.round} />`}
        ${isChief && html`<${NextRound} event=${event} round=${round} />`}
        ${round && html`<${Exports} round=${round} />`}
      </div>
    </div>
  `;
}

/** What is seen to where the boards are. @param {{ round: Round, details: Details }} props */
function InThisHall({ round, details }) {
  return html`
    ${round.stage === 'under-way' && html`<${RoundBreaks} round=${round} />`}
    ${round.stage !== 'drawn' && html`<${RoundObserved} round=${round} />`}
    <${Checklist} round=${round} details=${details} />
  `;
}

/** A file of pairings need not say what the event is called, and every report has that on top. */
function NameEvent() {
  /** @param {FormEvent} submitted */
  const give = (submitted) => {
    submitted.preventDefault();
    const name = String(new FormData(submitted.currentTarget).get('name')).trim();
    if (name) actOn('api/event/describe', { name }, say('done.named', { name }));
  };
  return html`
    <form class="inline name-event" onSubmit=${give}>
      <label>${say('desk.unnamed')} <input name="name" required maxlength="100" autocomplete="off" /></label>
      <button>${say('desk.name')}</button>
    </form>`;
}

/** Somebody plays in a round that nobody has started, or has begun before it was. @param {{ round: RoundSummary, isChief: boolean }} props */
function Early({ round: { round: n, stage, begun_early: tables, begun_unset: unset }, isChief }) {
  if (stage === 'under-way') {
    const told = /** @type {const} */ ([['desk.unfollowed', tables], ['desk.unset', unset]]);
    return told.filter(([, at]) => at.length > 0).map(([word, at]) => html`<p key=${word} class="problem" role="alert">${say(word, { n: at.length, tables: at.join(', '), round: n })}</p>`);
  }
  const start = () => actOn(`api/rounds/${n}/start`, {}, say('done.round-started', { n }));
  return html`<p class="problem" role="alert">${say('desk.early', { n: tables.length, tables: tables.join(', '), round: n })} ${isChief && html`<button onClick=${start}>${say('desk.start', { n })}</button>`}</p>`;
}

/** Where pieces are not set up yet, as far as boards tell, that is asked first. @param {Round} round */
async function startRound(round) {
  const n = round.round;
  const left = notSetUp(round);
  const sure = left.length === 0 || await confirm({ title: say('start.title', { n }), text: say('start.text', { n: left.length, tables: left.join(', ') }), action: say('desk.start', { n }) });
  if (sure) actOn(`api/rounds/${n}/start`, {}, say('done.round-started', { n }));
}

/** How far the round is. @param {{ round: Round, isChief: boolean }} props */
function Stages({ round, isChief }) {
  const games = round.pairings.filter((pairing) => pairing.black);
  const stands = games.map((pairing) => standOf(pairing, round));
  const settled = stands.filter((stand) => stand === 'confirmed').length;
  const proposed = stands.filter((stand) => stand === 'proposed' || stand === 'typed').length;
  const started = round.started ? new Date(round.started).toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }) : '';
  const at = { drawn: 0, 'under-way': settled === games.length ? 2 : 1, closed: 3 }[round.stage];
  const steps = [
    [say('stage.ready'), started ? say('stage.started', { time: started }) : say('stage.not-started')],
    [say('stage.play'), say('stage.playing', { n: stands.filter((stand) => stand === 'none').length })],
    [say('stage.results'), say('stage.settled', { n: settled, of: games.length, proposed })],
    [say('stage.closed'), round.stage === 'closed' ? say('stage.done') : say('stage.not-yet')],
  ];
  return html`<ol class="stages">${steps.map(([name, hint], n) => html`
    <li aria-current=${n === at ? 'step' : null} class=${n < at || round.stage === 'closed' ? 'done' : ''}>
      <span class="tick" aria-hidden="true">${n < at || round.stage === 'closed' ? html`<${Icon} name="check" />` : n + 1}</span><b>${name}</b><span class="hint">${hint}</span></li>`)}
    ${isChief && round.stage === 'drawn' && html`<li class="act"><button class="quiet" onClick=${() => undraw(round)}>${say('desk.undraw')}</button></li>`}
    ${isChief && round.stage === 'drawn' && html`<li class="act"><button class="strong" onClick=${() => startRound(round)}>${say('desk.start', { n: round.round })}</button></li>`}</ol>`;
}

/** A round that was drawn by mistake is taken back, once somebody has said so twice. @param {Round} round */
async function undraw({ round: n }) {
  const sure = await confirm({ title: say('desk.undraw-title', { n }), text: say('desk.undraw-text'), action: say('desk.undraw'), danger: true });
  if (sure && (await actOn(`api/rounds/${n}/undraw`, {}, say('done.undrawn', { n })))) go(toRound(n - 1));
}
