// @ts-check
// What is left to be done after rulings on the game at hand, with who ruled: it stands here until it is done, wherever it was ruled.
import { html } from '../app/html.mjs';
import { useIncidents } from '../state/incidents.mjs';
import { RulingList } from '../inbox/ruling.mjs';
import { say } from '../words/language.mjs';

/** @param {{ board: Shown, may: boolean }} props */
export function Checklist({ board, may }) {
  const isLeft = (/** @type {Incident} */ { game, steps }) => game !== '' && game === board.game && steps.some(({ done }) => !done);
  const left = useIncidents().filter(isLeft);
  if (left.length === 0) return null;
  return html`
    <section class="need-panel to-do" aria-label=${say('todo.label')}>
      ${left.map((incident) => html`<div key=${incident.id} data-incident=${incident.id}><${RulingList} incident=${incident} board=${board} may=${may} /></div>`)}
    </section>
  `;
}
