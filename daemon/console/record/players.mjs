// @ts-check
// Penalties of the event (Article 12.9), and a file of each player. Nothing is added up: only the regulations could say how.
import { html } from '../app/html.mjs';
import { toGame } from '../app/route.mjs';
import { ask } from '../parts/ask.mjs';
import { actOn } from '../state/event.mjs';
import { codeTitle, penaltyText } from '../words/findings.mjs';
import { say, titled } from '../words/language.mjs';
import { NoteList } from '../floor/notes.mjs';
import { findingsOf } from './gather.mjs';
import { wasLate } from './given.mjs';

/** What Article 12.9 lists. */
const KINDS = /** @type {const} */ (['warning', 'time', 'offender-time', 'game', 'points', 'fine', 'exclusion']);

/** @typedef {import('./gather.mjs').Played} Played */

/** What was entered in a hall is taken back there. @typedef {EventDocument['penalties'][number] & { from?: string }} Entered */

/** @param {{ event: EventDocument, round?: number }} props */
export function Penalties({ event, round }) {
  const shown = event.penalties.filter((/** @type {Entered} */ one) => !round || one.round === round);
  /** @param {number} number */
  const name = (number) => event.players.find((player) => player.number === number)?.name ?? number;
  /** @param {FormEvent} submitted */
  const note = async (submitted) => {
    submitted.preventDefault();
    const form = submitted.currentTarget;
    const { player, what, reason } = Object.fromEntries(new FormData(form));
    if (await actOn('api/penalties', { player: Number(player), round: round ?? event.rounds.at(-1)?.round ?? 1, what, reason }, say('done.penalty'))) form.reset();
  };
  /** @param {EventDocument['penalties'][number]} one */
  const takeBack = async ({ player, round, what }) => {
    const reason = await ask({ title: say('penalty.why', { name: name(player), what }), label: say('grid.reason'), action: say('given.take-back') });
    if (reason !== null) await actOn('api/penalties/take-back', { player, round, what, reason }, say('done.penalty-back'));
  };
  return html`
    <h2>${say('report.penalties')}</h2>
    ${shown.length === 0 ? html`<p>${say('report.none')}</p>` : html`<ul class="plain-list">${shown.map((/** @type {Entered} */ one) => html`<li><b>${name(one.player)}</b>, ${titled(say('desk.round', { n: one.round }), `${one.what}. ${one.reason}`)}
      ${event.open && !one.from && html`<button class="no-print" onClick=${() => takeBack(one)}>${say('given.take-back')}</button>`}</li>`)}</ul>`}
    ${event.players.length > 0 && event.open && html`
      <details class="more no-print"><summary>${say('penalty.note')}</summary>
        <form class="form two" onSubmit=${note}>
          <label><span>${say('report.who')}</span><select name="player">${event.players.map((player) => html`<option value=${player.number}>${player.number} ${player.name}</option>`)}</select></label>
          <label><span>${say('report.penalty')}</span><input name="what" list="penalties" required maxlength="80" autocomplete="off" /></label>
          <datalist id="penalties">${KINDS.map((kind) => html`<option value=${say(`penalty.${kind}`)} />`)}</datalist>
          <label class="wide"><span>${say('grid.reason')}</span><input name="reason" required maxlength="200" autocomplete="off" /></label>
          <button>${say('penalty.enter')}</button>
        </form></details>`}
  `;
}

/** Every player of whom something was written down. @param {{ event: EventDocument, all: Played[], notes: Noted[] }} props */
export function PlayerFiles({ event, all, notes }) {
  const upheld = findingsOf(all, 'upheld');
  const files = event.players.map((player) => ({
    player,
    penalties: event.penalties.filter((one) => one.player === player.number),
    findings: upheld.filter(({ pairing, finding }) => (finding.by === 'white' && pairing.white.number === player.number) || (finding.by === 'black' && pairing.black?.number === player.number)),
    forfeits: all.filter(({ pairing }) => pairing.how === 'forfeit' && ((pairing.white.number === player.number && pairing.codes?.[0] === '-') || (pairing.black?.number === player.number && pairing.codes?.[1] === '-'))),
    // What is about his table is told there.
    noted: notes.filter(({ about }) => about.length === 1 && about[0].number === player.number),
  })).filter(({ penalties, findings, forfeits, noted }) => penalties.length + findings.length + forfeits.length + noted.length > 0);
  if (files.length === 0) return null;
  return html`
    <h2>${say('report.players')}</h2>
    ${files.map(({ player, penalties, findings, forfeits, noted }) => html`
      <section class="player-file"><h3>${player.number} ${player.title} ${player.name}</h3>
        <ul class="plain-list">
          ${findings.map(({ round, from, game, finding }) => html`<li>${say('desk.round', { n: round })}: <a href=${from + toGame(game.id)}>${codeTitle(finding.code)}</a>${finding.penalty ? `. ${penaltyText(finding, wasLate(game, finding))}` : ''}</li>`)}
          ${penalties.map((one) => html`<li>${titled(say('desk.round', { n: one.round }), `${one.what}. ${one.reason}`)}</li>`)}
          ${forfeits.map(({ round }) => html`<li>${titled(say('desk.round', { n: round }), say('how.forfeit'))}</li>`)}
        </ul><${NoteList} notes=${noted} /></section>`)}
  `;
}
