// @ts-check
// What the arbiter said lately of this board, while this page was open.
import { html } from '../app/html.mjs';
import { useLately } from '../state/lately.mjs';
import { timeText } from '../words/incidents.mjs';
import { say } from '../words/language.mjs';
import { rulingText } from '../words/rulings.mjs';

/** @param {{ board: Shown }} props */
export function Lately({ board }) {
  const rulings = useLately(board.id, board.game);
  if (rulings.length === 0) return null;
  return html`
    <section class="panel lately" aria-label=${say('lately')}>
      <h2>${say('lately')}</h2>
      <ul>${rulings.map((ruling) => html`<li><time>${timeText(Number(ruling.heard))}</time> ${rulingText(ruling, board)}</li>`)}</ul>
    </section>
  `;
}
