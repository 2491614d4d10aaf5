// Irregularities that wait for the arbiter, with what he needs to rule.
import { html } from '../app/html.mjs';
import { dismiss, sendOrder, uphold } from '../state/orders.mjs';
import { codeTitle, party, penaltyText } from '../words/findings.mjs';
import { fenBefore, moveNumber } from '../words/pieces.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Icon } from '../parts/icon.mjs';
import { Tag } from '../parts/tag.mjs';
import { Evidence } from './evidence.mjs';
import { MoveGroups } from './movegroups.mjs';

export function Findings({ findings, current, ...rest }) {
  return findings.map((finding) => html`<${OpenFinding} key=${finding.id} finding=${finding} marked=${finding === current} ...${rest} />`);
}

function OpenFinding({ board, finding, marked, onMark, onPoint, onShow }) {
  const mark = () => onMark(finding.id);
  const penalty = penaltyText(finding);
  return html`
    <section class=${`need-panel irregularity is-${finding.certainty}${marked ? ' marked' : ''}`} data-finding=${finding.id}
      aria-label=${`Irregularity ${finding.id}`} onFocusIn=${mark} onMouseEnter=${mark}>
      <header>
        <${Tag} kind="irregularity" word=${`Irregularity · ${finding.certainty}`} certainty=${finding.certainty} />
        <h2>${codeTitle(finding.code)}</h2>
        <p class="sub">${party(finding.by)} · Article ${finding.article} · move ${moveNumber(board, finding.ply)}</p>
      </header>
      <p>${finding.text}</p>
      ${finding.required && html`
        <div class="required"><h3>Required</h3><${MoveGroups} fen=${fenBefore(board, finding.ply)} moves=${finding.required} /></div>`}
      ${penalty && html`<p class="penalty">${penalty}</p>`}
      ${finding.claim && html`<p class="hint">${party(finding.claim.by)} ${finding.claim.open ? 'may claim this' : 'may no longer claim this'}.</p>`}
      <${Evidence} lines=${finding.evidence} onPoint=${onPoint} />
      <div class="buttons">
        <button class="strong" onClick=${() => upholdFinding(board, finding)}><${Icon} name="check" /> Uphold${marked && html` <kbd>u</kbd>`}</button>
        <button onClick=${() => dismissFinding(board, finding)}><${Icon} name="cross" /> Dismiss${marked && html` <kbd>d</kbd>`}</button>
        <button class="quiet" onClick=${() => onShow(finding.ply - 1)}>Show before</button>
      </div>
    </section>
  `;
}

const described = (finding) => `${codeTitle(finding.code)} (${party(finding.by)}, Article ${finding.article}, ${finding.certainty})`;

export async function upholdFinding(board, finding) {
  const sure = await confirm({
    title: `Board ${board.id}: uphold this finding?`,
    text: `${described(finding)}. What the Laws require is applied${finding.required ? ': the position is to be put back and one of the required moves played' : ''}. The ruling is written to the journal.`,
    action: 'Uphold',
  });
  if (sure) sendOrder(board.id, uphold(finding.id), 'finding upheld.');
}

export async function dismissFinding(board, finding) {
  const sure = await confirm({
    title: `Board ${board.id}: dismiss this finding?`,
    text: `${described(finding)}. The game goes on as if nothing had been found. The ruling is written to the journal.`,
    action: 'Dismiss',
  });
  if (sure) sendOrder(board.id, dismiss(finding.id), 'finding dismissed.');
}
