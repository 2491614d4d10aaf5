// @ts-check
// In a report: what arbiters ordered and players said, and which boards came to the tables of games that went on.
import { html } from '../app/html.mjs';
import { capital, say } from '../words/language.mjs';
import { moveText } from './boardmoves.mjs';
import { ordersOf } from './gather.mjs';
import { authorOf } from './given.mjs';
import { GivenText, UndoneRuling } from './protocol.mjs';
import { timeOfDay } from './times.mjs';

/** Beside its table, of what was in a game that does not count. @param {boolean} isNone */
export const noneMark = (isNone) => isNone && html` <span class="hint">${say('report.annulled')}</span>`;

/** @param {{ all: import('./gather.mjs').Played[], moves: BoardMove[] }} props */
export function Interventions({ all, moves }) {
  const orders = ordersOf(all).map(({ pairing, round, isNone, isUnnamed, game, given }) => ({
    at: given.wall, round, time: given.time, by: authorOf(given.line),
    table: html`${pairing.table}${noneMark(isNone)}`,
    what: isUnnamed ? html`<${UndoneRuling} given=${given} view=${game?.view} />` : html`<${GivenText} given=${given} view=${game?.view} />`,
  }));
  const moved = moves.map((move) => ({ at: move.at, round: move.round, time: timeOfDay(move.at), by: move.by, table: move.table, what: capital(moveText(move)) }));
  const rows = [...orders, ...moved].sort((a, b) => a.at - b.at);
  if (rows.length === 0) return null;
  return html`
    <h2>${say('report.orders')}</h2>
    <table class="grid plain interventions"><thead><tr><th scope="col">${say('bar.round')}</th><th scope="col">${say('grid.table')}</th><th scope="col">${say('record.time')}</th><th scope="col">${say('report.code')}</th><th scope="col">${say('words.by')}</th></tr></thead>
      <tbody>${rows.map(({ round, table, time, what, by }) => html`<tr><td>${round}</td><th scope="row">${table}</th><td>${time}</td><td>${what}</td><td>${by || '–'}</td></tr>`)}</tbody></table>
  `;
}
