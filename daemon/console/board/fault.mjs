// A fault of the board or its line: never a player's doing.
import { html } from '../app/html.mjs';
import { Tag } from '../parts/tag.mjs';

export function Fault({ board }) {
  if (!board.fault) return null;
  return html`
    <section class="need-panel fault" aria-label="Fault">
      <header><${Tag} kind="fault" word="Fault" /><h2>${board.fault}</h2></header>
      <p class="hint">The board or its line, not a player. The game goes on from the journal as soon as the board answers.</p>
    </section>
  `;
}
