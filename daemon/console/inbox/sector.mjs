// @ts-check
// Whoever is responsible for all tables may look after some of them: chosen on his device, which keeps them.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { chooseTables, rangeOf, useSector } from '../state/sector.mjs';
import { say } from '../words/language.mjs';
import { chooseFilter } from './filters.mjs';

export function ChooseTables() {
  const { chosen, mayChoose } = useSector();
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  if (!mayChoose) return null;
  const shown = typed ?? (chosen ?? '').replace('-', '–');
  const isWrong = shown.trim() !== '' && !rangeOf(shown);
  /** @param {FormEvent} submitted */
  const keep = (submitted) => {
    submitted.preventDefault();
    if (isWrong) return;
    const tables = rangeOf(shown);
    chooseTables(tables);
    chooseFilter(tables ? 'sector' : 'all');
    setTyped(null);
  };
  return html`
    <details class="more choose-tables"><summary>${say('sector.choose')}</summary>
      <form class="form" onSubmit=${keep}>
        <label><span>${say('sector.tables')}</span><input value=${shown} placeholder="1–20" aria-invalid=${isWrong} autocomplete="off" maxlength="13"
          onInput=${(/** @type {InputEvent & { currentTarget: HTMLInputElement }} */ event) => setTyped(event.currentTarget.value)} /></label>
        ${isWrong && html`<p class="problem" role="alert">${say('sector.wrong')}</p>`}
        <button disabled=${isWrong}>${say('sector.keep')}</button>
      </form>
      <p class="hint">${say('sector.hint')}</p>
    </details>
  `;
}
