// @ts-check
// What people said of results at the desk: by whom, when, instead of what, and why.
import { html } from '../app/html.mjs';
import { resultText } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { timeOfDay } from './times.mjs';

/** @param {ResultSaid} said */
export function resultSaidText({ what, result, how, instead }) {
  const source = how && !ALWAYS.has(what) ? say(`how.${how}`) : '';
  const told = say(`said.${what}`, { result: resultText(result ?? '–') });
  const before = instead && what !== 'confirmed' ? say('said.instead', { result: resultText(instead) }) : '';
  return [told, source && what !== 'confirmed' ? `(${source})` : '', before].filter(Boolean).join(' ');
}

/** The same on one line, with when, by whom and why. @param {ResultSaid} said */
export const saidLine = (said) => [`${timeOfDay(said.at)} ${resultSaidText(said)}`, said.by && `(${said.by})`, said.reason].filter(Boolean).join(' ');

const ALWAYS = new Set(['withdrawn', 'annulled', 'reinstated', 'postponed', 'resumed']);

/** Whether one that stood was changed or taken back, or the game was none, or is played another time. @param {ResultSaid} said */
export const isChange = ({ what, instead, reason }) => ALWAYS.has(what) || Boolean(instead) || reason !== '';

/** In the protocol of a game. @param {{ said: ResultSaid[] }} props */
export function ResultsSaid({ said }) {
  if (said.length === 0) return null;
  return html`
    <h2>${say('said.title')}</h2>
    <table class="grid plain results-said"><thead><tr><th scope="col">${say('record.time')}</th><th scope="col">${say('games.result')}</th><th scope="col">${say('grid.reason')}</th><th scope="col">${say('words.by')}</th></tr></thead>
      <tbody>${said.map((one) => html`<tr><td>${timeOfDay(one.at)}</td><td>${resultSaidText(one)}</td><td>${one.reason}</td><td>${one.by || '–'}</td></tr>`)}</tbody></table>
  `;
}

/** In a report: what was changed; in that of the event a table stands as `3.12`, round and table. @param {{ changed: { round: number, said: ResultSaid }[], one: boolean }} props */
export function ChangedResults({ changed, one }) {
  if (changed.length === 0) return null;
  return html`
    <h2>${say('said.changed')}</h2>
    <table class="grid plain results-said"><thead><tr><th scope="col">${say('grid.table')}</th><th scope="col">${say('record.time')}</th><th scope="col">${say('games.result')}</th><th scope="col">${say('grid.reason')}</th><th scope="col">${say('words.by')}</th></tr></thead>
      <tbody>${changed.map(({ round, said }) => html`<tr><th scope="row">${one ? '' : `${round}.`}${said.table}</th><td>${timeOfDay(said.at)}</td><td>${resultSaidText(said)}</td><td>${said.reason}</td><td>${said.by || '–'}</td></tr>`)}</tbody></table>
  `;
}
