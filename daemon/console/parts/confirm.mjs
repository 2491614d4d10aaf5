// @ts-check
// The question before anything that cannot be taken back.
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Questions, useQuestions } from './questions.mjs';

/** @type {Questions<Question, boolean>} */
const questions = new Questions('confirm', false);

/**
 * Asks `{title, text, action, danger}`; resolves to whether the arbiter confirmed.
 * @param {Question} asked
 * @returns {Promise<boolean>}
 */
export const confirm = (asked) => questions.ask(asked);

export function ConfirmHost() {
  const { question, isRead, dialog } = useQuestions(questions);
  return html`
    <dialog class="confirm" aria-labelledby="confirm-title" ...${dialog}>
      ${question && html`
        <h2 id="confirm-title">${question.title}</h2>
        <p>${question.text}</p>
        <div class="buttons" key=${question.id}>
          <button class="quiet" disabled=${!isRead} onClick=${() => questions.settle(false)}>${say('cancel')}</button>
          <button class=${question.danger ? 'strong danger' : 'strong'} autofocus disabled=${!isRead} onClick=${() => questions.settle(true)}>${question.action}</button>
        </div>
      `}
    </dialog>
  `;
}
