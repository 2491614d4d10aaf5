// @ts-check
// In a report: what was wrong with boards. What passed at once is counted, and not listed: no record has a gap for it.
import { html } from '../app/html.mjs';
import { faultText } from '../words/faults.mjs';
import { say } from '../words/language.mjs';
import { spanText } from './times.mjs';

/** What is over sooner, and did not come back at once, is no more than a number. */
const BRIEF_MS = 10_000;

/** @param {BoardFault} fault */
const isBrief = ({ since, until, times }) => until !== null && times === 1 && until - since < BRIEF_MS;

/** @param {number} n */
const briefText = (n) => say('report.brief', { n, s: BRIEF_MS / 1000 });

/** Nobody's fault, and a reason why a record may have a gap. @param {{ faults: BoardFault[], one: boolean }} props */
export function FaultsReport({ faults, one }) {
  if (faults.length === 0) return null;
  const listed = faults.filter((fault) => !isBrief(fault));
  const brief = faults.length - listed.length;
  return html`
    <h2>${say('report.faults')}</h2>
    ${listed.length > 0 && html`<table class="grid plain faults-report"><thead><tr><th scope="col">${say('grid.table')}</th><th scope="col">${say('report.code')}</th><th scope="col">${say('report.when')}</th></tr></thead>
      <tbody>${listed.map((fault) => html`<tr><th scope="row">${one || fault.round === null ? '' : `${fault.round}.`}${fault.table ?? '–'}</th><td><b>${fault.board}</b> ${faultsText(fault)}</td>
        <td>${whenText(fault)}</td></tr>`)}</tbody></table>`}
    ${brief > 0 && html`<p class="hint">${briefText(brief)}</p>`}
  `;
}

/** What was wrong, and how often where it came back at once. @param {BoardFault} fault */
const faultsText = ({ what, times }) => (times > 1 ? `${faultText(what)} (${say('report.times', { n: times })})` : faultText(what));

/** @param {BoardFault} fault */
const whenText = ({ since, until }) => spanText(since, until, say('report.still'));

/** The same on one line, as a table has it. @param {BoardFault[]} faults */
export function faultsLine(faults) {
  const listed = faults.filter((fault) => !isBrief(fault));
  const brief = faults.length - listed.length;
  return [...listed.map((fault) => `${fault.board} ${faultsText(fault)} (${whenText(fault)})`), brief > 0 && briefText(brief)].filter(Boolean).join('; ');
}
