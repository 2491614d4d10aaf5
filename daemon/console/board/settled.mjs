// @ts-check
// Findings that no longer wait: ruled on, lapsed or withdrawn.
import { html } from '../app/html.mjs';
import { articleText, certaintyText, codeTitle, statusText } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { moveNumber } from '../words/pieces.mjs';

/** @param {{ board: Shown }} props */
export function Settled({ board }) {
  const settled = board.findings.filter((finding) => finding.status !== 'open');
  if (settled.length === 0) return null;
  return html`
    <details class="settled">
      <summary>${say('settled', { n: settled.length })}</summary>
      <ul>${settled.map((finding) => html`
        <li key=${finding.id}><span class="number">${moveNumber(board, finding.ply)}</span> ${codeTitle(finding.code)}
          <span class="hint">· ${say('settled.line', { by: finding.by, article: articleText(finding), certainty: certaintyText(finding.certainty), status: statusText(finding.status) })}</span></li>`)}</ul>
    </details>
  `;
}
