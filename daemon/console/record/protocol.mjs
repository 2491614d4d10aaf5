// @ts-check
// The protocol of a game, as it is printed and signed.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { useEventFile } from '../state/event.mjs';
import { useNotes, useSeat } from '../state/floor.mjs';
import { link } from '../state/link.mjs';
import { boardTime, eventText, orderedText } from '../words/evidence.mjs';
import { articleText, certaintyText, codeTitle, doubtTitle, moveOf, party, resultReason, resultText, rulesText, statusText } from '../words/findings.mjs';
import { capital, say, titled } from '../words/language.mjs';
import { penaltyWithReason } from '../words/penalties.mjs';
import { fenBefore, localSan, moveNumber } from '../words/pieces.mjs';
import { NoteList, isAbout } from '../floor/notes.mjs';
import { GameObserved } from '../floor/observed.mjs';
import { TimesReport } from '../floor/time.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { moveText, withWhy } from './boardmoves.mjs';
import { authorOf, givenOf, isByItself, isDismissal, isOfProgram, isSaid } from './given.mjs';
import { ResultsSaid } from './resultsaid.mjs';
import { broughtText } from './brought.mjs';
import { rulingsOf } from './rulings.mjs';
import { stopsOf, timesOf } from './stops.mjs';
import { clocksText, dayOf, dayTimeOf, momentOf, spentText, stoppedText, timeOfDay } from './times.mjs';

/** @typedef {NonNullable<GameDocument['view']>} View */
/** @typedef {import('./given.mjs').Given} Given */

/** @param {{ game: GameDocument, script: string | null }} props */
export function Protocol({ game, script }) {
  const { view } = game;
  const moves = useMoves(game.id);
  const given = withWhy(givenOf(game), moves, game.id);
  const lines = given.map(({ line }) => line);
  const rulings = rulingsOf(view?.findings ?? [], given);
  const sum = useSum(script);
  const notes = useNotes().filter((note) => isAbout(note, { game: game.id }));
  const upheld = view?.findings.filter(({ status }) => status === 'upheld') ?? [];
  const open = view?.findings.filter(({ status }) => status === 'open') ?? [];
  // What stands beside its finding is not told once more.
  const beside = new Set([...upheld, ...open].map(({ id }) => rulings.get(id)));
  const dismissed = view?.findings.filter(({ status }) => status === 'dismissed').length ?? 0;
  return html`
    <article class="sheet protocol">
      <header><div><h1>${say('record.title')}</h1><p class="hint">${[game.event, ...placeOf(game.round), say('title.board', { board: game.board }), game.id].filter(Boolean).join(' · ')}</p></div>
        <p class="hint">${[dayOf(game.date), hours(game.started, game.ended)].filter(Boolean).join(', ')}</p></header>
      <div class="players">
        <div><b>${game.white || party('white')}</b><span class="hint">${say('new.white')}</span></div>
        <b class="outcome">${view?.result?.proposed ? html`<span class="phase proposed">${resultText(view.result.result)}</span>` : game.result === '*' ? '–' : resultText(game.result)}</b>
        <div class="right"><b>${game.black || party('black')}</b><span class="hint">${say('new.black')}</span></div>
      </div>
      <dl class="facts">
        ${view?.result && html`<div><dt>${say('games.result')}</dt><dd>${[view.result.reason && resultReason(view.result.reason), view.result.proposed && say('stand.proposed')].filter(Boolean).join(', ')}</dd></div>`}
        ${view && html`<div><dt>${say('record.laws')}</dt><dd>${rulesText(view)}</dd></div>
          <div><dt>${say('sensors')}</dt><dd>${say(`sensors.${view.sensor}`)}</dd></div>`}
        ${game.damage && html`<div><dt>${say('games.damaged')}</dt><dd>${game.damage.what}</dd></div>`}
      </dl>
      ${view && html`<h2>${say('moves')}</h2><${Moves} game=${game} view=${view} />`}
      ${view && [...upheld, ...open].map((finding) => html`<${Found} key=${finding.id} game=${game} view=${view} finding=${finding} all=${lines} order=${rulings.get(finding.id)} />`)}
      ${view && html`<${Rest} view=${view} given=${given.filter((one) => !beside.has(one) && !isDismissal(one.line))} moves=${moves} dismissed=${dismissed} />`}
      <${Clocks} game=${game} />
      <${ResultsSaid} said=${game.results} />
      <${GameObserved} game=${game} />
      ${notes.length > 0 && html`<h2>${say('notes')}</h2><${NoteList} notes=${notes} />`}
      <${Signatures} names=${[game.white || party('white'), game.black || party('black'), say('record.arbiter')]} />
      <p class="foot">${say('record.foot', { version: link.version, time: momentOf(new Date()) })}${sum && html` <span>${say('record.sum')} <code>${sum}</code></span>`}</p>
    </article>
  `;
}

/** Which boards came to the table of a game. @param {string} id @returns {BoardMove[]} */
function useMoves(id) {
  const { told: event } = useEventFile('api/event', undefined, 'open close bind unbind');
  return event?.board_moves.filter((/** @type {BoardMove} */ move) => move.game === id) ?? [];
}

/** A round as PGN has it, such as `3.12`. @param {string} round */
function placeOf(round) {
  const [number, table] = round.split('.').map(Number);
  return [number && say('desk.round', { n: number }), table && say('incident.table', { n: table })];
}

/** @param {string} from @param {string | null} to */
function hours(from, to) {
  return `${timeOfDay(from)} – ${to ? timeOfDay(to) : ''}`;
}

/** @param {{ game: GameDocument, view: View }} props */
function Moves({ game, view }) {
  const stops = stopsOf(game);
  const times = timesOf(view, stops);
  const stopped = stoppedText(view, stops);
  const found = new Map(view.findings.filter(({ status, undone }) => !undone && (status === 'upheld' || status === 'open')).map(({ ply, id }) => [ply, id]));
  const black = view.start_fen.split(' ')[1] === 'b' ? 1 : 0;
  const rows = Array.from({ length: Math.ceil((view.plies.length + black) / 2) }, (_, n) => [2 * n + 1 - black, 2 * n + 2 - black]);
  return html`<ol class="score">${rows.map(([white, next]) => html`
    <li><span class="number">${moveNumber(view, Math.max(white, 1)).replace('…', '.')}</span>${[white, next].map((ply) => {
      const move = view.plies[ply - 1];
      return move ? html`<span class=${move.completed ? '' : 'made'}>${localSan(move.san)}${move.doubtful ? '?' : ''}${found.has(ply) && html`<sup>${found.get(ply)}</sup>`}</span><span class="hint">${spentText(times[ply - 1])}</span>` : html`<span></span><span></span>`;
    })}</li>`)}</ol>${stopped && html`<p class="hint">${stopped}</p>`}`;
}

/** The time of day of what was given, and what the board's clock showed: evidence is told in that. @param {Given} given */
const momentText = ({ line, time }) => [time, boardTime(line.at)].filter(Boolean).join(' · ');

/** One finding with what was seen, and the ruling; `all` that was ordered and said. @param {{ game: GameDocument, view: View, finding: Finding, order: Given | undefined, all: InputLine[] }} props */
function Found({ game, view, finding, order, all }) {
  const penalty = broughtText(game, finding);
  const evidence = finding.evidence.filter((line) => !isOfProgram(line));
  const marks = new Map(finding.squares.map((square) => [/** @type {Key} */ (square), 'mark-finding']));
  return html`
    <section class="found">
      <h2><sup>${finding.id}</sup> ${codeTitle(finding.code)}, ${party(finding.by)}, ${moveOf(view, finding)} <span class="stamp">${statusText(finding.status)}</span></h2>
      <div class="found-body">
        <div class="found-board"><${Chessboard} fen=${finding.undone ?? fenBefore(view, finding.ply)} marks=${marks} label=${say('incident.before', { number: moveNumber(view, finding.ply).replace(/[.…]+$/, '') })} /></div>
        <div><h3>${say('record.found', { certainty: certaintyText(finding.certainty), article: articleText(finding) })}</h3><p>${finding.text}</p>
          <p class="hint">${[dayTimeOf(game, finding), clocksText(view, finding)].filter(Boolean).join(' · ')}</p>
          ${penalty && html`<p>${penalty}</p>`}
          <${Evidence} title=${say('record.saw')} lines=${evidence.filter((line) => !isSaid(line))} all=${all} view=${view} />
          <${Evidence} title=${say('record.said')} lines=${evidence.filter(isSaid)} all=${all} view=${view} /></div>
        ${order && html`<div><h3>${say('record.ruling')}</h3><p>${[momentText(order), authorOf(order.line)].filter(Boolean).join(', ')}</p><p>${eventText(order.line, [], view)}</p></div>`}
      </div>
    </section>
  `;
}

/** What a finding rests on: what sensors saw, or what was said. @param {{ title: string, lines: InputLine[], all: InputLine[], view: View }} props */
const Evidence = ({ title, lines, all, view }) => lines.length > 0 && html`<h3>${title}</h3><ol class="saw">${lines.map((line) => html`<li><time>${boardTime(line.at)}</time> ${eventText(line, all, view)}</li>`)}</ol>`;

/**
 * What a line says. Where findings have no numbers, a ruling says what it is on.
 * @param {InputLine} line
 * @param {View | null | undefined} view
 * @param {View | null} [record] where findings have their numbers, but moves are to be read
 */
export const givenText = (line, view, record = view) => (view ? orderedText(line, view) : eventText(line, [], record ?? undefined));

/** What was given; what was taken back is struck through. @param {{ given: Given, view?: View | null, record?: View | null }} props */
export const GivenText = ({ given, view, record = view }) => (given.undone
  ? html`<del>${capital(whatText(given, view, record))}</del> <span class="hint">${undoneText(given.undone)}</span>`
  : capital(whatText(given, view, record)));

/** What it says; of a game that was stopped by itself, why. @param {Given} given @param {View | null} [view] @param {View | null} [record] */
const whatText = ({ line, isMoved }, view, record) => (isByItself(line) ? say(isMoved ? 'moved.stopped' : 'moved.stopped-itself') : givenText(line, view, record));

/** What was upheld and taken back, and dismissed then: what it was stands with it, and neither a player nor his move. @param {Given} given @param {View | null} [view] */
function ruledText({ line }, view) {
  const found = line.event === 'arbiter' && line.action === 'uphold' && view?.findings.find(({ id }) => id === line.id);
  return found ? say('ruled.upheld', { title: codeTitle(found.code) }) : say('report.was-upheld');
}

/** @param {{ given: Given, view?: View | null }} props */
export const UndoneRuling = ({ given, view }) => html`<del>${capital(ruledText(given, view))}</del> <span class="hint">${given.undone ? undoneText(given.undone) : ''}</span>`;

/** @param {NonNullable<Given['undone']>} undone */
const undoneText = ({ time, who }) => [say('record.taken-back'), time, who].filter(Boolean).join(', ');

/** The same on one line, with the time of day and who gave it. @param {Given} given @param {View | null} [view] @param {boolean} [isUnnamed] */
export const givenLine = (given, view, isUnnamed = false) => [given.time, isUnnamed ? ruledText(given, view) : whatText(given, view), authorOf(given.line) && `(${authorOf(given.line)})`, given.undone && `[${undoneText(given.undone)}]`].filter(Boolean).join(' ');

/** What else was written down. @param {{ view: View, given: Given[], moves: BoardMove[], dismissed: number }} props */
function Rest({ view, given, moves, dismissed }) {
  const orders = [
    ...given.map((one) => ({ at: one.wall, time: momentText(one), what: html`<${GivenText} given=${one} record=${view} />`, who: authorOf(one.line) })),
    ...moves.map((move) => ({ at: move.at, time: timeOfDay(move.at), what: capital(moveText(move)), who: move.by })),
  ].sort((a, b) => a.at - b.at);
  const rows = [
    ...orders,
    ...view.doubts.map((doubt) => ({ time: '', what: titled(say('word.doubt'), `${doubtTitle(doubt.kind)} (${moveNumber(view, doubt.ply)})`), who: say('status.open') })),
  ];
  if (rows.length === 0 && dismissed === 0) return null;
  return html`
    <h2>${say('record.rest')}</h2>
    <table class="grid plain"><thead><tr><th scope="col">${say('record.time')}</th><th scope="col">${say('report.code')}</th><th scope="col">${say('words.by')}</th></tr></thead>
      <tbody>${rows.map((row) => html`<tr><td>${row.time}</td><td>${row.what}</td><td>${row.who}</td></tr>`)}
        ${dismissed > 0 && html`<tr><td></td><td>${say('record.dismissed', { n: dismissed })}</td><td class="hint">${say('record.count-only')}</td></tr>`}</tbody></table>
  `;
}

/** Time that was given to both, and penalties: they change clocks, and stand in no record of moves. @param {{ game: GameDocument }} props */
function Clocks({ game }) {
  const { told: event } = useEventFile('api/event', undefined, 'open close give-time take-time-back penalise take-penalty-back');
  const { round, pairing } = useSeat(game.id, undefined, game.round);
  if (!event || !round || !pairing) return null;
  const times = event.times.filter((/** @type {EventDocument['times'][number]} */ one) => one.round === round.round && one.table === pairing.table);
  const names = new Map([pairing.white, pairing.black].flatMap((one) => (one ? [/** @type {[number, string]} */ ([one.number, one.name])] : [])));
  const penalties = event.penalties.filter((/** @type {EventDocument['penalties'][number]} */ one) => one.round === round.round && names.has(one.player));
  return html`
    <${TimesReport} given=${times} plain />
    ${penalties.length > 0 && html`<h2>${say('report.penalties')}</h2><ul class="plain-list">${penalties.map((/** @type {EventDocument['penalties'][number]} */ one) => html`
      <li>${titled([one.at && timeOfDay(one.at), names.get(one.player)].filter(Boolean).join(' · '), penaltyWithReason(one))}</li>`)}</ul>`}
  `;
}

/** @param {{ names: string[] }} props */
export const Signatures = ({ names }) => html`<ul class="signatures">${names.map((name) => html`<li>${name}</li>`)}</ul>`;

/** The checksum of the script: who has taken it away can show that it is this one. @param {string | null} script */
function useSum(script) {
  const [is, set] = useState({ of: '', sum: '' });
  useEffect(() => {
    if (script && globalThis.crypto?.subtle) sumOf(script).then((sum) => set({ of: script, sum }));
  }, [script]);
  return is.of === script ? is.sum : '';
}

/** @param {string} text */
export async function sumOf(text) {
  const sum = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
