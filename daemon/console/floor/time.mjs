// @ts-check
// Time for both players of a table, such as after a disturbance (Article 12.5): written down, with what both clocks are to show then.
import { html } from '../app/html.mjs';
import { clockText, remaining } from '../state/clock.mjs';
import { useBegun } from '../state/basis.mjs';
import { actOn, useEventFile } from '../state/event.mjs';
import { useIsArbiter, useSeat } from '../state/floor.mjs';
import { ownName } from '../state/name.mjs';
import { say, titled } from '../words/language.mjs';
import { clockTime } from '../desk/halt.mjs';
import { ToBeSet, keepToBeSet } from './toset.mjs';

/** @typedef {EventDocument['times'][number]} Given */

/** @param {{ board: Shown }} props */
export function GiveTime({ board }) {
  const isArbiter = useIsArbiter();
  const { told: event } = useEventFile(isArbiter ? 'api/event' : null, undefined, 'open close give-time');
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
    const shown = /** @type {Colour[]} */ (['white', 'black']).map((colour) => remaining(board, colour));
    const [white, black] = shown.map((ms) => (ms === null ? null : clockText(ms + seconds * 1000)));
    const done = white && black ? say('done.time-to', { white, black }) : say('done.time');
    const upon = begun.seen();
    // Refused, it is decided anew upon what has come meanwhile.
    begun.anew();
    const told = await actOn(`api/rounds/${round.round}/time`, { table: pairing.table, seconds, reason, author: ownName(), upon }, done, say('time.give'), say('done.time-late'));
    if (!told) return;
    form.reset();
    // What waits for the line may yet be refused.
    if (told.seconds) keepToBeSet(board.game, done);
  };
  return html`
    <${ToBeSet} game=${board.game} />
    <details class="more give-time"><summary>${say('time.give')}</summary>
      <${GivenList} given=${given} />
      <form class="form" onSubmit=${give} onInput=${begun.begin}>
        <label><span>${say('time.minutes')}</span><input name="minutes" type="number" min="0.5" max="30" step="0.5" defaultValue="2" required /></label>
        <label><span>${say('grid.reason')}</span><input name="reason" required maxlength="120" autocomplete="off" /></label>
        <button>${say('time.enter')}</button>
      </form>
    </details>
  `;
}

/** @param {{ given: Given[], withTable?: boolean }} props */
function GivenList({ given, withTable }) {
  if (given.length === 0) return null;
  return html`<ul class="plain-list">${given.map((one) => html`
    <li>${withTable && `${say('desk.round', { n: one.round })}, ${say('incident.table', { n: one.table })}, `}${titled(clockTime(one.at), say('time.given', { n: one.seconds / 60, minutes: (one.seconds / 60).toLocaleString(document.documentElement.lang) }))}. ${one.reason}${one.by && ` (${one.by})`}</li>`)}</ul>`;
}

/** In a report. @param {{ given: Given[] }} props */
export function TimesReport({ given }) {
  if (given.length === 0) return null;
  return html`<h2>${say('time.title')}</h2><${GivenList} given=${given} withTable />`;
}
