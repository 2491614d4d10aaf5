// @ts-check
// Who leaves the hall and comes back (Article 11.2.3): one tap each.
import { html } from '../app/html.mjs';
import { actOn } from '../state/event.mjs';
import { useBreaks, useIsArbiter, useSeat } from '../state/floor.mjs';
import { isAt, now } from '../state/incidents.mjs';
import { useOwnTables } from '../state/rights.mjs';
import { say, titled } from '../words/language.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Icon } from '../parts/icon.mjs';
import { useSeconds } from '../parts/seconds.mjs';

/** A span of time as `12:05`. @param {number} seconds */
export const spanText = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** @param {string | number} at */
const clockAt = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { timeStyle: 'short', hourCycle: 'h23' });

/** When whoever is out has left: how long that is in the end nobody knows yet. @param {Breaks} one */
const leftAt = ({ breaks }) => clockAt(breaks.find(({ back }) => back === null)?.left ?? 0);

/** How long somebody was out, what goes on included. @param {Breaks} one */
function outFor(one) {
  const open = one.breaks.find(({ back }) => back === null);
  return one.seconds + (open ? Math.max(0, (now() - Date.parse(open.left)) / 1000) : 0);
}

/**
 * Both players of a table, each with whether he is out.
 * @param {{ round: number, pairing: Pairing, breaks: Breaks[] }} props
 */
function Pair({ round, pairing, breaks }) {
  const both = /** @type {const} */ ([['white', pairing.white], ['black', pairing.black]]);
  return html`
    <div role="group" aria-label=${say('incident.table', { n: Number(pairing.table) })}><b>${pairing.table}</b>
      ${both.map(([side, who]) => {
        const known = breaks.find(({ player }) => player.number === who?.number);
        const isOut = known?.out ?? false;
        const tap = () => who && actOn(`api/rounds/${round}/breaks`, { player: who.number, out: !isOut, at: new Date(now()).toISOString() }, say(isOut ? 'done.back' : 'done.out', { player: who.name }));
        return html`<button aria-pressed=${isOut} onClick=${tap}><i class=${`stone ${side}`} aria-hidden="true"></i> <span>${who?.name} <small>${known ? standText(known) : say('breaks.in')}</small></span></button>`;
      })}</div>
  `;
}

/** How often and how long somebody was out, and whether he left with the move. @param {Breaks} one */
function standText(one) {
  const [last] = one.breaks.slice(-1);
  return [
    one.out ? say('breaks.is-out') : null,
    say('breaks.times', { n: one.breaks.length, time: spanText(outFor(one)) }),
    one.out && last?.having_move ? say('breaks.has-move') : null,
  ].filter(Boolean).join(' · ');
}

/** That somebody is out; of a round that is over nobody knows it: that he came back was not noted. @param {boolean} isOver */
const outText = (isOver) => say(isOver ? 'breaks.no-return' : 'breaks.is-out');

/** In a player's file: how often, how long, and how often he had the move. @param {Breaks} one @param {boolean} isOver */
export const breaksText = (one, isOver) => [
  say('breaks.times', { n: one.breaks.length, time: isOver && one.out && one.seconds === 0 ? '–' : spanText(isOver ? one.seconds : outFor(one)) }),
  one.having_move > 0 ? say('breaks.having', { n: one.having_move }) : null,
  one.out ? outText(isOver) : null,
].filter(Boolean).join(', ');

/** When somebody left and came back, and how long that was. @param {Breaks['breaks'][number]} one */
const lineText = ({ left, back, seconds }) => (back ? `${clockAt(left)} – ${clockAt(back)} (${spanText(seconds ?? 0)})` : `${clockAt(left)} – ${say('breaks.is-out')}`);

/**
 * Each break that is noted, with the way back: a tap may have been on the wrong player.
 * @param {{ round: number, breaks: Breaks[] }} props
 */
function Noted({ round, breaks }) {
  if (breaks.length === 0) return null;
  /** @param {Breaks} of @param {Breaks['breaks'][number]} one */
  const takeBack = async ({ player }, one) => {
    const sure = await confirm({ title: say('breaks.back-title', { player: player.name }), text: titled(lineText(one), say('breaks.back-text')), action: say('given.take-back') });
    if (sure) await actOn(`api/rounds/${round}/breaks/take-back`, { player: player.number, left: one.left }, say('done.break-back', { player: player.name }));
  };
  return html`
    <details class="more"><summary>${say('breaks.noted')}</summary>
      <ul class="plain-list">${breaks.flatMap((of) => of.breaks.map((one) => html`
        <li key=${`${of.player.number} ${one.left}`}>${titled(of.player.name, lineText(one))} <button type="button" class="quiet" onClick=${() => takeBack(of, one)}>${say('given.take-back')}</button></li>`))}</ul></details>
  `;
}

/** At the table: its two players. @param {{ game: string }} props */
export function TableBreaks({ game }) {
  const { round, pairing } = useSeat(game);
  const breaks = useBreaks(round?.round);
  useSeconds();
  if (!round || !pairing) return null;
  return html`<section class="panel breaks" aria-label=${say('breaks')}><h2>${say('breaks')}</h2><${Pair} round=${round.round} pairing=${pairing} breaks=${breaks} />
    <${Noted} round=${round.round} breaks=${breaks.filter(({ table }) => table === pairing.table)} /></section>`;
}

/** In a list: who is out, and every table of the round where whoever is here may say so. @param {{ round: Round }} props */
export function RoundBreaks({ round }) {
  const isArbiter = useIsArbiter();
  const own = useOwnTables();
  const breaks = useBreaks(round.round).filter((one) => isAt(one, own));
  useSeconds();
  if (!isArbiter) return null;
  const tables = round.pairings.filter((pairing) => pairing.table !== null && pairing.black && isAt(pairing, own));
  if (tables.length === 0) return null;
  /** @param {Pairing} pairing */
  const isOut = (pairing) => breaks.some((one) => one.out && one.table === pairing.table);
  const out = tables.filter(isOut);
  return html`
    <section class="panel breaks" aria-label=${say('breaks')}>
      <h2>${say('breaks')} <span class="count-of">${say('breaks.out', { n: breaks.filter((one) => one.out).length })}</span></h2>
      ${out.length > 0 && html`<ul class="out">${out.map((pairing) => html`<li key=${pairing.table}><${Pair} round=${round.round} pairing=${pairing} breaks=${breaks} /></li>`)}</ul>`}
      <details class="more"><summary>${say('breaks.others')}</summary>
        <ul class="out">${tables.filter((pairing) => !isOut(pairing)).map((pairing) => html`<li key=${pairing.table}><${Pair} round=${round.round} pairing=${pairing} breaks=${breaks} /></li>`)}</ul></details>
      <${Noted} round=${round.round} breaks=${breaks} />
    </section>
  `;
}

/** In a report: each player with sums; in that of the event a table stands as `3.12`, round and table. @param {{ rounds: { round: number, isOver: boolean, breaks: Breaks[] }[], one: boolean }} props */
export function BreaksReport({ rounds, one }) {
  const all = rounds.flatMap(({ round, isOver, breaks }) => breaks.map((player) => ({ round, isOver, player })));
  if (all.length === 0) return null;
  return html`
    <h2>${say('breaks')}</h2>
    <table class="grid plain breaks-report"><thead><tr><th scope="col">${say('grid.table')}</th><th scope="col">${say('report.who')}</th><th scope="col">${say('breaks.count')}</th><th scope="col">${say('breaks.sum')}</th><th scope="col">${say('breaks.moves')}</th></tr></thead>
      <tbody>${all.map(({ round, isOver, player }) => html`<tr><th scope="row">${one ? '' : `${round}.`}${player.table}</th><td>${player.player.name}</td><td>${player.breaks.length}</td>
        <td>${(!player.out || player.seconds > 0) && spanText(player.seconds)}${player.out && html` <span class="hint">${outText(isOver)} (${leftAt(player)} –)</span>`}</td>
        <td>${player.having_move > 0 ? html`<${Icon} name="hand" /> ${player.having_move}` : '–'}</td></tr>`)}</tbody></table>
  `;
}
