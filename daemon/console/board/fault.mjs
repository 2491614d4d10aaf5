// @ts-check
// A fault of the board or its line: never a player's doing.
import { html } from '../app/html.mjs';
import { Tag } from '../parts/tag.mjs';
import { faultText, faultTitle } from '../words/faults.mjs';
import { capital, say } from '../words/language.mjs';

/** @param {{ board: Shown }} props */
export function Fault({ board }) {
  if (!board.fault) return null;
  const [title, text] = [faultTitle(board.faults), faultText(board.faults)];
  return html`
    <section class="need-panel fault" aria-label=${say('word.fault')}>
      <header><${Tag} kind="fault" word=${say('word.fault')} /><h2>${capital(title || say('word.fault'))}</h2></header>
      ${text !== title && html`<p class="fault-details">${capital(text)}</p>`}
      <p class="hint">${say(board.connected && board.distrusted.length > 0 ? 'fault.sensors' : 'fault.hint')}</p>
    </section>
  `;
}
