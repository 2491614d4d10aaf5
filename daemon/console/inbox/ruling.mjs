// @ts-check
// A ruling as a list of what is to be done, which stays until it is. The board ticks what it sees.
import { html } from '../app/html.mjs';
import { clockText } from '../state/clock.mjs';
import { ruleOn, sayOf } from '../state/incidents.mjs';
import { takeBack } from '../state/orders.mjs';
import { codeTitle } from '../words/findings.mjs';
import { addText, by, timeText } from '../words/incidents.mjs';
import { capital, say } from '../words/language.mjs';
import { moveNumber } from '../words/pieces.mjs';
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
    <${Rulings} incident=${incident} may=${may} />
    <ol class="steps">${incident.steps.map((step, n) => html`
      <li class=${`step step-${step.step}${step.done ? ' done' : ''}${step === first ? ' first' : ''}`} data-step=${step.step}>
        <span class="tick" aria-hidden="true">${step.done ? html`<${Icon} name="check" />` : n + 1}</span>
        <div><${StepText} incident=${incident} step=${step} board=${board} may=${may} /></div>
      </li>`)}</ol>
  `;
}

/** @param {{ incident: Incident, may: boolean }} props */
export const Rulings = ({ incident, may }) => incident.rulings.map((ruled) => html`<${Ruled} key=${ruled.finding} incident=${incident} ruled=${ruled} may=${may} />`);

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
  if (step.step === 'clocks') return html`<${Clocks} incident=${incident} step=${step} may=${may} />`;
  const moves = incident.rulings.flatMap((ruled) => ruled.moves ?? []);
  const ruled = incident.rulings.find(({ restore }) => restore);
  const offender = incident.findings.find(({ status }) => status === 'upheld')?.by ?? 'either';
  return html`<h3>${capital(say(step.done ? 'step.moves-done' : 'step.moves', { by: offender }))}</h3>
    ${ruled?.restore && html`<${MoveGroups} fen=${ruled.restore} moves=${moves} />`}
    <p class="hint">${say(step.done ? 'step.by-board' : 'step.board-ticks')}</p>`;
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
    text: ruled.follows.map((name) => say(`follows.${name}`)).join(' '),
    action: say('given.take-back'),
  });
  if (sure) ruleOn(incident, takeBack(ruled.order), say('done.take-back', { what: title }));
}
