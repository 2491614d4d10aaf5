// @ts-check
// A question with one line as its answer.
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { notify, useTopic } from '../state/topics.mjs';
import { say } from '../words/language.mjs';

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

/** The first is shown; the others wait until it is answered. @type {(Asked & { resolve: (answer: string | null) => void })[]} */
let questions = [];

/**
 * The answer; null where there is none.
 * @param {Asked} question
 * @returns {Promise<string | null>}
 */
export function ask(question) {
  return new Promise((resolve) => {
    questions.push({ ...question, resolve });
    notify('ask');
  });
}

/** @param {string | null} answer */
function settle(answer) {
  const settled = questions.shift();
  notify('ask');
  settled?.resolve(answer);
}

export function AskHost() {
  useTopic('ask');
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const [isEmpty, setEmpty] = useState(false);
  const [asked] = questions;
  useEffect(() => setEmpty(false), [asked]);
  useEffect(() => {
    if (asked && !dialog.current?.open) dialog.current?.showModal();
    if (!asked && dialog.current?.open) dialog.current.close();
  });
  // What was asked belongs to the page it was asked on.
  useEffect(() => {
    const leave = () => {
      while (questions.length > 0) settle(null);
    };
    addEventListener('hashchange', leave);
    return () => removeEventListener('hashchange', leave);
  }, []);
  /** @param {FormEvent} event */
  const answer = (event) => {
    event.preventDefault();
    const told = String(new FormData(event.currentTarget).get('answer')).trim();
    if (told || asked?.optional) settle(told);
    else setEmpty(true);
  };
  return html`
    <dialog class="ask" ref=${dialog} aria-labelledby="ask-title" onClose=${() => asked && settle(null)}>
      ${asked && html`
        <form key=${asked.title} noValidate onSubmit=${answer}>
          <h2 id="ask-title">${asked.title}</h2>
          ${asked.text && html`<p>${asked.text}</p>`}
          <label class="field"><span>${asked.label}</span><input name="answer" required=${!asked.optional} autofocus maxlength=${asked.longest ?? 200} autocomplete=${asked.autocomplete ?? 'off'} defaultValue=${asked.value ?? ''} /></label>
          ${isEmpty && html`<p class="problem" role="alert">${say('ask.empty', { label: asked.label })}</p>`}
          <div class="buttons">
            <button type="button" class="quiet" onClick=${() => settle(asked?.none ? '' : null)}>${asked.none ?? say('cancel')}</button>
            <button class="strong">${asked.action}</button>
          </div>
        </form>
      `}
    </dialog>
  `;
}
