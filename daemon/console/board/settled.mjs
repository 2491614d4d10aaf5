// Findings that no longer wait: ruled on, lapsed or withdrawn.
import { html } from '../app/html.mjs';
import { STATUS, codeTitle, party } from '../words/findings.mjs';
import { moveNumber } from '../words/pieces.mjs';

export function Settled({ board }) {
  const settled = board.findings.filter((finding) => finding.status !== 'open');
  if (settled.length === 0) return null;
  return html`
    <details class="settled">
      <summary>${settled.length} settled finding${settled.length === 1 ? '' : 's'}</summary>
      <ul>${settled.map((finding) => html`
        <li key=${finding.id}><span class="number">${moveNumber(board, finding.ply)}</span> ${codeTitle(finding.code)}
          <span class="hint">${party(finding.by)}, ${finding.article}, ${finding.certainty} – ${STATUS[finding.status]}</span></li>`)}</ul>
    </details>
  `;
}
