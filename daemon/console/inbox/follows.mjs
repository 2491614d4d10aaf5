// @ts-check
// What follows if a finding is upheld, said before it is.
import { html } from '../app/html.mjs';
import { addText, clockText } from '../state/clock.mjs';
import { cancels, hasGoneOn, queenDue, restsOn, wasPutRight, wouldCut } from '../state/offences.mjs';
import { uphold } from '../state/orders.mjs';
import { useTrial } from '../state/trial.mjs';
import { penaltyText, restsText } from '../words/findings.mjs';
import { proposedText } from '../words/incidents.mjs';
import { say } from '../words/language.mjs';
import { fenBefore, moveNumber, opponent } from '../words/pieces.mjs';
import { Icon } from '../parts/icon.mjs';
import { MoveGroups } from '../board/movegroups.mjs';

/** A game as it stands, be it on no board any more. @typedef {Pick<Shown, 'plies' | 'reading' | 'start_fen'>} GameRecord */

/** `may`: whoever is here may rule on it. @param {{ finding: Finding, board: Shown | null, isOver: boolean, record: GameRecord | null, may: boolean }} props */
export function WhatFollows({ finding, board, isOver, record, may }) {
  const { penalty, required } = finding;
  if (isOver) return html`<${AfterTheEnd} finding=${finding} record=${record} isGone=${board === null} />`;
  // What ends the game leaves nothing to be put back, and no move to be made.
  const queen = penalty?.then ? null : queenDue(finding, board);
  const plays = required && !finding.undone && !penalty?.then && !queen ? required : null;
  const time = penalty && !penalty.then && penalty.opponent_ms > 0 && finding.by !== 'either' ? timeText(finding, board) : penaltyText(finding);
  const isCancelled = cancels(finding);
  if (!plays && !queen && !time && !isCancelled) return null;
  return html`
    <div class="if-upheld"><h3>${say('incident.if-upheld')}</h3>
      <ul>
        ${isCancelled && html`<li><${Icon} name="restore" /> ${say('step.cancel')}</li>`}
        ${plays && board && !wasPutRight(finding, board) && html`<li><${Icon} name="restore" /> ${say('incident.back', { number: moveNumber(board, finding.ply).replace(/[.…]+$/, '') })}</li>
          <li><${Icon} name="hand" /> <div>${say('incident.plays', { by: finding.by })} <${MoveGroups} fen=${fenBefore(board, finding.ply)} moves=${plays} /></div></li>`}
        ${queen && html`<li><${Icon} name="restore" /> ${say('incident.queen', { square: queen })}</li>`}
        ${finding.undone && html`<li><${Icon} name="check" /> ${say('finding.undone')}</li>`}
        ${wasPutRight(finding, board) && html`<li><${Icon} name="check" /> ${say('finding.put-right')}</li>`}
        ${time && html`<li><${Icon} name="clock" /> ${time}${board && restsText(board, restsOn(board, finding))}</li>`}
        ${may && board && isNotAlone(finding, board) && html`<${Loss} finding=${finding} board=${board} />`}
      </ul>
    </div>
  `;
}

/** Whether others of the same player count beside a finding that does not end the game by itself. @param {Finding} finding @param {Shown} board */
const isNotAlone = ({ id, by, penalty }, { findings, result }) => !result && Boolean(penalty && !penalty.then) && findings.some((other) => other.id !== id && other.by === by && other.penalty && other.status === 'upheld');

/** With others that were ruled on before it, it may end the game: the daemon tries that out. @param {{ finding: Finding, board: Shown }} props */
function Loss({ finding, board }) {
  const result = useTrial(board, uphold(finding.id))?.trial?.view.result;
  return result?.proposed && html`<li><${Icon} name="irregularity" /> ${say('follows.proposed-back', { result: proposedText({ ...result, text: null }) })}</li>`;
}

/** Of a game that is over; `isGone`: its pieces stand nowhere any more. @param {{ finding: Finding, record: GameRecord | null, isGone: boolean }} props */
function AfterTheEnd({ finding, record, isGone }) {
  if (record && wouldCut(finding, record)) return html`<p class="hint after-end">${say(isGone ? 'late.gone' : 'late.cut', { number: moveNumber(record, finding.ply).replace(/[.…]+$/, '') })}</p>`;
  const then = penaltyText(finding, true);
  return html`
    <div class="if-upheld after-end"><h3>${say('incident.if-upheld')}</h3>
      <ul><li><${Icon} name="check" /> ${say('late.kept')}</li>
        ${then && html`<li><${Icon} name="clock" /> ${then}</li>`}</ul></div>`;
}

/**
 * The exact new time of the opponent: what the clock showed at the last press in the evidence, else at the last report.
 * @param {Finding} finding
 * @param {Shown | null} board
 */
function timeText(finding, board) {
  const by = opponent(/** @type {Colour} */ (finding.by));
  const name = /** @type {const} */ (`${by}_ms`);
  const pressed = finding.evidence.findLast((line) => line.event === 'press' && typeof line[name] === 'number');
  const from = /** @type {number | null} */ ((pressed?.event === 'press' ? pressed[name] : null) ?? board?.[name] ?? null);
  const added = finding.penalty?.opponent_ms ?? 0;
  if (hasGoneOn(finding, board)) return say('incident.time-added', { by, add: addText(added) });
  if (from === null) return say('incident.time-unknown', { by, add: addText(added) });
  return say('incident.time', { by, add: addText(added), from: clockText(from), to: clockText(from + added) });
}
