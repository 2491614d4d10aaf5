// @ts-check
// The language the arbiter wants the console to speak.
import { html } from '../app/html.mjs';
import { LANGUAGES, say, setLanguage, useLanguage } from '../words/language.mjs';

export function LanguageChoice() {
  const language = useLanguage();
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  const choose = (event) => setLanguage(event.currentTarget.value);
  return html`
    <select class="language" aria-label=${say('bar.language')} onChange=${choose}>
      ${LANGUAGES.map(([tag, name]) => html`<option value=${tag} lang=${tag} selected=${tag === language}>${name}</option>`)}
    </select>
  `;
}
