// @ts-check
// A ruling as a list of what is to be done, which stays until it is. The board ticks what it sees.
import { html } from '../app/html.mjs';
import { addText, clockText, remaining } from '../state/clock.mjs';
import { ruleOn, sayOf } from '../state/incidents.mjs';
import { takeBack } from '../state/orders.mjs';
import { boardById } from '../state/store.mjs';
import { codeTitle } from '../words/findings.mjs';
import { by, timeText } from '../words/incidents.mjs';
import { capital, say } from '../words/language.mjs';
import { moveNumber } from '../words/pieces.mjs';
import { changesBy } from '../board/changes.mjs';
import { MoveGroups } from '../board/movegroups.mjs';
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
    ${incident.steps.length > 0 && html`<ol class="steps">${incident.steps.map((step, n) => html`
      <li class=${`step step-${step.step}${step.done ? ' done' : ''}${step === first ? ' first' : ''}`} data-step=${step.step}>
        <span class="tick" aria-hidden="true">${step.done ? html`<${Icon} name="check" />` : n + 1}</span>
        <div><${StepText} incident=${incident} step=${step} board=${board} may=${may} /></div>
      </li>`)}</ol>`}
  `;
}

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
  const number = board && incident.ply ? moveNumber(board, incident.ply).replace(/\.+$/, '') : '';
  if (step.step === 'position') {
    return html`<h3>${say(step.done ? 'step.position-done' : 'step.position', { number })}</h3>
      <p class="hint">${say(step.done ? 'step.by-board' : 'step.board-ticks')}${!step.done && board ? ` ${say('need.restore', { n: board.differs.length })}` : ''}</p>`;
  }
  if (step.step === 'clocks-back') return html`<${ClocksBack} incident=${incident} board=${board} may=${may} />`;
  if (step.step === 'clocks') return html`<${Clocks} incident=${incident} step=${step} may=${may} />`;
  const moves = leftBy(incident.rulings.flatMap((ruled) => (ruled.moves ? [ruled.moves] : [])));
  const ruled = incident.rulings.find(({ restore }) => restore);
  const offender = incident.findings.find(({ status }) => status === 'upheld')?.by ?? 'either';
  return html`<h3>${capital(say(step.done ? 'step.moves-done' : 'step.moves', { by: offender }))}</h3>
    ${ruled?.restore && html`<${MoveGroups} fen=${ruled.restore} moves=${moves} />`}
    <p class="hint">${say(step.done ? 'step.by-board' : 'step.board-ticks')}</p>`;
}

/**
 * The moves that several rulings at one turn leave: those that each of them leaves, or what the last one does where they have none in common.
 * @param {string[][]} all
 */
function leftBy(all) {
  const common = (all[0] ?? []).filter((move) => all.every((moves) => moves.includes(move)));
  return common.length > 0 ? common : all.at(-1) ?? [];
}

/** Exact times: nobody should have to add up at the board. @param {{ incident: Incident, step: IncidentStep, may: boolean }} props */
function Clocks({ incident, step, may }) {
  const dials = incident.rulings.find((ruled) => ruled.dials)?.dials;
  if (!dials) return null;
  return html`
    <h3>${say(step.done ? 'step.clocks-done' : 'step.clocks')}</h3>
    <table class="dials"><tbody>${/** @type {Colour[]} */ (['black', 'white']).map((colour) => html`
      <tr><th><i class=${`stone ${colour}`} aria-hidden="true"></i> ${capital(say(`player.${colour}`))}</th>
        <td>${dials[colour].to === null ? '' : html`<b>${clockText(dials[colour].to)}</b>`}</td>
        <td class="hint">${sumText(dials[colour])}</td></tr>`)}</tbody></table>
    ${step.done
      ? step.by && html`<p class="hint">${by(step.by, 'ruled.by', 'ruled.by-nobody', { time: timeText(step.by.at) })}</p>`
      : may && html`<button onClick=${() => sayOf(incident, 'tick', { step: 'clocks' })}><${Icon} name="check" /> ${say('step.clocks-set')}</button>`}
  `;
}

/** Time that was given is taken off again: with what the clock is to show, where it tells that. @param {{ incident: Incident, board: Shown | null, may: boolean }} props */
function ClocksBack({ incident, board, may }) {
  const { added } = incident;
  if (!added) return null;
  return html`
    <h3>${say('step.clocks-back')}</h3>
    <ul class="plain-list">${backTexts(added, board).map((text) => html`<li>${text}</li>`)}</ul>
    ${may && html`<button onClick=${() => sayOf(incident, 'tick', { step: 'clocks-back' })}><${Icon} name="check" /> ${say('step.clocks-set')}</button>`}
  `;
}

/**
 * By how much each clock goes back, and what it shows then, as far as it tells.
 * @param {NonNullable<IncidentRuling['dials']>} dials
 * @param {Shown | null | undefined} board
 */
function backTexts(dials, board) {
  return /** @type {Colour[]} */ (['black', 'white']).filter((colour) => dials[colour].add > 0).map((colour) => {
    const { add } = dials[colour];
    const shows = board ? remaining(board, colour) : null;
    const places = { by: colour, add: addText(add).replace('+', '−') };
    return shows === null || shows < add ? say('back.time', places) : say('back.time-to', { ...places, from: clockText(shows), to: clockText(shows - add) });
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
  const sure = await confirm({
    title: say('follows.title', { title }),
    text: [...ruled.follows.map((name) => say(`follows.${name}`)), ...timesBack(incident, ruled), ...await comesBack(incident, ruled)].join(' '),
    action: say('given.take-back'),
  });
  if (sure) ruleOn(incident, takeBack(ruled.order), say('done.take-back', { what: title }));
}

/**
 * The same with the times, where both clocks were set for it.
 * @param {Incident} incident
 * @param {IncidentRuling} ruled
 */
function timesBack({ board: id, game }, { follows, dials }) {
  const board = boardById(id);
  return dials && follows.includes('clocks') ? backTexts(dials, board?.game === game ? board : null) : [];
}

/**
 * What the record would have again.
 * @param {Incident} incident
 * @param {IncidentRuling} ruled
 */
async function comesBack(incident, ruled) {
  const board = boardById(incident.board);
  const isShown = incident.at_hand && board && board.game === incident.game;
  return (isShown && await changesBy(board, takeBack(ruled.order))) || [];
}
