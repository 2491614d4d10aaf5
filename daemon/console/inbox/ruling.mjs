// @ts-check
// A ruling as a list of what is to be done, which stays until it is. The board ticks what it sees.
import { html } from '../app/html.mjs';
import { addText, clockText, remaining } from '../state/clock.mjs';
import { closedText } from '../state/closed.mjs';
import { clocksLeft, sumOf, timedOf } from '../state/dials.mjs';
import { ruleOn, sayOf, useIncidents } from '../state/incidents.mjs';
import { mayRestOn, queenOn } from '../state/offences.mjs';
import { takeBack } from '../state/orders.mjs';
import { boardById } from '../state/store.mjs';
import { codeTitle, resultText } from '../words/findings.mjs';
import { by, timeText } from '../words/incidents.mjs';
import { capital, say } from '../words/language.mjs';
import { moveNumber } from '../words/pieces.mjs';
import { orderName } from '../record/given.mjs';
import { triedOut } from '../board/changes.mjs';
import { annulGame } from '../board/doubts.mjs';
import { MoveGroups } from '../board/movegroups.mjs';
import { Resume } from '../board/resume.mjs';
import { sayRefused } from '../board/takeback.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Icon } from '../parts/icon.mjs';

/**
 * What may be done is offered to whom it is allowed.
 * @param {{ incident: Incident, board: Shown | null, may: boolean }} props
 */
export function RulingList({ incident, board, may }) {
  const first = incident.steps.find((step) => !step.done);
  return html`
    ${incident.rulings.map((ruled) => html`<${Ruled} key=${ruled.finding} incident=${incident} ruled=${ruled} may=${may} />`)}
    ${first && board?.state === 'paused' && html`<${Stopped} board=${board} may=${may} />`}
    ${incident.steps.length > 0 && html`<ol class="steps" aria-label=${say('todo.label')}>${incident.steps.map((step, n) => html`
      <li class=${`step step-${step.step}${step.done ? ' done' : ''}${step === first ? ' first' : ''}`} data-step=${step.step}>
        <span class="tick" aria-hidden="true">${step.done ? html`<${Icon} name="check" />` : n + 1}</span>
        <div><${StepText} incident=${incident} step=${step} board=${board} may=${may} /></div>
      </li>`)}</ol>`}
  `;
}

/** What is handled while a game is stopped is nobody's, as after boards were exchanged. @param {{ board: Shown, may: boolean }} props */
const Stopped = ({ board, may }) => html`
  <p class="need-panel"><span>${say('step.stopped')}</span>
    ${may && html` <${Resume} board=${board} />`}</p>`;

/** Who ruled what, and when. @param {{ incident: Incident, ruled: IncidentRuling, may: boolean }} props */
function Ruled({ incident, ruled, may }) {
  const finding = incident.findings.find(({ id }) => id === ruled.finding);
  const title = finding ? codeTitle(finding.code) : say('word.irregularity');
  return html`
    <section class="ruled">
      <h2>${say(ruled.upheld ? 'ruled.upheld' : 'ruled.dismissed', { title })}</h2>
      <p class="sub">${by(ruled.by, 'ruled.by', 'ruled.by-nobody', { time: timeText(ruled.by.at) })}</p>
      ${may && ruled.order && html`<button onClick=${() => askTakeBack(incident, ruled)}><${Icon} name="restore" /> ${say('given.take-back')}</button>`}
    </section>
  `;
}

/** @param {{ incident: Incident, step: IncidentStep, board: Shown | null, may: boolean }} props */
function StepText({ incident, step, board, may }) {
  const number = board && incident.ply ? moveNumber(board, incident.ply).replace(/[.…]+$/, '') : '';
  if (step.step === 'position') {
    const queen = queenOf(incident, board);
    const [to, done] = queen ? /** @type {const} */ (['step.queen', 'step.queen-done'])
      : number ? /** @type {const} */ (['step.position', 'step.position-done']) : /** @type {const} */ (['step.position-away', 'step.position-away-done']);
    // Until the board has told what stands since the ruling, it tells what stood before.
    const isTold = board !== null && incident.rulings.every(({ order }) => !order || board.orders.some((line) => orderName(line) === order));
    return html`<h3>${say(step.done ? done : to, { number, square: queen ?? '' })}</h3>
      ${!step.done && isTold && !board.restore ? html`<p class="hint">${say('step.passed')}</p>` : html`<p class="hint">${say(step.done ? 'step.by-board' : 'step.board-ticks')}${!step.done && isTold && board.differs.length > 0 ? ` ${say('need.restore', { n: board.differs.length })}` : ''}</p>`}`;
  }
  if (step.step === 'cancel') return html`<h3>${say('step.cancel')}</h3>${may && board && html`<button onClick=${() => annulGame(board)}>${say('orders.annul')}</button>`}`;
  if (step.step === 'clocks-back') return html`<${ClocksBack} incident=${incident} board=${board} may=${may} />`;
  if (step.step === 'clocks') return html`<${Clocks} incident=${incident} step=${step} may=${may} />`;
  const moves = leftBy(incident.rulings.flatMap((ruled) => (ruled.moves ? [ruled.moves] : [])));
  const ruled = incident.rulings.find(({ restore }) => restore);
  const offender = incident.findings.find(({ status }) => status === 'upheld')?.by ?? 'either';
  return html`<h3>${capital(say(step.done ? 'step.moves-done' : 'step.moves', { by: offender }))}</h3>
    ${ruled?.restore && html`<${MoveGroups} fen=${ruled.restore} moves=${moves} />`}
    <p class="hint">${say(step.done ? 'step.by-board' : 'step.board-ticks')}</p>`;
}

/** Where a queen is put and nothing else, since no upheld move of the turn is taken back. @param {Incident} incident @param {Shown | null} board */
function queenOf({ findings }, board) {
  const upheld = findings.filter(({ status, required }) => status === 'upheld' && required);
  return upheld.length === 1 ? queenOn(upheld[0], board) : null;
}

/**
 * The moves that several rulings at one turn leave: those that each of them leaves, or what the last one does where they have none in common.
 * @param {string[][]} all
 */
function leftBy(all) {
  const common = (all[0] ?? []).filter((move) => all.every((moves) => moves.includes(move)));
  return common.length > 0 ? common : all.at(-1) ?? [];
}

/** Exact times while they hold, else what is added to what the clocks show; nobody should have to add up at the board. @param {{ incident: Incident, step: IncidentStep, may: boolean }} props */
function Clocks({ incident, step, may }) {
  const all = useIncidents();
  const waiting = step.done ? [] : clocksLeft(all, incident);
  const dials = sumOf(step.done ? [incident] : waiting);
  if (!dials) return null;
  const [first] = waiting;
  if (first && first.id !== incident.id) return html`<h3>${say('step.clocks')}</h3><p class="hint">${say('step.clocks-counted')}</p>`;
  const shown = /** @type {Colour[]} */ (['black', 'white']).filter((colour) => dials[colour].to !== null || dials[colour].add > 0);
  const isExact = shown.some((colour) => dials[colour].to !== null);
  return html`
    <h3>${say(step.done ? 'step.clocks-done' : isExact ? 'step.clocks' : 'step.clocks-add')}</h3>
    ${isExact || step.done
      ? html`<table class="dials"><tbody>${shown.map((colour) => html`
        <tr><th><i class=${`stone ${colour}`} aria-hidden="true"></i> ${capital(say(`player.${colour}`))}</th>
          <td>${dials[colour].to === null ? '' : html`<b>${clockText(dials[colour].to)}</b>`}</td>
          <td class="hint">${sumText(dials[colour])}</td></tr>`)}</tbody></table>`
      : html`<ul class="plain-list dials">${shown.map((colour) => html`<li><i class=${`stone ${colour}`} aria-hidden="true"></i> ${say('step.add', { by: colour, add: addText(dials[colour].add) })}</li>`)}</ul>
        <p class="hint">${[say('step.add-once'), waiting.length > 1 ? say('step.add-all', { n: waiting.length }) : ''].filter(Boolean).join(' ')}</p>`}
    ${step.done
      ? step.by && html`<p class="hint">${by(step.by, 'ruled.by', 'ruled.by-nobody', { time: timeText(step.by.at) })}</p>`
      : may && html`<button onClick=${() => tickAll(waiting)}><${Icon} name="check" /> ${say('step.clocks-set')}</button>`}
  `;
}

/** Who is there says it once, of all that was counted together: of each ruling, for one of them may be taken back before it is heard. @param {Incident[]} waiting */
async function tickAll(waiting) {
  for (const one of waiting) {
    for (const { order } of timedOf(one)) await sayOf(one, 'tick', { step: 'clocks', order });
  }
}

/** Time that was given is taken off again: with what the clock is to show, where it tells that. @param {{ incident: Incident, board: Shown | null, may: boolean }} props */
function ClocksBack({ incident, board, may }) {
  const { added } = incident;
  if (!added) return null;
  return html`
    <h3>${say('step.clocks-back')}</h3>
    <ul class="plain-list">${backTexts(added, incident.ply, board).map((text) => html`<li>${text}</li>`)}</ul>
    ${may && html`<button onClick=${() => sayOf(incident, 'tick', { step: 'clocks-back' })}><${Icon} name="check" /> ${say('step.clocks-set')}</button>`}
  `;
}

/**
 * By how much each clock goes back, and what it shows then. A clock tells what it shows when it is pressed: before that, the ruling knows; and of a
 * board that is away nobody does.
 * @param {NonNullable<IncidentRuling['dials']>} dials
 * @param {number | null} ply that was ruled on
 * @param {Shown | null | undefined} board
 */
function backTexts(dials, ply, board) {
  return /** @type {Colour[]} */ (['black', 'white']).filter((colour) => dials[colour].add > 0).map((colour) => {
    const { from, add } = dials[colour];
    const shows = board?.connected ? shownNow() : null;
    const places = { by: colour, add: addText(add).replace('+', '−') };
    return shows === null || shows < add ? say('back.time', places) : say('back.time-to', { ...places, from: clockText(shows), to: clockText(shows - add) });

    function shownNow() {
      if (!board || from === null || ply === null) return null;
      const told = remaining(board, colour);
      if (board[`${colour}_ms`] === from) return told === null ? null : told + add;
      return board.plies.length > ply ? told : null;
    }
  });
}

/** What a time is the sum of. @param {{ from: number | null, add: number }} dial */
function sumText({ from, add }) {
  if (from === null) return add > 0 ? addText(add) : say('step.as-it-is');
  return add > 0 ? say('step.sum', { from: clockText(from), add: addText(add) }) : say('step.from');
}

/**
 * What follows from it is said first.
 * @param {Incident} incident
 * @param {IncidentRuling} ruled
 */
export async function askTakeBack(incident, ruled) {
  const finding = incident.findings.find(({ id }) => id === ruled.finding);
  const title = finding ? codeTitle(finding.code) : say('word.irregularity');
  const board = boardById(incident.board);
  // What the record would have again is known of the game at hand.
  const tried = incident.at_hand && board?.game === incident.game ? await triedOut(board, takeBack(ruled.order)) : null;
  if (board && tried?.refused) {
    sayRefused(board, title, tried.refused);
    return;
  }
  const sure = await confirm({
    title: say('follows.title', { title }),
    text: [...ruled.follows.map((name) => say(`follows.${name}`)), ...timesBack(incident, ruled), ...resultStays(finding, incident, board), ...tried?.changes ?? [], ...await closedText(incident.round)].join(' '),
    action: say('given.take-back'),
  });
  if (sure) ruleOn(incident, takeBack(ruled.order), say('done.take-back', { what: title }));
}

/** A result that somebody has given does not go with the ruling. @param {Finding | undefined} finding @param {Incident} incident @param {Shown | null | undefined} board */
function resultStays(finding, { game }, board) {
  const result = board?.game === game ? board.result : null;
  return finding && result && mayRestOn(finding, result) ? [say('follows.result-stays', { result: resultText(result.result) })] : [];
}

/**
 * The same with the times, where both clocks were set for it.
 * @param {Incident} incident
 * @param {IncidentRuling} ruled
 */
function timesBack({ board: id, game, ply }, { follows, dials }) {
  const board = boardById(id);
  return dials && follows.includes('clocks') ? backTexts(dials, ply, board?.game === game ? board : null) : [];
}
