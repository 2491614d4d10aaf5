// @ts-check
// A hub's own console: what it is for, and where in the halls the rest is.
import { html } from '../app/html.mjs';
import { toReport, toRound } from '../app/route.mjs';
import { hasCalled, useHalls } from '../state/halls.mjs';
import { roomOf, wallOf } from '../state/room.mjs';
import { momentOf } from '../record/times.mjs';
import { say } from '../words/language.mjs';

/** In the place of a page that needs boards. */
export function Ways() {
  const halls = useHalls() ?? [];
  return html`
    <h1>${say('halls.event')}</h1>
    <p class="hub-about">${say('hub.no-boards')}</p>
    <ul class="hub-ways">
      <li><a href="halls.html">${say('hub.halls')}</a></li>
      <li><a href=${toRound()}>${say('hub.rounds')}</a></li>
      <li><a href="public.html">${say('public.title')}</a></li>
      <li><a href=${wallOf(halls)}>${say('hub.wall')}</a></li>
    </ul>
    <${InHalls} title='hub.boards' to="" />
  `;
}

/**
 * The same page of every hall.
 * @param {{ title: Word, about?: Word, to: string }} props `to`: which page, as it is below each hall
 */
function InHalls({ title, about, to }) {
  const halls = useHalls() ?? [];
  return html`
    <section class="panel in-halls" aria-label=${say(title)}>
      <h2>${say(title)}</h2>
      ${about && html`<p class="hint">${say(about)}</p>`}
      <ul class="hub-ways">${halls.map((hall) => html`<li key=${hall.name}>
        ${hasCalled(hall) ? html`<a href=${roomOf(hall.name) + to}>${hall.name}</a>` : html`${hall.name} <span class="hint">${say('halls.never')}</span>`}</li>`)}</ul>
    </section>
  `;
}

/** Beside a round: what of it is done in the halls alone. @param {{ round: number }} props */
export const RoundInHalls = ({ round }) => html`<${InHalls} title='hub.in-halls' about='hub.in-halls-round' to=${toRound(round)} />`;

/**
 * In a report: what of it is of which hall, and up to when. What was not read is said.
 * @param {{ round?: number, halls: HallOfHub[], read: string[], games: string[] }} props `read`: the halls that play the event; `games`: those of which games are in it
 */
export function ReportOfHalls({ round, halls, read, games }) {
  /** @param {HallOfHub} hall */
  const stands = ({ name, connected, behind, written }) => {
    if (!read.includes(name)) return say(games.includes(name) ? 'hub.report-games' : 'hub.report-not');
    return connected && behind === 0 ? say('hub.report-all') : say('hub.report-to', { time: written === null ? '–' : momentOf(new Date(written)) });
  };
  return html`
    <h2>${say('hub.in-halls')}</h2>
    <ul class="plain-list halls-report">${halls.map((hall) => html`<li key=${hall.name}>
      <b>${hasCalled(hall) ? html`<a href=${roomOf(hall.name) + toReport(round)}>${hall.name}</a>` : hall.name}</b>: ${stands(hall)}</li>`)}</ul>
  `;
}
