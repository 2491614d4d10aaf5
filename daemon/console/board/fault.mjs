// @ts-check
// A fault of the board or its line: never a player's doing.
import { html } from '../app/html.mjs';
import { Tag } from '../parts/tag.mjs';
import { faultText } from '../words/faults.mjs';
import { say } from '../words/language.mjs';

/** @param {{ board: Shown }} props */
export function Fault({ board }) {
  if (!board.fault) return null;
  return html`
    <section class="need-panel fault" aria-label=${say('word.fault')}>
      <header><${Tag} kind="fault" word=${say('word.fault')} /><h2>${faultText(board.faults)}</h2></header>
      <p class="hint">${say(board.connected && board.distrusted.length > 0 ? 'fault.sensors' : 'fault.hint')}</p>
    </section>
  `;
}
