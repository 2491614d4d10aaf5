// @ts-check
// One incident: what was found, what follows, why; the board below. What can be done stays under the thumb.
import { useEffect, useRef } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { go, toBoard, toGame, toInbox, toIncident, toSeen } from '../app/route.mjs';
import { useGame } from '../state/game.mjs';
import { isPlayed, isSentHere, isWaiting, maySeeTo, now, ruleOn, sayOf, useIncident, useIncidents } from '../state/incidents.mjs';
import { useLink } from '../state/link.mjs';
import { useMe } from '../state/me.mjs';
import { isHere } from '../state/name.mjs';
import { observersOf, useObserved } from '../state/observed.mjs';
import { proposedOn, wasDeclaredLost, straightenedWord, wasPutRight, wouldCut } from '../state/offences.mjs';
import { dismiss, result, uphold, upholdForRecord } from '../state/orders.mjs';
import { boardById, useWholeBoard } from '../state/store.mjs';
import { useTexts } from '../state/texts.mjs';
import { subscribe } from '../state/topics.mjs';
import { isMated } from '../state/urgency.mjs';
import { articleText, certaintyText, codeTitle, moveOf, party, restsText, resultText } from '../words/findings.mjs';
import { openOf, proposedText, standText, titleOf } from '../words/incidents.mjs';
import { say } from '../words/language.mjs';
import { fenBefore, moveNumber } from '../words/pieces.mjs';
import { earlierRound, placeName } from '../words/place.mjs';
import { followsText, goneBy, triedOut } from '../board/changes.mjs';
import { Doubts, MAY_BE_NONE, clockShows, confirmNoResult, fallenOf } from '../board/doubts.mjs';
import { Evidence } from '../board/evidence.mjs';
import { Fault } from '../board/fault.mjs';
import { PutBack } from '../board/putback.mjs';
import { Restore } from '../board/restore.mjs';
import { Swapped } from '../board/swapped.mjs';
import { UnsetPanel } from '../board/unset.mjs';
import { requiredShapes } from '../board/marks.mjs';
import { Notes } from '../floor/notes.mjs';
import { ObservedMark } from '../floor/observed.mjs';
import { GivePenalty } from '../floor/penalty.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { alone, useAlone } from '../parts/alone.mjs';
import { useGoOn } from '../parts/focus.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Icon } from '../parts/icon.mjs';
import { Tag } from '../parts/tag.mjs';
import { useSeconds } from '../parts/seconds.mjs';
import { Dock } from './dock.mjs';
import { useFilters } from './filters.mjs';
import { Gone } from './gone.mjs';
import { HowLong, Later, letWait } from './later.mjs';
import { drop, useOnItsWay } from '../state/outbox.mjs';
import { PastDoubts } from './pastdoubts.mjs';
import { RulingList, askTakeBack } from './ruling.mjs';
import { SendTo } from './send.mjs';
import { useWakeLock } from './wakelock.mjs';
import { WhatFollows } from './follows.mjs';
import { ToRecord } from '../parts/torecord.mjs';

/** @typedef {import('../state/outbox.mjs').Sent} Sent */
/** @typedef {import('./follows.mjs').GameRecord} GameRecord */

/** So long no key rules on the finding that has taken the place of another. */
const NEXT_MS = 1_000;

/** What comes next once something is ruled on: what is left to be done for it, else what else is open there. */
const AFTER_RULING = ['.steps:has(> .first)', '.need-panel.irregularity'];

/** Of a board that is not there. */
const NOTHING = { findings: [], doubts: [], result_text: null };

/** @param {{ id: string }} props */
export function IncidentPage({ id }) {
  const told = useIncident(id);
  const read = useTexts(told?.game ?? '', { findings: told?.findings ?? [], doubts: told?.doubts ?? [], result_text: told?.proposed?.text ?? null });
  const incident = told && { ...told, findings: read.findings, doubts: read.doubts, proposed: told.proposed && { ...told.proposed, text: read.result_text } };
  const seen = useWholeBoard(incident?.board ?? '');
  const whole = useTexts(seen?.game ?? '', seen ?? NOTHING);
  const board = seen && /** @type {Shown} */ (whole);
  const me = useMe();
  const { isTold } = useLink();
  const { is } = useFilters();
  const others = useIncidents().filter((other) => other.id !== id && isWaiting(other) && is(other));
  // Until it is known who is here the daemon decides.
  const may = !incident || !me || maySeeTo(incident, me);
  const foreign = may ? null : me?.tables ?? '';
  const onItsWay = useOnItsWay(id);
  useSeconds();
  useWakeLock();
  const isKnown = me !== null;
  const isNew = incident && !incident.seen && ['new', 'undone'].includes(incident.state);
  useEffect(() => {
    if (incident && isNew && isKnown && may) sayOf(incident, 'seen');
  }, [id, isNew, isKnown, may]);
  const [first] = incident ? openOf(incident) : [];
  // Of a game whose board plays the next one only the journal knows what was played.
  const past = useGame(incident?.over && !incident.at_hand ? incident.game : '', incident?.version);
  const isAsked = Boolean(incident) && isAskedHere(/** @type {Incident} */ (incident));
  useGoOn(incident ? openOf(incident).map((finding) => finding.id) : [], onItsWay?.body.order.id, others.length > 0 ? [...AFTER_RULING, '.dock .next', 'h1'] : [...AFTER_RULING, 'h1', '.dock .next']);
  const shown = board && incident && incident.at_hand && board.game === incident.game ? board : null;
  const record = shown ?? past?.view ?? null;
  // Its game has its result, and what would be put back stands nowhere, or would take that away.
  const isLate = Boolean(first && incident?.over && wouldCut(first, record));
  useKeysOf(((may || isAsked) && incident) || null, first, Boolean(onItsWay), may, isLate);
  if (!incident && !isTold) return html`<${Head} /><p class="empty">${say('hall.connecting')}</p>`;
  if (!incident) {
    return html`<${Head} /><${Gone} id=${id} /><${Dock} shape="gone"><${Next} others=${others} strong /><//>`;
  }
  const open = openOf(incident);
  const blamed = open[0] ?? incident.findings.find(({ status }) => status === 'upheld');
  const isLeft = incident.rulings.length > 0 && open.length === 0;
  return html`
    <${Head} incident=${incident} />
    <${RulingList} incident=${incident} board=${shown} may=${may} />
    ${shown && html`<${Swapped} board=${shown} />`}
    ${incident.proposed && html`<${ProposedPanel} proposed=${incident.proposed} board=${shown} />`}
    ${open.map((finding) => html`<${FindingPanel} key=${finding.id} incident=${incident} finding=${finding} board=${shown} record=${record} may=${may} />`)}
    ${(incident.kind === 'fault' || incident.kind === 'missed' || incident.unset || shown) && board && html`<fieldset class="others" disabled=${foreign !== null}><${Others} incident=${incident} board=${board} /></fieldset>`}
    ${!shown && incident.doubts.length > 0 && html`<fieldset class="others" disabled=${foreign !== null}><${PastDoubts} incident=${incident} board=${board} /></fieldset>`}
    ${!incident.at_hand && html`<p class="hint">${say(incident.over ? 'incident.over' : 'incident.adjourned')}</p>`}
    ${may && !isLeft && html`<${SendTo} key=${id} incident=${incident} />`}
    <fieldset class="others of-table" disabled=${foreign !== null}>${foreign !== null && html`<p class="hint">${whyForeign(incident, foreign)}</p>`}
      <${GivePenalty} game=${incident.game} board=${shown} by=${blamed?.by} alone />
      <${Notes} about=${{ incident: id, game: incident.game }} /></fieldset>
    ${shown && html`<${Below} incident=${incident} board=${shown} finding=${open[0]} />`}
    <${Acts} incident=${incident} board=${shown} finding=${open[0]} others=${others} isLeft=${isLeft} onItsWay=${onItsWay} foreign=${foreign} isLate=${isLate} />
  `;
}

/**
 * While something is on its way no key counts, but for the wish to take it back: that is heard once it has come.
 * @param {Incident | null} incident
 * @param {Finding | undefined} first
 * @param {boolean} busy
 * @param {boolean} may else he was asked to go there, and says whether he does
 * @param {boolean} isLate what is upheld is upheld without consequence
 */
function useKeysOf(incident, first, busy, may, isLate) {
  // A key that is held, or pressed twice, means the finding that it was pressed for.
  const shown = useRef({ incident: incident?.id, finding: first?.id, since: 0 });
  useEffect(() => {
    const { incident: of, finding, since } = shown.current;
    const isNext = of === incident?.id && finding !== undefined && finding !== first?.id;
    shown.current = { incident: incident?.id, finding: first?.id, since: isNext ? Date.now() : since };
  }, [incident?.id, first?.id]);
  const wished = useRef(/** @type {Said['key'] | null} */ (null));
  useEffect(() => subscribe('key', (said) => {
    if (!incident || (!may && said !== 'going')) return;
    if ((said === 'uphold' || said === 'dismiss') && Date.now() - shown.current.since < NEXT_MS) return;
    if (!busy) obey(said, incident, first, isLate);
    else wished.current = said === 'take-back' ? said : null;
  }), [incident, first, busy, may, isLate]);
  useEffect(() => {
    if (busy || !incident || !wished.current || incident.rulings.length === 0) return;
    const said = wished.current;
    wished.current = null;
    obey(said, incident, first, isLate);
  }, [incident, busy]);
}

/**
 * A key that was pressed.
 * @param {Said['key']} said
 * @param {Incident} incident
 * @param {Finding | undefined} finding
 * @param {boolean} isLate
 */
function obey(said, incident, finding, isLate) {
  const isLeft = incident.rulings.length > 0 && !finding;
  if (said === 'uphold' && finding) upholdIt(incident, finding, isLate);
  if (said === 'dismiss' && finding) dismissIt(incident, finding);
  if (said === 'going' && !isLeft) sayOf(incident, isOwnWay(incident) ? 'left' : 'going');
  if (said === 'later' && !isLeft) incident.state === 'later' ? sayOf(incident, 'awake') : letWait(incident);
  if (said === 'take-back' && incident.rulings.length > 0) askTakeBack(incident, incident.rulings[incident.rulings.length - 1]);
}

/** @param {{ incident?: Incident }} props */
function Head({ incident }) {
  const observed = useObserved();
  const observers = observersOf(observed, incident && isPlayed(incident) ? incident.table : null);
  const round = incident && earlierRound(incident);
  return html`
    <div class="incident-head">
      <a class="back" href=${toInbox()}><${Icon} name="back" /> ${say('bar.inbox')}</a>
      ${incident && html`<h1>${round ? `${say('desk.round', { n: round })}, ` : ''}${placeName(incident)}</h1>
        ${incident.game && html`<span class="pair">${incident.white || party('white')} – ${incident.black || party('black')}</span>`}
        <span class="stand">${standText(incident, now())}</span>
        <${ObservedMark} observers=${observers} named />
        ${incident.at_hand || !incident.game
          ? html`<a class="to-board" href=${toBoard(incident.board)}>${say('incident.whole')}</a>`
          : html`<${ToRecord} kind="to-board" to=${toGame(incident.game)} or=${null}>${say('games.game')}<//>`}`}
    </div>
  `;
}

/** `record`: the game as it stands, be it on no board any more. @param {{ incident: Incident, finding: Finding, board: Shown | null, record: GameRecord | null, may: boolean }} props */
function FindingPanel({ incident, finding, board, record, may }) {
  const straightened = straightenedWord(finding, board);
  return html`
    <section class=${`need-panel irregularity is-${finding.certainty}`} data-finding=${finding.id}>
      <header>
        <${Tag} kind="irregularity" word=${`${say('word.irregularity')} · ${certaintyText(finding.certainty)}`} certainty=${finding.certainty} />
        <h2>${codeTitle(finding.code)}</h2>
      </header>
      ${straightened && html`<p class="put-right"><${Icon} name="check" /> ${say(straightened)}</p>`}
      ${finding.undone || wasPutRight(finding, board) || straightened ? html`<p class="hint">${say('finding.then', { text: finding.text })}</p>` : html`<p>${finding.text}</p>`}
      <p class="sub">${[party(finding.by), articleText(finding), board && moveOf(board, finding)].filter(Boolean).join(' · ')}</p>
      ${finding.claim && !finding.claim.open && html`<p class="claim-window is-closed"><i aria-hidden="true"></i> ${say('claim.closed', { by: finding.claim.by })}</p>`}
      <${WhatFollows} finding=${finding} board=${board} isOver=${incident.over} record=${record} may=${may} />
      <${Evidence} lines=${finding.evidence} record=${board} onPoint=${() => {}} />
    </section>
  `;
}

/** What is only proposed looks so. @param {{ proposed: Proposed, board: Shown | null }} props */
function ProposedPanel({ proposed, board }) {
  const rests = board && restsText(board, proposedOn(board));
  return html`
    <section class="need-panel proposed">
      <header><${Tag} kind="proposed" word=${say('word.proposed')} /><h2>${proposedText(proposed)}</h2></header>
      ${(proposed.text || rests) && html`<p>${proposed.text}${rests}</p>`}
      ${board && proposed.reason === 'flag-fall' && html`<p class="hint">${clockShows(board, fallenOf(board, proposed.result))}</p>`}
    </section>
  `;
}

/** What is answered in its own panel, as on the page of the board. @param {{ incident: Incident, board: Shown }} props */
function Others({ incident, board }) {
  if (incident.kind === 'fault') return html`<${Fault} board=${board} />`;
  if (incident.unset) return html`<${UnsetPanel} board=${board} />`;
  return html`
    ${(incident.restore || incident.kind === 'restore') && html`<${Restore} board=${board} waits=${Boolean(incident.restore)} />`}
    ${(incident.doubts.length > 0 || incident.missed) && html`<${Doubts} board=${board} table=${incident.table} incident=${incident} onPoint=${() => {}} />`}
  `;
}

/** @param {{ incident: Incident, board: Shown, finding?: Finding }} props */
function Below({ incident, board, finding }) {
  const ply = incident.ply ?? board.plies.length + 1;
  const isBefore = Boolean(finding?.undone) || ply <= board.plies.length;
  const fen = finding?.undone ?? (isBefore ? fenBefore(board, ply) : board.fen);
  const marks = new Map((finding?.squares ?? []).map((square) => [/** @type {Key} */ (square), 'mark-finding']));
  return html`
    <section class="below"><h3>${isBefore ? say('incident.before', { number: moveNumber(board, ply).replace(/[.…]+$/, '') }) : say('position')}</h3>
      <div class="below-board position"><${Chessboard} fen=${fen} marks=${marks} shapes=${requiredShapes(fen, finding?.undone ? null : finding?.required)} coordinates label=${titleOf(incident)} /></div>
      <p><${ToRecord} to=${toSeen(board.game)} or=${null}>${say('replay.title')}<//></p></section>
  `;
}

/**
 * Whoever may say nothing of it is told so; what waits for the line can be dropped here as well.
 * `isLate`: its game has its result, and can no longer be taken back to before it.
 * @param {{ incident: Incident, board: Shown | null, finding?: Finding, others: Incident[], isLeft: boolean, onItsWay?: Sent, foreign: string | null, isLate: boolean }} props
 */
function Acts({ incident, board, finding, others, isLeft, onItsWay, foreign, isLate }) {
  const { proposed } = incident;
  const waits = onItsWay?.late;
  // Whoever is asked to go says whether he does, at whichever table.
  const isAsked = isAskedHere(incident);
  const acts = (foreign === null || isAsked) && !isLeft;
  return html`
    <${Dock} label=${titleOf(incident)} shape=${[finding?.id, isLeft, proposed?.result, waits, isOwnWay(incident), isAsked, incident.state === 'later', foreign, isLate].join()} busy=${Boolean(onItsWay && !waits)}>
      ${foreign !== null && html`<p class="hint">${foreignText(incident, foreign)}</p>`}
      ${acts && foreign === null && html`<${HowLong} incident=${incident} />`}
      <div class="acts">
        ${acts && html`<${SeeTo} incident=${incident} isAsked=${foreign !== null} />`}
        <${Next} others=${others} strong=${(isLeft && !proposed) || foreign !== null} />
      </div>
      ${onItsWay && waits && html`
        <div class="rule waits"><p><${Icon} name="unplugged" /> <span>${onItsWay.what} <strong>${say('waiting.kept')}</strong></span></p><button onClick=${() => drop(onItsWay)}>${say('waiting.drop')}</button></div>`}
      ${foreign === null && !waits && html`<${Rule} incident=${incident} board=${board} finding=${finding} isLate=${isLate} />`}
    <//>
  `;
}

/** Whose it is. @param {Incident} incident @param {string} tables that are his who is here; none where he is no arbiter */
const foreignText = (incident, tables) => (tables ? say('incident.foreign', { table: placeName(incident), tables: tables.replace('-', '–') }) : say('incident.not-his'));

/** Why nothing is noted there by whoever is here: being asked to go gives nobody the table. @param {Incident} incident @param {string} tables */
const whyForeign = (incident, tables) => (isAskedHere(incident) && tables ? say('incident.sent-foreign', { table: placeName(incident), tables: tables.replace('-', '–') }) : foreignText(incident, tables));

/** Whether whoever is here was asked to go there, or has said that he goes. @param {Incident} incident */
const isAskedHere = (incident) => isSentHere(incident) || (incident.state === 'going' && isHere(incident.going?.who));

/**
 * Whether whoever is here is on the way, or somebody of whom no name is known. Where another is, one goes in his place.
 * @param {Incident} incident
 */
function isOwnWay({ state, going }) {
  return state === 'going' && (!going?.who || isHere(going.who));
}

/** `isAsked`: the table is none of his own, and somebody has asked him to go. @param {{ incident: Incident, isAsked: boolean }} props */
function SeeTo({ incident, isAsked }) {
  const isGoing = isOwnWay(incident);
  if (isAsked) {
    return html`
      ${!isGoing && html`<button onClick=${() => sayOf(incident, 'going')}><${Icon} name="walk" /> ${say('incident.going')}</button>`}
      <button onClick=${() => sayOf(incident, 'left')}>${say('incident.stay')}</button>`;
  }
  return html`
    <button onClick=${() => sayOf(incident, isGoing ? 'left' : 'going')}><${Icon} name="walk" /> ${say(isGoing ? 'incident.stay' : 'incident.going')}</button>
    <${Later} incident=${incident} />
  `;
}

/** @param {{ incident: Incident, board: Shown | null, finding?: Finding, isLate: boolean }} props */
function Rule({ incident, board, finding, isLate }) {
  const { proposed } = incident;
  const busy = useAlone(finding ? rulingOn(incident, finding) : '');
  if (finding) {
    return html`
      ${openOf(incident).length > 1 && html`<p class="hint">${say('incident.about', { title: codeTitle(finding.code), by: party(finding.by) })}</p>`}
      <div class="rule" key=${finding.id}>
        <button aria-busy=${busy} onClick=${() => dismissIt(incident, finding)}><${Icon} name="cross" /> ${say('finding.dismiss')}</button>
        ${isLate && board && html`<${PutBack} board=${board} finding=${finding} />`}
        <button class="strong" aria-busy=${busy} onClick=${() => upholdIt(incident, finding, isLate)}><${Icon} name="check" /> ${say(isLate ? 'finding.uphold-record' : 'finding.uphold')}</button>
      </div>`;
  }
  return proposed && proposed.result !== '*' && html`
    <div class="rule">
      ${board && proposed.reason && MAY_BE_NONE.has(proposed.reason) && html`<button onClick=${() => noResult(incident)}><${Icon} name="cross" /> ${say('sign.none')}</button>`}
      <button class="strong" onClick=${() => confirmResult(incident, proposed, board)}><${Icon} name="check" /> ${say('result.declare', { result: resultText(proposed.result) })}</button></div>`;
}

/** What one ruling is, of which only one is begun at a time. @param {Incident} incident @param {Finding} finding */
const rulingOn = (incident, finding) => `${incident.id} ${finding.id}`;

/** @param {Incident} incident @param {Finding} finding @param {boolean} isLate nothing follows then, and nothing is asked */
const upholdIt = (incident, finding, isLate) => alone(rulingOn(incident, finding), async () => (isLate ? ruleOn(incident, upholdForRecord(finding.id), ['done.uphold']) : askUphold(incident, finding)));

/** @param {Incident} incident @param {Finding} finding */
const dismissIt = (incident, finding) => alone(rulingOn(incident, finding), () => askDismiss(incident, finding));

/**
 * What an order would make of the game that is at hand. Where no result stands, and nothing that ends it by itself waits to count, a ruling ends nothing and waits for nobody.
 * @param {Incident} incident
 * @param {Order} order
 */
async function triedOn(incident, order) {
  const board = boardById(incident.board);
  const shown = board?.game === incident.game && incident.at_hand ? board : null;
  const mayEnd = shown && (isMated(shown) || shown.result);
  if (!mayEnd) return { board: shown, ends: false, isUnknown: false, late: false, changes: [], gone: undefined };
  const tried = await triedOut(shown, order);
  // Where nobody could tell in time it may end, and is asked.
  const isUnknown = tried.changes === null && !tried.refused;
  return { board: shown, ends: tried.ends || drops(shown, tried.view) || isUnknown, isUnknown, late: tried.late, changes: followsText(tried), gone: goneBy(shown, tried) };
}

/**
 * Whether a result that is only proposed, such as a draw that was claimed, goes with a ruling. One that the offences bring goes with them; and what takes more than one half-move out is
 * asked by the daemon, with the result.
 * @param {Shown} board
 * @param {{ plies: unknown[], result: unknown } | null | undefined} view as it would be
 */
const drops = (board, view) => Boolean(board.result?.proposed && board.result.reason !== 'forfeit-illegal-moves' && view && !view.result && board.ply - view.plies.length < 2);

/**
 * What takes a result away that stands, as a mate, is asked first.
 * @param {Incident} incident
 * @param {Finding} finding
 */
async function askUphold(incident, finding) {
  const { ends, isUnknown, changes, gone } = await triedOn(incident, uphold(finding.id));
  const text = [`${placeName(incident)}: ${codeTitle(finding.code)}.`, ...changes].join(' ');
  if (ends && !(await confirm({ title: say(isUnknown ? 'uphold.unknown' : 'uphold.ends'), text, action: say('finding.uphold'), late: true }))) return;
  ruleOn(incident, uphold(finding.id), ['done.uphold'], ends ? gone : undefined);
}

/**
 * A loss that was declared stays when what it may rest on is dismissed, and a mate may count then: that is asked first.
 * @param {Incident} incident
 * @param {Finding} finding
 */
async function askDismiss(incident, finding) {
  const { board, ends, isUnknown, changes } = await triedOn(incident, dismiss(finding.id));
  const declared = board && wasDeclaredLost(finding, board) ? board.result : null;
  if (declared || ends) {
    const stays = declared && say('follows.result-stays', { result: resultText(declared.result) });
    const text = [`${placeName(incident)}: ${codeTitle(finding.code)}.`, ...changes, stays].filter(Boolean).join(' ');
    if (!(await confirm({ title: say(declared || isUnknown ? 'dismiss.declared' : 'dismiss.ends'), text, action: say('finding.dismiss'), late: ends }))) return;
  }
  ruleOn(incident, dismiss(finding.id), ['done.dismiss']);
}

/** @param {{ others: Incident[], strong?: boolean }} props */
function Next({ others, strong }) {
  const [next] = others;
  const to = next ? toIncident(next.id) : toInbox();
  return html`<button class=${strong ? 'strong next' : 'quiet next'} onClick=${() => go(to)}>${next ? say('inbox.next', { n: others.length }) : say('bar.inbox')} <${Icon} name="forward" /></button>`;
}

/** @param {Incident} incident */
async function noResult(incident) {
  if (await confirmNoResult(placeName(incident))) ruleOn(incident, result('*'), ['done.no-result']);
}

/**
 * What ends a game is asked first.
 * @param {Incident} incident
 * @param {Proposed} proposed
 * @param {Shown | null} board
 */
async function confirmResult(incident, proposed, board) {
  const value = resultText(proposed.result);
  const sure = await confirm({
    title: say('result.title', { place: placeName(incident), result: value }),
    text: `${say('result.text')}${board ? restsText(board, proposedOn(board)) : ''}`,
    action: say('result.declare', { result: value }),
  });
  if (sure) ruleOn(incident, result(proposed.result), ['done.result', { result: value }]);
}
