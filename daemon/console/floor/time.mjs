// @ts-check
// Time for both players of a table, such as after a disturbance (Article 12.5): written down, with what both clocks are to show then.
import { html } from '../app/html.mjs';
import { clockText, remaining } from '../state/clock.mjs';
import { useBegun } from '../state/basis.mjs';
import { actOn, useEventFile } from '../state/event.mjs';
import { useIsArbiter, useSeat } from '../state/floor.mjs';
import { ownName } from '../state/name.mjs';
import { keptText } from '../words/kept.mjs';
import { say, titled } from '../words/language.mjs';
import { clockTime } from '../desk/halt.mjs';
import { ask } from '../parts/ask.mjs';
import { addedSince } from './given.mjs';
import { ToBeSet, keepToBeSet } from './toset.mjs';

/** @typedef {EventDocument['times'][number]} Given */

/** @param {{ board: Shown }} props */
export function GiveTime({ board }) {
  const isArbiter = useIsArbiter();
  const { told: event } = useEventFile(isArbiter ? 'api/event' : null, undefined, 'open close give-time take-time-back penalise take-penalty-back');
  const { round, pairing } = useSeat(board.game);
  const given = (event?.times ?? []).filter((/** @type {Given} */ one) => one.round === round?.round && one.table === pairing?.table);
  const begun = useBegun(given.length);
  if (!round || !pairing || !event) return null;
  /** @param {FormEvent} submitted */
  const give = async (submitted) => {
    submitted.preventDefault();
    const form = submitted.currentTarget;
    const { minutes, reason } = Object.fromEntries(new FormData(form));
    const seconds = Math.round(Number(minutes) * 60);
    const added = addedSince(board, event, round.round, pairing);
    const [white, black] = /** @type {Colour[]} */ (['white', 'black']).map((colour) => {
      const ms = remaining(board, colour);
      return ms === null ? null : clockText(ms + added[colour] + seconds * 1000);
    });
    /** @type {import('../words/kept.mjs').Kept} */
    const set = white && black ? ['done.time-to', { white, black }] : ['done.time'];
    const done = keptText(set);
    const upon = begun.seen();
    // Refused, it is decided anew upon what has come meanwhile.
    begun.anew();
    const told = await actOn(`api/rounds/${round.round}/time`, { table: pairing.table, seconds, reason, author: ownName(), upon }, done, say('time.give'), say('done.time-late'));
    if (!told) return;
    form.reset();
    // What waits for the line may yet be refused.
    if (told.seconds) keepToBeSet(board.game, set);
  };
  /** @param {Given} one */
  const takeBack = async ({ table, at, seconds }) => {
    const minutes = (seconds / 60).toLocaleString(document.documentElement.lang);
    const reason = await ask({ title: say('time.back-title', { minutes, n: seconds / 60 }), text: say('time.back-text'), label: say('grid.reason'), action: say('given.take-back') });
    if (reason === null) return;
    const told = await actOn(`api/rounds/${round.round}/time/take-back`, { table, at, reason }, say('done.time-back', { minutes, n: seconds / 60 }));
    if (told?.length !== undefined) keepToBeSet(board.game, ['done.time-back', { minutes, n: seconds / 60 }]);
  };
  return html`
    <${ToBeSet} game=${board.game} noted=${event.penalties} />
    <details class="more give-time"><summary>${say('time.give')}</summary>
      <${GivenList} given=${given} onBack=${takeBack} />
      <form class="form" onSubmit=${give} onInput=${begun.begin}>
        <label><span>${say('time.minutes')}</span><input name="minutes" type="number" min="0.5" max="30" step="0.5" defaultValue="2" required /></label>
        <label><span>${say('grid.reason')}</span><input name="reason" required maxlength="120" autocomplete="off" /></label>
        <button>${say('time.enter')}</button>
      </form>
    </details>
  `;
}

/** `onBack`: how one is taken back, where that is offered. @param {{ given: Given[], withTable?: boolean, onBack?: (one: Given) => void }} props */
export function GivenList({ given, withTable, onBack }) {
  if (given.length === 0) return null;
  return html`<ul class="plain-list">${given.map((one) => html`
    <li>${withTable && `${say('desk.round', { n: one.round })}, ${say('incident.table', { n: one.table })}, `}${titled(clockTime(one.at), say('time.given', { n: one.seconds / 60, minutes: (one.seconds / 60).toLocaleString(document.documentElement.lang) }))}. ${one.reason}${one.by && ` (${one.by})`}${onBack && html` <button type="button" class="quiet" onClick=${() => onBack(one)}>${say('given.take-back')}</button>`}</li>`)}</ul>`;
}

/** In a report, and in the protocol of one game (`plain`). @param {{ given: Given[], plain?: boolean }} props */
export function TimesReport({ given, plain }) {
  if (given.length === 0) return null;
  return html`<h2>${say('time.title')}</h2><${GivenList} given=${given} withTable=${!plain} />`;
}
