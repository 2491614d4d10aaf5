// @ts-check
// The report of a round, or of the whole event: results, what was upheld, penalties, forfeits, interventions, signatures.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toGame, toReport, toRound } from '../app/route.mjs';
import { useEventFile } from '../state/event.mjs';
import { useIsArbiter } from '../state/floor.mjs';
import { useIncidents } from '../state/incidents.mjs';
import { hasCalled, useHalls } from '../state/halls.mjs';
import { roomOf } from '../state/room.mjs';
import { link } from '../state/link.mjs';
import { articleText, certaintyText, codeTitle, moveOf, party, resultText } from '../words/findings.mjs';
import { capital, say, useLanguage } from '../words/language.mjs';
import { HaltsReport } from '../desk/halt.mjs';
import { byeText } from '../desk/results.mjs';
import { BreaksReport } from '../floor/breaks.mjs';
import { NoteForm, NoteList } from '../floor/notes.mjs';
import { ObservedReport } from '../floor/observed.mjs';
import { TimesReport } from '../floor/time.mjs';
import { ReportOfHalls } from '../hub/ways.mjs';
import { Icon } from '../parts/icon.mjs';
import { Unread, csvOf, eventOf, findingsOf, gather, gatherFloor, keptOf, read, save, sourcesOf, withAnnulled } from './gather.mjs';
import { withWhy } from './boardmoves.mjs';
import { FaultsReport } from './faults.mjs';
import { Penalties, PlayerFiles } from './players.mjs';
import { Interventions, noneMark } from './interventions.mjs';
import { Signatures, sumOf } from './protocol.mjs';
import { ChangedResults } from './resultsaid.mjs';
import { broughtText } from './brought.mjs';
import { rowsOf } from './rows.mjs';
import { clocksText, dayOf, dayTimeOf, momentOf } from './times.mjs';
import { fromText, whoIs } from './whence.mjs';

/** @typedef {import('./gather.mjs').Played} Played */
/** @typedef {import('./gather.mjs').Floor} Floor */
/** @typedef {Floor & { of: number | undefined, event: EventDocument, halls: string[], rounds: Round[], all: Played[], sum: string, at: Date }} Made */

/** After so long what was not read is read again. */
const AGAIN_MS = 2_000;

/** Whoever is not shown what was found would sign that nothing was. @param {{ number?: number }} props */
export function Report({ number }) {
  const isArbiter = useIsArbiter();
  return isArbiter ? html`<${OfArbiter} number=${number} />` : html`<${Nothing} number=${number} why=${say('report.of-arbiters')} />`;
}

/** @param {number} [number] left out for the whole event */
const titleOf = (number) => (number ? say('report.of-round', { n: number }) : say('report.of-event'));

/** In place of a report. @param {{ number?: number, why: string }} props */
const Nothing = ({ number, why }) => html`<h1>${titleOf(number)}</h1><p class="empty">${why}</p>`;

/** @param {{ number?: number }} props */
function OfArbiter({ number }) {
  const { told, problem } = useEventFile('api/event');
  const [made, setMade] = useState(/** @type {Made | null} */ (null));
  const [progress, setProgress] = useState('');
  const [unread, setUnread] = useState(/** @type {string | null} */ (null));
  const language = useLanguage();
  const halls = useHalls();
  // What is found and ruled at boards is no act of the event.
  const ruled = useIncidents().map(({ id, version, rulings }) => `${id} ${version} ${rulings.length}`).sort().join();
  useEffect(() => {
    if (!told || halls === undefined) return undefined;
    let isLeft = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const wanted = number ? [number] : told.rounds.map((/** @type {RoundSummary} */ round) => round.round);
    const make = async () => {
      const at = new Date();
      const rounds = await Promise.all(wanted.map((/** @type {number} */ n) => read(`api/rounds/${n}`, () => say('desk.round', { n }), null)));
      const known = rounds.filter(Boolean);
      const all = await gather(known, language, (done, of) => !isLeft && setProgress(say('report.reading', { n: done, of })));
      const sources = await sourcesOf(told, (halls ?? []).filter(hasCalled));
      const [floor, event] = [await gatherFloor(known, sources), eventOf(sources)];
      for (const one of withAnnulled(all)) one.given = withWhy(one.given, event.board_moves, one.game?.id);
      const sum = globalThis.crypto?.subtle ? await sumOf(JSON.stringify([event, known, keptOf(all), floor])) : '';
      if (isLeft) return;
      setUnread(null);
      setMade({ of: number, event, halls: sources.flatMap(({ hall }) => hall ?? []), rounds: known, all, sum, at, ...floor });
    };
    const tryIt = () => make().catch((error) => {
      if (isLeft) return;
      setUnread(say('report.unread', { what: error instanceof Unread ? error.message : String(error) }));
      timer = setTimeout(tryIt, AGAIN_MS);
    });
    tryIt();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [number, told?.acts, language, readOf(halls), ruled]);
  if (!made || made.of !== number) return html`<${Nothing} number=${number} why=${problem ?? unread ?? (progress || say('desk.reading'))} />`;
  const { event, rounds, all, sum, breaks, seal } = made;
  const notes = made.notes.filter((note) => !number || note.round === number);
  const faults = made.faults.filter((fault) => (!number || fault.round === number || lastsInto(fault, rounds[0])));
  return html`
    <div class="record-head no-print">
      ${number ? html`<a class="back" href=${toRound(number)}><${Icon} name="back" /> ${say('desk.round', { n: number })}</a> <a href=${toReport()}>${say('report.of-event')}</a>` : html`<a class="back" href=${toRound()}><${Icon} name="back" /> ${say('bar.round')}</a>`}
      <span class="spacer"></span>
      <button disabled=${unread !== null} onClick=${() => save(number ? `round-${number}.csv` : 'event.csv', csvOf(rowsOf(all, rounds, { ...made, faults }, event)))}>CSV</button>
      <button class="strong" disabled=${unread !== null} onClick=${() => print()}><${Icon} name="print" /> ${say('record.print')}</button>
    </div>
    ${unread && html`<p class="problem" role="alert">${unread}</p>`}
    <article class="sheet report">
      <header><div><h1>${titleOf(number)}</h1><p class="hint">${[event.details.name, event.details.site, number ? rounds[0] && dayOf(rounds[0].date) : [event.details.start, event.details.end].filter(Boolean).map(dayOf).join(' – ')].filter(Boolean).join(' · ')}</p></div>
        <p class="hint">${event.details.chief_arbiter}</p></header>
      ${rounds.map((round) => html`<${ResultsOf} round=${round} all=${all} one=${Boolean(number)} />`)}
      <${ChangedResults} changed=${made.changed} one=${Boolean(number)} />
      <${Upheld} all=${all} one=${Boolean(number)} />
      <${Penalties} event=${event} round=${number} />
      <${Forfeits} all=${all} />
      <${Interventions} all=${all} moves=${event.board_moves.filter((/** @type {BoardMove} */ move) => !number || move.round === number)} />
      <${HaltsReport} halts=${event.halts.filter((/** @type {EventDocument['halts'][number]} */ halt) => !number || halt.boards.some(({ game }) => withAnnulled(all).some((one) => one.game?.id === game)))} />
      <${TimesReport} given=${event.times.filter((/** @type {EventDocument['times'][number]} */ one) => !number || one.round === number)} />
      <${ObservedReport} observed=${made.observed.filter((one) => !number || one.round === number)} one=${Boolean(number)} />
      <${BreaksReport} rounds=${breaks} one=${Boolean(number)} />
      <${FaultsReport} faults=${faults} one=${Boolean(number)} />
      <${NotesReport} notes=${notes} event=${event} round=${number} />
      ${!number && html`<${PlayerFiles} event=${event} all=${all} notes=${made.notes} breaks=${breaks} />`}
      ${halls && html`<${ReportOfHalls} round=${number} halls=${halls} read=${made.halls} games=${all.flatMap(({ pairing, game }) => (game && pairing.in_hall ? pairing.in_hall.hall : []))} />`}
      <${Signatures} names=${[event.details.chief_arbiter || say('role.chief'), say('report.organiser')]} />
      <p class="foot">${say('record.foot', { version: link.version, time: momentOf(made.at) })}${sum && html` <span>${say('report.sum', { acts: event.acts })} <code>${sum}</code></span>`}${seal?.sum && html` <span>${say('report.seal', { acts: seal.acts })} <code>${seal.sum}</code></span>`}</p>
    </article>
  `;
}

/** Which halls are read. Like the rest that is read again with the next act. @param {HallOfHub[] | null | undefined} halls */
const readOf = (halls) => halls && halls.filter(hasCalled).map(({ name }) => name).join();

/** @param {{ round: Round, all: Played[], one: boolean }} props */
function ResultsOf({ round, all, one }) {
  return html`
    ${!one && html`<h2>${say('desk.round', { n: round.round })}</h2>`}
    <table class="grid plain"><caption class="spoken">${say('desk.results')}</caption>
      <thead><tr><th scope="col">${say('grid.table')}</th><th scope="col">${say('new.white')}</th><th scope="col">${say('games.result')}</th><th scope="col">${say('new.black')}</th><th scope="col">${say('grid.from')}</th></tr></thead>
      <tbody>${round.pairings.map((pairing) => html`<tr>
        <th scope="row">${pairing.table === null ? '–' : addressOf(pairing) ? html`<a href=${addressOf(pairing)}>${pairing.table}</a>` : pairing.table}</th><td>${pairing.white.name}</td>
        <td>${!pairing.black && pairing.result ? byeText(pairing.result) : pairing.result ? html`${resultText(pairing.result)}${pairing.confirmed ? '' : html` <span class="hint">${say('stand.proposed')}</span>`}` : pairing.postponed ? say('stand.postponed') : '–'}</td>
        <td>${pairing.black ? pairing.black.name : pairing.result ? '' : say('draw.bye')}</td><td>${fromText(pairing, round, all.find((one) => one.pairing === pairing)?.game)}</td></tr>`)}</tbody></table>
  `;
}

/** Where the game of a pairing is shown. @param {Pairing} pairing */
function addressOf({ game, in_hall: place }) {
  if (place) return place.game && roomOf(place.hall) + toGame(place.game);
  return game && toGame(game);
}

/** What was upheld, in full; what was dismissed by its number only. @param {{ all: Played[], one: boolean }} props */
function Upheld({ all, one }) {
  const dismissed = findingsOf(all, 'dismissed').length;
  const open = findingsOf(all, 'open');
  return html`
    <h2>${say('report.upheld')}</h2>
    <${Found} found=${findingsOf(all, 'upheld')} one=${one} isRuled />
    ${dismissed > 0 && html`<p>${say('record.dismissed', { n: dismissed })} <span class="hint">${say('record.count-only')}</span></p>`}
    ${open.length > 0 && html`<h2>${capital(say('stand.disputed'))}</h2><p class="hint">${say('report.unruled')}</p><${Found} found=${open} one=${one} />`}
  `;
}

/** What nobody has ruled on is said of a side, not of a person. @param {{ found: ReturnType<typeof findingsOf>, one: boolean, isRuled?: boolean }} props */
function Found({ found, one, isRuled = false }) {
  return html`
    ${found.length === 0 ? html`<p>${say('report.none')}</p>` : html`
      <table class="grid plain"><thead><tr>${!one && html`<th scope="col">${say('bar.round')}</th>`}<th scope="col">${say('grid.table')}</th><th scope="col">${say('record.time')}</th><th scope="col">${say('report.code')}</th><th scope="col">${say('report.who')}</th><th scope="col">${say(isRuled ? 'report.penalty' : 'report.would')}</th></tr></thead>
        <tbody>${found.map(({ pairing, round, from, isNone, game, finding }) => html`<tr>${!one && html`<td>${round}</td>`}<th scope="row"><a href=${from + toGame(game.id)}>${pairing.table}</a>${noneMark(isNone)}</th><td class="day-time">${dayTimeOf(game, finding) ?? say('record.unknown')}</td>
          <td><b>${codeTitle(finding.code)}</b> <span class="hint">${[!isRuled && certaintyText(finding.certainty), articleText(finding), game.view && moveOf(game.view, finding)].filter(Boolean).join(', ')}</span><br />${finding.text}${game.view && html` <span class="hint">${clocksText(game.view, finding)}</span>`}</td>
          <td>${isRuled ? whoIs(pairing, finding.by) : party(finding.by)}</td><td>${broughtText(game, finding) ?? '–'}</td></tr>`)}</tbody></table>`}
  `;
}

/** @param {{ all: Played[] }} props */
function Forfeits({ all }) {
  const lost = all.filter(({ pairing }) => pairing.how === 'forfeit');
  if (lost.length === 0) return null;
  return html`<h2>${say('report.forfeits')}</h2><ul class="plain-list">${lost.map(({ pairing, round }) => html`
    <li>${say('desk.round', { n: round })}, ${say('absent.line', { table: pairing.table, white: pairing.white.name, black: pairing.black?.name, result: resultText(pairing.result ?? '–') })}</li>`)}</ul>`;
}

/** What arbiters noted, and the means to note something of a player. @param {{ notes: Noted[], event: EventDocument, round?: number }} props */
function NotesReport({ notes, event, round }) {
  const isArbiter = useIsArbiter();
  const writes = isArbiter && event.open && event.players.length > 0;
  if (notes.length === 0 && !writes) return null;
  return html`
    <h2 class=${notes.length === 0 ? 'no-print' : ''}>${say('notes')}</h2>
    <${NoteList} notes=${notes} withTable />
    ${writes && html`<details class="more no-print"><summary>${say('notes.of-player')}</summary><${NoteForm} about=${{ round: round ?? event.rounds.at(-1)?.round }} players=${event.players} /></details>`}
  `;
}

/** Whether a board that was faulty before the round was still so when it was started. @param {BoardFault} fault @param {Round | undefined} round */
function lastsInto({ round: known, since, until }, round) {
  if (known !== null || !round?.started) return false;
  const started = Number(new Date(round.started));
  return since <= started && (until ?? Infinity) > started;
}
