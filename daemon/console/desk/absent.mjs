// @ts-check
// Tables at which nothing has begun: who is missing, until when, and one act for all who still are.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard } from '../app/route.mjs';
import { clockText } from '../state/clock.mjs';
import { actOn } from '../state/event.mjs';
import { isAt, now } from '../state/incidents.mjs';
import { useIsChief } from '../state/me.mjs';
import { ownName } from '../state/name.mjs';
import { useMayNote, useOwnTables } from '../state/rights.mjs';
import { resultText } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { confirm } from '../parts/confirm.mjs';
import { uponOf } from './results.mjs';

/** The result when a side is missing. */
const LOST = /** @type {const} */ ({ white: '-/+', black: '+/-', both: '-/-' });

/** Under which name marks are kept on this device. */
const KEPT = 'arbiter-missing';

/** @typedef {Record<string, keyof typeof LOST>} Marks */

/**
 * Who is marked as missing: also once the page was loaded anew on this device.
 * @returns {[Marks, (change: (marks: Marks) => Marks) => void]}
 */
function useMarks() {
  const [marks, setMarks] = useState(kept);
  return [marks, (change) => {
    // While an answer is awaited others may be marked.
    const next = change(kept());
    sessionStorage.setItem(KEPT, JSON.stringify(next));
    setMarks(next);
  }];
}

/** @returns {Marks} */
const kept = () => JSON.parse(sessionStorage.getItem(KEPT) ?? '{}');

/**
 * @param {Marks} marks
 * @param {string} name of a pairing
 * @param {'white' | 'black'} side
 * @param {boolean} isMissing
 * @returns {Marks}
 */
function marked(marks, name, side, isMissing) {
  const { [name]: is, ...rest } = marks;
  const other = side === 'white' ? 'black' : 'white';
  const isOther = is === other || is === 'both';
  if (isMissing) return { ...rest, [name]: isOther ? 'both' : side };
  return isOther ? { ...rest, [name]: other } : rest;
}

/** @typedef {Pairing['white']} Seated */

/** @param {{ round: Round, details: Details }} props */
export function Absent({ round, details }) {
  const [marks, setMarks] = useMarks();
  /** Of these two in this round of this event: nobody else is marked with them. @param {Pairing} pairing */
  const nameOf = ({ table, white, black }) => [details.name, details.start, round.round, table, white.name, black?.name].join('|');
  /** @param {Pairing} pairing */
  const missing = (pairing) => marks[nameOf(pairing)];
  const own = useOwnTables();
  const waiting = round.pairings.filter((pairing) => pairing.table !== null && round.waiting.includes(pairing.table) && !pairing.confirmed && isAt(pairing, own));
  /** Where pieces were moved nobody is missing, as far as the board shows. @param {Pairing} pairing */
  const isMoved = ({ table }) => round.begun_unset.includes(Number(table));
  const absent = waiting.filter((pairing) => missing(pairing) && !isMoved(pairing));
  const isChief = useIsChief();
  const mayNote = useMayNote();
  const left = round.default_at ? Date.parse(round.default_at) - now() : null;
  /** @param {Pairing} pairing @param {'white' | 'black'} side */
  const toggle = (pairing, side) => {
    const isMissing = [side, 'both'].includes(missing(pairing));
    setMarks((marks) => marked(marks, nameOf(pairing), side, !isMissing));
  };
  /** @param {Pairing} pairing @param {'white' | 'black'} side @param {Seated} who */
  const come = async (pairing, side, who) => {
    const n = Math.max(0, Math.floor((now() - Date.parse(round.started)) / 60_000));
    const text = say('absent.late', { n });
    if (await actOn('api/notes', { round: round.round, player: who.number, text, author: ownName() }, say('done.late', { player: who.name }))) setMarks((marks) => marked(marks, nameOf(pairing), side, false));
  };
  const forfeit = async () => {
    const upon = uponOf(absent);
    // Whoever is marked while that is asked is not entered with it.
    const named = absent.map(nameOf);
    const results = Object.fromEntries(absent.map((pairing) => [pairing.table, LOST[missing(pairing)]]));
    const sure = await confirm({
      title: say('absent.title', { n: absent.length }),
      text: [left !== null && left > 0 && say('absent.early', { time: clockText(left) }), ...absent.map((pairing) => say('absent.line', { table: pairing.table, white: pairing.white.name, black: pairing.black?.name, result: resultText(LOST[missing(pairing)]) }))].filter(Boolean).join(' '),
      action: say('absent.action', { n: absent.length }),
    });
    // Before that time, or where there is none, somebody has said that they do not come.
    const reason = say(left !== null && left <= 0 ? 'absent.reason' : 'absent.reason-early');
    // Whoever has come and moved meanwhile has not lost.
    const body = { results, reason, upon, not_begun: true };
    if (sure && await actOn(`api/rounds/${round.round}/results`, body, say('done.forfeits', { n: absent.length }))) setMarks((marks) => Object.fromEntries(Object.entries(marks).filter(([name]) => !named.includes(name))));
  };
  return html`
    <section class="panel absent" aria-label=${say('absent')}>
      <h2>${say('absent')} <span class="count-of">${say('absent.tables', { n: waiting.length })}</span></h2>
      ${waiting.length === 0 ? html`<p class="hint">${say(own ? 'absent.none-own' : 'absent.none')}</p>` : html`
        ${left !== null && html`<p class="countdown">${left > 0 ? html`<b role="timer">${clockText(left < 20_000 ? Math.ceil(left / 1000) * 1000 : left)}</b> ${say('absent.until')}` : html`<b>${say('absent.over')}</b>`}</p>`}
        ${isChief && (left === null ? html`<${DefaultTime} details=${details} />` : html`
          <details class="more"><summary>${say('absent.change', { n: details.default_time ?? 0 })}</summary><${DefaultTime} details=${details} /></details>`)}
        <ul class="missing">${waiting.map((pairing) => (isMoved(pairing) ? html`
          <li key=${pairing.table}><div class="moved"><b>${pairing.table}</b> <span><a href=${pairing.board ? toBoard(pairing.board) : '#/'}>${pairing.white.name} – ${pairing.black?.name}</a>: ${say('absent.moved')}</span></div></li>` : html`
          <li key=${pairing.table}><div role="group" aria-label=${say('incident.table', { n: Number(pairing.table) })}><b>${pairing.table}</b>
            ${/** @type {const} */ ([['white', pairing.white], ['black', pairing.black]]).map(([side, who]) => html`
              <button aria-pressed=${[side, 'both'].includes(missing(pairing)) ? 'true' : 'false'} onClick=${() => toggle(pairing, side)}><i class=${`stone ${side}`} aria-hidden="true"></i> ${who?.name}</button>
              ${who && mayNote && [side, 'both'].includes(missing(pairing)) && html`<button class="come" onClick=${() => come(pairing, side, who)}>${say('absent.come', { player: who.name })}</button>`}`)}</div></li>`))}</ul>
        <p class="hint">${say('absent.hint')}</p>
        <button class="strong" disabled=${absent.length === 0} onClick=${forfeit}>${absent.length === 0 ? say('absent.mark') : say('absent.action', { n: absent.length })}</button>`}
    </section>
  `;
}

/** When who is not there loses: for all rounds, this one too. @param {{ details: Details }} props */
function DefaultTime({ details }) {
  /** @param {FormEvent} event */
  const set = (event) => {
    event.preventDefault();
    const minutes = Number(new FormData(event.currentTarget).get('minutes'));
    actOn('api/event/describe', { default_time: minutes }, say('done.default', { n: minutes }));
  };
  return html`
    <form class="inline" onSubmit=${set}>
      <label>${say('absent.default')} <input name="minutes" type="number" min="0" max="240" defaultValue=${details.default_time ?? ''} required /></label>
      <button>${say('absent.set')}</button>
    </form>`;
}
