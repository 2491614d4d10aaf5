// @ts-check
// Which games an arbiter observes: in rapid and blitz that matters (Articles A.4 and B.2). One tap each, a mark, and a table of the report.
import { html } from '../app/html.mjs';
import { actOn } from '../state/event.mjs';
import { useIsArbiter, usePlayed } from '../state/floor.mjs';
import { isAt } from '../state/incidents.mjs';
import { useMe } from '../state/me.mjs';
import { ownName, useOwnName } from '../state/name.mjs';
import { observersOf, useObserved } from '../state/observed.mjs';
import { say } from '../words/language.mjs';
import { Icon } from '../parts/icon.mjs';
import { clockTime } from '../desk/halt.mjs';

/** @param {Observed} one */
const whoIs = ({ by }) => by || say('observed.somebody');

/** By whom and since when, in words. @param {Observed[]} observers */
export const observedText = (observers) => observers.map((one) => say('observed.by', { who: whoIs(one), time: clockTime(one.since) })).join(', ');

/** The mark beside a table: a shape, and its words. @param {{ observers: Observed[], named?: boolean }} props */
export function ObservedMark({ observers, named }) {
  if (observers.length === 0) return null;
  const text = observedText(observers);
  return html`<span class="observed" title=${text}><${Icon} name="eye" />${named && html`<span aria-hidden="true">${observers.map(whoIs).join(', ')}</span>`}<span class="spoken">${text}</span></span>`;
}

/**
 * Who observes a table, and the tap that says so of oneself.
 * @param {{ round: number, pairing: Pairing, observers: Observed[], text: string }} props
 */
function Tap({ round, pairing, observers, text }) {
  const me = useMe();
  useOwnName();
  const table = Number(pairing.table);
  const own = me?.required ? me.name : ownName();
  const mine = observers.find(({ by }) => by === own);
  /** @param {object} order @param {string} done */
  const act = (order, done) => actOn(`api/tables/${table}/observe`, { round, ...order }, done);
  const tap = () => act({ observes: !mine }, say(mine ? 'done.observes-not' : 'done.observes', { table }));
  return html`
    ${!(pairing.result ?? pairing.postponed) && html`<button aria-pressed=${Boolean(mine)} onClick=${tap}><${Icon} name="eye" /> <span>${text}${mine && html` <small>${say('observed.since', { time: clockTime(mine.since) })}</small>`}</span></button>`}
    ${observers.filter((one) => one !== mine).map((one) => html`<p key=${one.since}><${ObservedMark} observers=${[one]} /> ${observedText([one])}
      <button class="quiet" aria-label=${say('observed.end-of', { who: whoIs(one), table })} onClick=${() => act({ observes: false, whose: one.by }, say('done.observed-not', { table, who: whoIs(one) }))}>${say('observed.end')}</button></p>`)}
  `;
}

/** At the table. @param {{ game: string, of: string }} props `of`: the round as the board says it */
export function TableObserved({ game, of }) {
  const { round, pairing } = usePlayed(game, of);
  const observed = useObserved();
  if (!round || !pairing) return null;
  const observers = observersOf(observed, pairing.table, round.round);
  if (pairing.result && observers.length === 0) return null;
  return html`<section class="panel observing" aria-label=${say('observed')}><h2>${say('observed')}</h2><${Tap} round=${round.round} pairing=${pairing} observers=${observers} text=${say('observe')} /></section>`;
}

/** In a list: which tables are observed, and every other one of the round that somebody may observe, with a board or without. @param {{ round: Round }} props */
export function RoundObserved({ round }) {
  const isArbiter = useIsArbiter();
  const me = useMe();
  const observed = useObserved();
  if (!isArbiter) return null;
  const own = me?.required && me.role === 'sector' ? me.tables : null;
  /** @param {Pairing} pairing */
  const of = ({ table }) => observersOf(observed, table, round.round);
  const tables = round.pairings.filter((pairing) => pairing.table !== null && pairing.black && isAt(pairing, own));
  const seen = tables.filter((pairing) => of(pairing).length > 0);
  const others = tables.filter((pairing) => of(pairing).length === 0 && !pairing.result && !pairing.postponed);
  if (seen.length + others.length === 0) return null;
  /** @param {Pairing} pairing */
  const line = (pairing) => html`<li key=${pairing.table} data-table=${pairing.table}><${Tap} round=${round.round} pairing=${pairing} observers=${of(pairing)} text=${say('observe.table', { n: Number(pairing.table), white: pairing.white.name, black: pairing.black?.name })} /></li>`;
  return html`
    <section class="panel observing" aria-label=${say('observed')}>
      <h2>${say('observed')} <span class="count-of">${say('observed.tables', { n: seen.length })}</span></h2>
      ${seen.length > 0 && html`<ul>${seen.map(line)}</ul>`}
      ${others.length > 0 && html`<details class="more"><summary>${say('observe.others')}</summary><ul>${others.map(line)}</ul></details>`}
    </section>
  `;
}

/** Until when, and whether that was the end of the game. @param {{ one: Observed }} props */
const Until = ({ one }) => html`${clockTime(one.since)} – ${one.until === null ? html`<b>${say('report.still')}</b>` : clockTime(one.until)}${one.by_itself && html` <span class="hint">${say('observed.by-itself')}</span>`}`;

/** In a line of a file. @param {Observed[]} all */
export const observedLine = (all) => all.map((one) => [
  `${whoIs(one)}, ${clockTime(one.since)} – ${one.until === null ? say('report.still') : clockTime(one.until)}`,
  one.by_itself && say('observed.by-itself'),
].filter(Boolean).join(' ')).join('; ');

/** In a report; in that of the event a table stands as `3.12`, round and table. @param {{ observed: Observed[], one: boolean }} props */
export function ObservedReport({ observed, one: isOne }) {
  if (observed.length === 0) return null;
  return html`
    <h2>${say('observed.title')}</h2>
    <table class="grid plain observed-report"><thead><tr><th scope="col">${say('grid.table')}</th><th scope="col">${say('words.by')}</th><th scope="col">${say('report.when')}</th></tr></thead>
      <tbody>${observed.map((one) => html`<tr><th scope="row">${isOne ? '' : `${one.round}.`}${one.table}</th><td>${whoIs(one)}</td><td><${Until} one=${one} /></td></tr>`)}</tbody></table>
  `;
}

/**
 * In the record of a game, which is known by its place and its time.
 * @param {{ game: GameDocument }} props
 */
export function GameObserved({ game }) {
  const all = useObserved().filter((one) => `${one.round}.${one.table}` === game.round
    && Date.parse(one.until ?? '9999-01-01') >= Date.parse(game.started)
    && (game.ended === null || Date.parse(one.since) <= Date.parse(game.ended)));
  if (all.length === 0) return null;
  return html`<h2>${say('observed')}</h2><ul class="plain-list observed-record">${all.map((one) => html`<li>${whoIs(one)}, <${Until} one=${one} /></li>`)}</ul>`;
}
