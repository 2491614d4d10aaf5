// @ts-check
// A question with one line as its answer.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Questions, useQuestions } from './questions.mjs';

/**
 * @typedef {object} Asked
 * @property {string} title
 * @property {string} label
 * @property {string} action
 * @property {string} [text]
 * @property {string} [value] what stands there at first
 * @property {string} [none] the button that says: none at all; the answer is empty then
 * @property {boolean} [optional] nothing is an answer too
 * @property {string} [autocomplete]
 * @property {number} [longest]
 */

/** @type {Questions<Asked, string | null>} */
const questions = new Questions('ask', /** @type {string | null} */ (null));

/**
 * The answer; null where there is none.
 * @param {Asked} question
 * @returns {Promise<string | null>}
 */
export const ask = (question) => questions.ask(question);

export function AskHost() {
  const { question: asked, dialog } = useQuestions(questions);
  const [isEmpty, setEmpty] = useState(false);
  useEffect(() => setEmpty(false), [asked?.id]);
  /** @param {FormEvent} event */
  const answer = (event) => {
    event.preventDefault();
    const told = String(new FormData(event.currentTarget).get('answer')).trim();
    if (told || asked?.optional) questions.settle(told);
    else setEmpty(true);
  };
  return html`
    <dialog class="ask" aria-labelledby="ask-title" ...${dialog}>
      ${asked && html`
        <form key=${asked.id} noValidate onSubmit=${answer}>
          <h2 id="ask-title">${asked.title}</h2>
          ${asked.text && html`<p>${asked.text}</p>`}
          <label class="field"><span>${asked.label}</span><input name="answer" required=${!asked.optional} autofocus maxlength=${asked.longest ?? 200} autocomplete=${asked.autocomplete ?? 'off'} defaultValue=${asked.value ?? ''} /></label>
          ${isEmpty && html`<p class="problem" role="alert">${say('ask.empty', { label: asked.label })}</p>`}
          <div class="buttons">
            <button type="button" class="quiet" onClick=${() => questions.settle(asked?.none ? '' : null)}>${asked.none ?? say('cancel')}</button>
            <button class="strong">${asked.action}</button>
          </div>
        </form>
      `}
    </dialog>
  `;
}
