// @ts-check
// The results of a round: proposed, confirmed, in conflict, typed; all that nobody disputes in one act.
import { useRef, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard, toGame } from '../app/route.mjs';
import { actOn, actWithReason } from '../state/event.mjs';
import { whoWasHere } from '../state/me.mjs';
import { isAt } from '../state/incidents.mjs';
import { observersOf, useObserved } from '../state/observed.mjs';
import { proposedOn, unruled } from '../state/offences.mjs';
import { mayHaveArrived, useSentTo } from '../state/outbox.mjs';
import { useMayConfirm, useMayRead, useOwnTables } from '../state/rights.mjs';
import { boardById } from '../state/store.mjs';
import { RESULTS, boardOf, entered, isAnew, isOfItsGame, isUndeclared, restsOnDismissed, standOf, undeclaredOf } from '../state/tables.mjs';
import { restsText, resultReason, resultText, sourceText } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { ObservedMark } from '../floor/observed.mjs';
import { ask } from '../parts/ask.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Icon } from '../parts/icon.mjs';
import { useNarrow } from '../parts/narrow.mjs';
import { ToRecord } from '../parts/torecord.mjs';

/** @type {Record<string, import('../parts/icon.mjs').IconName>} */
const SIGNS = { proposed: 'pencil', confirmed: 'check', conflict: 'irregularity', disputed: 'doubt', typed: 'list', postponed: 'clock' };

/** @param {{ round: Round, tables: HallTable[], onChange: (done: undefined) => void }} props */
export function Results({ round, tables, onChange }) {
  const games = round.pairings.filter((pairing) => pairing.black);
  const byes = round.pairings.filter((pairing) => !pairing.black);
  /** @type {string[]} */
  const stands = games.map((pairing) => standOf(pairing, round));
  const observed = useObserved();
  const own = useOwnTables();
  const isNarrow = useNarrow();
  const mayConfirm = useMayConfirm();
  const sent = useSentTo(`api/rounds/${round.round}/`);
  const undisputed = games.filter((pairing, n) => (stands[n] === 'proposed' || stands[n] === 'typed') && isAt(pairing, own) && !restsOnDismissed(pairing, round) && !isUndeclared(pairing, round));
  const confirmAll = () => actOn(`api/rounds/${round.round}/confirm`, { tables: undisputed.map(({ table }) => table), upon: uponOf(undisputed), undisputed: true }, say('done.confirmed', { n: undisputed.length }));
  return html`
    <section class="results" aria-label=${say('desk.results')}>
      <div class="results-head">
        <h2>${say('desk.results')}</h2>
        <ul class="legend">${Object.keys(SIGNS).filter((kind) => stands.includes(kind)).map((kind) => html`
          <li><${Sign} kind=${kind} text=${`${say(/** @type {Word} */ (`stand.${kind}`))} ${stands.filter((stand) => stand === kind).length}`} /></li>`)}</ul>
        ${mayConfirm && html`<button class="strong" disabled=${undisputed.length === 0} onClick=${confirmAll}><${Icon} name="check" /> ${undisputed.length === 0 ? say('desk.confirm-none') : say('desk.confirm-all', { n: undisputed.length })}</button>`}
      </div>
      <div class="table-frame" tabindex="0" role="group" aria-label=${say('desk.results')}>
        <table class="grid">
          <thead><tr><th scope="col">${say('grid.table')}</th><th scope="col">${say('new.white')}</th><th scope="col">${say('games.result')}</th><th scope="col">${say('new.black')}</th>${!isNarrow && html`<th scope="col">${say('grid.from')}</th>`}</tr></thead>
          <tbody>
            ${games.map((pairing, n) => html`<${Row} key=${pairing.table} pairing=${pairing} round=${round} stand=${stands[n]} isOwn=${isAt(pairing, own)} isNarrow=${isNarrow} stranger=${strangerAt(pairing, round, tables)} observers=${observersOf(observed, pairing.table, round.round)} sent=${sentText(pairing, sent)} onChange=${onChange} />`)}
            ${byes.map((pairing) => html`<tr class="bye"><th scope="row">–</th><td class="wn">${pairing.white.name}</td><td colspan=${isNarrow ? 2 : 3}>${pairing.result ? byeText(pairing.result) : '–'}</td></tr>`)}
          </tbody>
        </table>
      </div>
      <p class="hint">${say('desk.counts')}${mayConfirm && games.some((pairing) => isFinal(pairing, round)) && html` ${say('desk.final', { n: round.round })}`}</p>
    </section>
  `;
}

/** What stands at tables as something is decided: where it is another by then, the daemon refuses it. @param {Pairing[]} pairings */
export const uponOf = (pairings) => Object.fromEntries(pairings.map(({ table, upon }) => [table, upon]));

/** What a bye is, for whom the letters of report files say nothing. @type {Record<string, Word>} */
const BYES = { U: 'bye.allocated', F: 'bye.full', H: 'bye.half', Z: 'bye.zero' };

/** @param {string} result */
export const byeText = (result) => (BYES[result] ? say(BYES[result]) : say('grid.bye', { result }));

/** The result that stands at a table; empty where none does. @param {Pairing} pairing */
const written = ({ result }) => resultText(result ?? '');

/** @param {{ kind: string, text: string }} props */
const Sign = ({ kind, text }) => html`<span class=${`res res-${kind}`}><${Icon} name=${SIGNS[kind]} />${text}</span>`;

/**
 * The game on a table's board that is not the table's, while that one waits.
 * @param {Pairing} pairing
 * @param {Round} round
 * @param {HallTable[]} tables
 */
function strangerAt(pairing, round, tables) {
  const waits = pairing.table !== null && round.waiting.includes(pairing.table);
  return (waits && tables.find(({ table }) => table === pairing.table)?.stranger) || null;
}

/** @param {{ pairing: Pairing, round: Round, stand: string, isOwn: boolean, isNarrow: boolean, stranger: string | null, observers: Observed[], sent: string, onChange: (done: undefined) => void }} props */
function Row({ pairing, round, stand, isOwn, isNarrow, stranger, observers, sent, onChange }) {
  const board = boardOf(pairing);
  const table = Number(pairing.table);
  const shown = board?.result && pairing.game ? resultText(board.result.result) : null;
  const undeclared = stand === 'none' ? undeclaredOf(pairing) : null;
  // Of another round it is said there.
  const isUnset = pairing.board !== null && boardById(pairing.board)?.unset?.round === `${round.round}.${table}`;
  const from = isUnset ? html`<${Icon} name="doubt" /> <a class="unset" href=${toBoard(String(pairing.board))}>${say('grid.unset')}</a>` : stranger ? html`<${Icon} name="doubt" /> <${ToRecord} to=${toGame(stranger)}>${say('grid.stranger')}<//>` : whence(pairing, round, board);
  const mayRead = useMayRead();
  const to = pairing.board && board ? toBoard(pairing.board) : pairing.game && mayRead ? toGame(pairing.game) : null;
  return html`
    <tr class=${`stand-${stand}`} data-table=${table}>
      <th scope="row">${to ? html`<a href=${to}>${table}</a>` : table}<${ObservedMark} observers=${observers} /></th>
      <td class="wn">${pairing.white.name}</td>
      <td class="rs">
        ${stand !== 'none' && html`<${Sign} kind=${stand} text=${stand === 'conflict' ? `${written(pairing)} ≠ ${shown}` : written(pairing) || say('stand.postponed')} />`}
        ${undeclared && html`<${Sign} kind="proposed" text=${resultText(undeclared.result)} />`}
        ${isOwn && html`<${Choice} table=${table} none=${stand === 'none' ? '–' : say('grid.change')} choices=${choicesOf(pairing, round, stand)}
          onEnter=${(/** @type {string} */ choice) => enter(choice, pairing, round).then(() => onChange(undefined))} />`}
        ${sent && html`<span class="hint on-its-way">${sent}</span>`}
      </td>
      <td>${pairing.black?.name}${isNarrow && html`<span class="hint from-below">${from}</span>`}</td>
      ${!isNarrow && html`<td class="hint">${from}</td>`}
    </tr>
  `;
}

/**
 * What was said of a table's result here, and is not with the daemon yet; empty where nothing is.
 * @param {Pairing} pairing
 * @param {import('../state/outbox.mjs').Sent[]} sent
 */
function sentText({ table, result }, sent) {
  const isOfTable = (/** @type {import('../state/outbox.mjs').Sent} */ { body }) => body.results?.[Number(table)] !== undefined || Boolean(body.tables?.includes(table));
  const last = table === null ? undefined : sent.findLast(isOfTable);
  if (!last) return '';
  const act = last.path.slice(last.path.lastIndexOf('/') + 1);
  /** @type {Record<string, string>} */
  const acts = { confirm: say('result.confirm', { result: resultText(result ?? '–') }), withdraw: say('given.take-back'), postpone: say('grid.postpone'), resume: say('grid.resume') };
  return say('grid.on-its-way', { what: RESULTS[last.body.results?.[Number(table)]] ?? acts[act] ?? last.what });
}

/** Rounds after it rest on it: it is put right, and not taken back. @param {Pairing} pairing @param {Round} round */
const isFinal = ({ result, postponed }, { stage }) => stage === 'closed' && Boolean(result) && !postponed;

/**
 * What can be done with the result of a table, with the words for it.
 * @param {Pairing} pairing
 * @param {Round} round
 * @param {string} stand
 * @returns {[string, string][]}
 */
function choicesOf(pairing, round, stand) {
  const { result } = pairing;
  const may = mayConfirm();
  // Who may only propose changes nothing that was confirmed, and takes nothing back.
  if (!may && stand === 'confirmed') return [];
  const undeclared = stand === 'none' ? entered(undeclaredOf(pairing)?.result) : '';
  /** @type {[string, string | false | null | undefined][]} */
  const all = [
    [undeclared, undeclared && may && say('result.declare', { result: RESULTS[undeclared] })],
    ['confirm', result && may && stand !== 'confirmed' && say('result.confirm', { result: resultText(result) })],
    ...Object.entries(RESULTS).filter(([value]) => value !== entered(result) && value !== undeclared),
    ['postpone', may && stand === 'none' && say('grid.postpone')],
    ['resume', may && stand === 'postponed' && say('grid.resume')],
    ['withdraw', may && result && !isFinal(pairing, round) && say('given.take-back')],
  ];
  return /** @type {[string, string][]} */ (all.filter(([, text]) => text));
}

/**
 * A choice that counts once it is entered: arrow keys pass every line on the way to the one that is meant.
 * @param {{ table: number, none: string, choices: [string, string][], onEnter: (choice: string) => Promise<void> }} props
 */
function Choice({ table, none, choices, onEnter }) {
  const [wanted, setWanted] = useState('');
  const select = useRef(/** @type {HTMLSelectElement | null} */ (null));
  // What cannot be done any more is not chosen any more.
  const chosen = choices.find(([value]) => value === wanted);
  const give = () => {
    if (!chosen) return;
    select.current?.focus();
    setWanted('');
    onEnter(chosen[0]);
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter' || !chosen) return;
    event.preventDefault();
    give();
  };
  return html`
    <select ref=${select} aria-label=${say('grid.enter', { table })} value=${chosen ? wanted : ''} onKeyDown=${onKey}
      onChange=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => setWanted(event.currentTarget.value)}>
      <option value="">${none}</option>
      ${choices.map(([value, text]) => html`<option value=${value}>${text}</option>`)}
    </select>
    ${chosen && html`<button class="give" onClick=${give}>${say('grid.give')}</button>`}
  `;
}

/**
 * Where a result comes from, or how the game stands.
 * @param {Pairing} pairing
 * @param {Round} round
 * @param {Shown | null} board
 */
function whence(pairing, round, board) {
  if (pairing.how === 'board' && board?.result?.reason && isUndeclared(pairing, round)) return `${sourceText(pairing, board.result.reason)}, ${say('grid.undeclared')}`;
  if (pairing.how) return `${sourceText(pairing, board?.result?.reason)}${leftText(pairing, board)}${goesOnText(pairing, board)}${restsOnDismissed(pairing, round) ? `, ${say('offences.fell')}` : ''}`;
  if (standOf(pairing, round) === 'postponed') return '';
  if (pairing.table !== null && round.waiting.includes(pairing.table)) return say(isAnew(pairing, round) ? 'grid.anew' : 'grid.waiting');
  const undeclared = undeclaredOf(pairing);
  if (undeclared) return html`<a href=${toBoard(String(pairing.board))}>${say('result.undeclared', { reason: resultReason(undeclared.reason) })}${unruledText(board)}</a>`;
  return say('result.in-play');
}

/** How many findings against who has lost wait, where the arbiter has declared that loss: it may rest on them. @param {Pairing} pairing @param {Shown | null} board */
function leftText({ how, result, game }, board) {
  const loser = result === '0-1' ? 'white' : result === '1-0' ? 'black' : null;
  const n = how === 'arbiter' && loser && board && board.game === game ? unruled(board, loser).length : 0;
  return n > 0 ? `, ${say('offences.unruled', { n })}` : '';
}

/** A confirmed result that the game has no more: it was taken back there. @param {Pairing} pairing @param {Shown | null} board */
const goesOnText = (pairing, board) => (pairing.confirmed && isOfItsGame(pairing) && pairing.game && board && !board.result ? `, ${say('grid.goes-on')}` : '');

/** On how many findings a loss rests that nobody has ruled on. @param {Shown | null} board */
function unruledText(board) {
  const { length: n } = proposedOn(board);
  return n > 0 ? `, ${say('offences.unruled', { n })}` : '';
}

/**
 * What was chosen for a table. A confirmed result is changed with a reason only.
 * @param {string} choice
 * @param {Pairing} pairing
 * @param {Round} round
 */
async function enter(choice, pairing, round) {
  const table = Number(pairing.table);
  const path = `api/rounds/${round.round}`;
  const upon = uponOf([pairing]);
  if (choice === 'confirm') return actOn(`${path}/confirm`, { tables: [table], upon }, say('done.confirmed', { n: 1 }));
  if (choice === 'postpone') return postpone(path, table);
  if (choice === 'resume') return actOn(`${path}/resume`, { tables: [table] }, say('done.resumed', { table }));
  if (!(await declares(choice, pairing)) || !(await wasPlayed(choice, pairing, round))) return null;
  const slot = `${path} ${table}`;
  const reason = await askWhy(choice, pairing, mayHaveArrived(slot)?.body.results[table]);
  if (reason === null) return null;
  if (choice === 'withdraw') return actOn(`${path}/withdraw`, { tables: [table], reason, upon }, say('done.withdrawn', { table }));
  const body = { results: { [table]: choice }, reason, upon, decided: mayConfirm() && (standOf(pairing, round) === 'conflict' || isOfItsGame(pairing) || choice === entered(undeclaredOf(pairing)?.result)) };
  return actWithReason(`${path}/results`, body, say('done.entered', { table, result: RESULTS[choice] }), { for: mayConfirm() ? NEED_REASON : [], slot, ask: (why) => askReason(choice, pairing, why) });
}

/**
 * A loss that rests on what nobody has ruled on is declared only by who has read that.
 * @param {string} choice
 * @param {Pairing} pairing
 */
async function declares(choice, pairing) {
  const board = boardOf(pairing);
  const open = proposedOn(board);
  if (!board || open.length === 0 || choice !== entered(undeclaredOf(pairing)?.result)) return true;
  const result = RESULTS[choice];
  const text = `${pairText(pairing)}. ${say('result.text')}${restsText(board, open)}`;
  return confirm({ title: say('result.title', { place: say('incident.table', { n: Number(pairing.table) }), result }), text, action: say('result.declare', { result }) });
}

/** By what a win is entered of a game that nobody has played. @type {Record<string, string>} */
const FORFEITS = { '1-0': '+/-', '0-1': '-/+' };

/**
 * A win without a move that the board saw is a forfeit, as a rule.
 * @param {string} choice
 * @param {Pairing} pairing
 * @param {Round} round
 */
async function wasPlayed(choice, pairing, round) {
  const board = pairing.board ? boardById(pairing.board) : null;
  const isSeen = Boolean(board?.connected && !board.fault && !board.unset);
  if (!FORFEITS[choice] || !isSeen || pairing.confirmed || !round.waiting.includes(Number(pairing.table)) || isAnew(pairing, round)) return true;
  const result = RESULTS[choice];
  const text = `${pairText(pairing)}. ${say('seen.unplayed', { forfeit: RESULTS[FORFEITS[choice]] })}`;
  return confirm({ title: say('seen.unplayed-title', { table: Number(pairing.table), result }), text, action: say('seen.action', { result }) });
}

/** What the daemon refuses for want of a reason, as of a game that has begun here or is another by now. */
const NEED_REASON = ['forfeit-has-begun', 'forfeit-moved', 'seen-otherwise', 'no-reason'];

/** Who may only propose is told that it needs others: his reason would not do. */
function mayConfirm() {
  const me = whoWasHere();
  return !me?.required || me.role === 'chief' || me.role === 'sector';
}

/**
 * @param {string} choice
 * @param {Pairing} pairing
 * @param {Reason} why
 */
function askReason(choice, pairing, { kind, with: told = {} }) {
  const [table, result] = [Number(pairing.table), RESULTS[choice]];
  if (kind === 'no-reason') return ask({ ...changing(choice, pairing), label: say('grid.reason'), action: say('grid.do') });
  const begun = kind === 'forfeit-has-begun' || kind === 'forfeit-moved';
  const text = begun ? say(kind === 'forfeit-moved' ? 'seen.moved' : 'seen.begun') : seenText({ result: entered(told.shown), reason: null });
  return ask({ title: say(begun ? 'seen.begun-title' : 'seen.title', { table, result }), text: `${pairText(pairing)}. ${text}`, label: say('grid.reason'), action: say('seen.action', { result }) });
}

/** @param {Pairing} pairing */
const pairText = ({ white, black }) => `${white.name} – ${black?.name ?? ''}`;

/** Who played, what stands and what is to stand; `isSent`: what stands may not have arrived yet. @param {string} choice @param {Pairing} pairing @param {boolean} [isSent] */
const changing = (choice, pairing, isSent = false) => ({
  title: say(isSent ? 'grid.why-sent' : 'grid.why', { table: Number(pairing.table) }),
  text: say('grid.change-text', { pair: pairText(pairing), from: written(pairing) || say('grid.no-result'), to: RESULTS[choice] ?? say('grid.no-result') }),
});

/**
 * Why a result is another than the one that stands: a confirmed one is changed with a reason, and before one that the game shows is overruled it is said what that was.
 * @param {string} choice
 * @param {Pairing} pairing
 * @param {string} [sent] what was entered here, and may have arrived
 * @returns {Promise<string | null>} null where it is not to be done
 */
async function askWhy(choice, pairing, sent) {
  // What is only proposed waits for somebody who may say why.
  if (!mayConfirm()) return '';
  const table = Number(pairing.table);
  const shown = seenOf(pairing);
  const isOther = shown !== null && choice !== 'withdraw' && !choice.includes('+') && choice !== '-/-' && choice !== shown.result;
  // What somebody has typed the game shows as well.
  const text = isOther && (!pairing.confirmed || pairing.how === 'board') ? seenText(shown) : undefined;
  if (pairing.confirmed || (sent && sent !== choice)) {
    const change = changing(choice, sent ? { ...pairing, result: sent } : pairing, !pairing.confirmed);
    return ask({ ...change, text: [change.text, text].filter(Boolean).join(' '), label: say('grid.reason'), action: say('grid.do') });
  }
  if (!isOther) return '';
  return ask({ title: say('seen.title', { table, result: RESULTS[choice] }), text: [`${pairText(pairing)}.`, text].filter(Boolean).join(' '), label: say('grid.reason'), action: say('seen.action', { result: RESULTS[choice] }), optional: true });
}

/** What the game itself has ended with, by its board or an order in it. @param {Pairing} pairing */
function seenOf(pairing) {
  const shown = boardOf(pairing)?.result;
  if (shown && pairing.game && shown.result !== '*' && shown.reason !== 'entered' && shown.reason !== 'confirmed') return { result: entered(shown.result), reason: shown.reason };
  return pairing.result && isOfItsGame(pairing) ? { result: entered(pairing.result), reason: null } : null;
}

/** @param {{ result: string, reason: ResultReason | null }} seen */
function seenText({ result, reason }) {
  return say(reason ? 'seen.text' : 'seen.text-only', { result: resultText(result), reason: reason && resultReason(reason) });
}

/**
 * A game is played later than its round.
 * @param {string} path
 * @param {number} table
 */
async function postpone(path, table) {
  const reason = await ask({ title: say('grid.why-later', { table }), label: say('grid.reason'), action: say('grid.postpone') });
  return reason === null ? null : actOn(`${path}/postpone`, { tables: [table], reason }, say('done.postponed', { table }));
}
