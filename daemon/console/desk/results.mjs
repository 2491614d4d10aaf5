// @ts-check
// The results of a round: proposed, confirmed, in conflict, typed; all that nobody disputes in one act.
import { useRef, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard, toGame } from '../app/route.mjs';
import { actOn } from '../state/event.mjs';
import { observersOf, useObserved } from '../state/observed.mjs';
import { RESULTS, boardOf, entered, isOfItsGame, standOf } from '../state/tables.mjs';
import { resultReason, resultText, sourceText } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { ObservedMark } from '../floor/observed.mjs';
import { ask } from '../parts/ask.mjs';
import { Icon } from '../parts/icon.mjs';

/** @type {Record<string, import('../parts/icon.mjs').IconName>} */
const SIGNS = { proposed: 'pencil', confirmed: 'check', conflict: 'irregularity', disputed: 'doubt', typed: 'list', postponed: 'clock' };

/** @param {{ round: Round, tables: HallTable[], onChange: (done: undefined) => void }} props */
export function Results({ round, tables, onChange }) {
  const games = round.pairings.filter((pairing) => pairing.black);
  const byes = round.pairings.filter((pairing) => !pairing.black);
  /** @type {string[]} */
  const stands = games.map((pairing) => standOf(pairing, round));
  const observed = useObserved();
  const undisputed = games.filter((_, n) => stands[n] === 'proposed' || stands[n] === 'typed');
  const confirmAll = () => actOn(`api/rounds/${round.round}/confirm`, { tables: undisputed.map(({ table }) => table) }, say('done.confirmed', { n: undisputed.length }));
  return html`
    <section class="results" aria-label=${say('desk.results')}>
      <div class="results-head">
        <h2>${say('desk.results')}</h2>
        <ul class="legend">${Object.keys(SIGNS).filter((kind) => stands.includes(kind)).map((kind) => html`
          <li><${Sign} kind=${kind} text=${`${say(/** @type {Word} */ (`stand.${kind}`))} ${stands.filter((stand) => stand === kind).length}`} /></li>`)}</ul>
        <button class="strong" disabled=${undisputed.length === 0} onClick=${confirmAll}><${Icon} name="check" /> ${say('desk.confirm-all', { n: undisputed.length })}</button>
      </div>
      <div class="table-frame" tabindex="0" role="group" aria-label=${say('desk.results')}>
        <table class="grid">
          <thead><tr><th scope="col">${say('grid.table')}</th><th scope="col">${say('new.white')}</th><th scope="col">${say('games.result')}</th><th scope="col">${say('new.black')}</th><th scope="col">${say('grid.from')}</th></tr></thead>
          <tbody>
            ${games.map((pairing, n) => html`<${Row} key=${pairing.table} pairing=${pairing} round=${round} stand=${stands[n]} stranger=${strangerAt(pairing, round, tables)} observers=${observersOf(observed, pairing.table, round.round)} onChange=${onChange} />`)}
            ${byes.map((pairing) => html`<tr class="bye"><th scope="row">–</th><td class="wn">${pairing.white.name}</td><td>${pairing.result ? say('grid.bye', { result: pairing.result }) : '–'}</td><td></td><td></td></tr>`)}
          </tbody>
        </table>
      </div>
      <p class="hint">${say('desk.counts')}</p>
    </section>
  `;
}

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

/** @param {{ pairing: Pairing, round: Round, stand: string, stranger: string | null, observers: Observed[], onChange: (done: undefined) => void }} props */
function Row({ pairing, round, stand, stranger, observers, onChange }) {
  const board = boardOf(pairing);
  const table = Number(pairing.table);
  const shown = board?.result && pairing.game ? resultText(board.result.result) : null;
  const to = pairing.board && board ? toBoard(pairing.board) : pairing.game ? toGame(pairing.game) : null;
  return html`
    <tr class=${`stand-${stand}`} data-table=${table}>
      <th scope="row">${to ? html`<a href=${to}>${table}</a>` : table}<${ObservedMark} observers=${observers} /></th>
      <td class="wn">${pairing.white.name}</td>
      <td class="rs">
        ${stand !== 'none' && html`<${Sign} kind=${stand} text=${stand === 'conflict' ? `${pairing.result} ≠ ${shown}` : pairing.result ?? say('stand.postponed')} />`}
        <${Choice} table=${table} none=${stand === 'none' ? '–' : say('grid.change')} choices=${choicesOf(pairing, stand)}
          onEnter=${(/** @type {string} */ choice) => enter(choice, pairing, round).then(() => onChange(undefined))} />
      </td>
      <td>${pairing.black?.name}</td>
      <td class="hint">${stranger ? html`<${Icon} name="doubt" /> <a href=${toGame(stranger)}>${say('grid.stranger')}</a>` : whence(pairing, round, board)}</td>
    </tr>
  `;
}

/**
 * What can be done with the result of a table, with the words for it.
 * @param {Pairing} pairing
 * @param {string} stand
 * @returns {[string, string][]}
 */
function choicesOf({ result }, stand) {
  /** @type {[string, string | false | null | undefined][]} */
  const all = [
    ['confirm', result && stand !== 'confirmed' && say('result.confirm', { result })],
    ...Object.entries(RESULTS).filter(([value]) => value !== entered(result)),
    ['postpone', stand === 'none' && say('grid.postpone')],
    ['resume', stand === 'postponed' && say('grid.resume')],
    ['withdraw', result && say('given.take-back')],
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
  if (pairing.how === 'board' && board?.result?.reason) return resultReason(board.result.reason);
  if (pairing.how) return sourceText(pairing);
  if (standOf(pairing, round) === 'postponed') return '';
  if (pairing.table !== null && round.waiting.includes(pairing.table)) return say('grid.waiting');
  return say('result.in-play');
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
  if (choice === 'confirm') return actOn(`${path}/confirm`, { tables: [table] }, say('done.confirmed', { n: 1 }));
  if (choice === 'postpone') return postpone(path, table);
  if (choice === 'resume') return actOn(`${path}/resume`, { tables: [table] }, say('done.resumed', { table }));
  const reason = pairing.confirmed ? await ask({ title: say('grid.why', { table }), label: say('grid.reason'), action: say('grid.do') }) : '';
  if (reason === null) return null;
  if (choice === 'withdraw') return actOn(`${path}/withdraw`, { tables: [table], reason }, say('done.withdrawn', { table }));
  return actOn(`${path}/results`, { results: { [table]: choice }, reason, decided: standOf(pairing, round) === 'conflict' || isOfItsGame(pairing) }, say('done.entered', { table, result: RESULTS[choice] }));
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
