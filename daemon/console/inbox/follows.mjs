// @ts-check
// What follows if a finding is upheld, said before it is.
import { html } from '../app/html.mjs';
import { clockText } from '../state/clock.mjs';
import { restsOn, wasPutRight } from '../state/offences.mjs';
import { penaltyText, restsText } from '../words/findings.mjs';
import { addText } from '../words/incidents.mjs';
import { say } from '../words/language.mjs';
import { fenBefore, moveNumber, opponent } from '../words/pieces.mjs';
import { Icon } from '../parts/icon.mjs';
import { MoveGroups } from '../board/movegroups.mjs';

/** @param {{ finding: Finding, board: Shown | null, isOver: boolean }} props */
export function WhatFollows({ finding, board, isOver }) {
  const { penalty, required } = finding;
  const time = penalty && !penalty.then && penalty.opponent_ms > 0 && finding.by !== 'either' ? timeText(finding, board, isOver) : penaltyText(finding);
  if (!required && !time) return null;
  return html`
    <div class="if-upheld"><h3>${say('incident.if-upheld')}</h3>
      <ul>
        ${required && board && !wasPutRight(finding, board) && html`<li><${Icon} name="restore" /> ${say('incident.back', { number: moveNumber(board, finding.ply).replace(/\.+$/, '') })}</li>
          <li><${Icon} name="hand" /> <div>${say('incident.plays', { by: finding.by })} <${MoveGroups} fen=${fenBefore(board, finding.ply)} moves=${required} /></div></li>`}
        ${wasPutRight(finding, board) && html`<li><${Icon} name="check" /> ${say('finding.put-right')}</li>`}
        ${time && html`<li><${Icon} name="clock" /> ${time}${board && restsText(board, restsOn(board, finding))}</li>`}
      </ul>
    </div>
  `;
}

/**
 * The exact new time of the opponent: what the clock showed at the last press in the evidence, else at the last report.
 * @param {Finding} finding
 * @param {Shown | null} board
 * @param {boolean} isOver its clocks are set no more
 */
function timeText(finding, board, isOver) {
  const by = opponent(/** @type {Colour} */ (finding.by));
  const name = /** @type {const} */ (`${by}_ms`);
  const pressed = finding.evidence.findLast((line) => line.event === 'press' && typeof line[name] === 'number');
  const from = /** @type {number | null} */ ((pressed?.event === 'press' ? pressed[name] : null) ?? board?.[name] ?? null);
  const added = finding.penalty?.opponent_ms ?? 0;
  if (isOver) return say('incident.time-over', { by, add: addText(added) });
  if (wasPutRight(finding, board)) return say('incident.time-added', { by, add: addText(added) });
  if (from === null) return say('incident.time-unknown', { by, add: addText(added) });
  return say('incident.time', { by, add: addText(added), from: clockText(from), to: clockText(from + added) });
}
