// @ts-check
// The question before anything that cannot be taken back.
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { notify, useTopic } from '../state/topics.mjs';
import { say } from '../words/language.mjs';

/** So long nobody can say yes to what the daemon asks: it may come up under a finger that means something else. */
const READ_MS = 700;

/** The first is shown; the others wait until it is answered. @type {(Question & { resolve: (answer: boolean) => void })[]} */
let questions = [];

/**
 * Asks `{title, text, action, danger}`; resolves to whether the arbiter confirmed.
 * @param {Question} asked
 * @returns {Promise<boolean>}
 */
export function confirm(asked) {
  return new Promise((resolve) => {
    questions.push({ ...asked, resolve });
    notify('confirm');
  });
}

/** @param {boolean} answer */
function settle(answer) {
  const settled = questions.shift();
  notify('confirm');
  settled?.resolve(answer);
}

/** Whether it was there for long enough to be read. @param {Question | undefined} question */
function useRead(question) {
  const [read, setRead] = useState(/** @type {Question | undefined} */ (undefined));
  useEffect(() => {
    if (!question?.late) return undefined;
    const timer = setTimeout(() => setRead(question), READ_MS);
    return () => clearTimeout(timer);
  }, [question]);
  return !question?.late || read === question;
}

export function ConfirmHost() {
  useTopic('confirm');
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  // That it was closed is said later: by then another question may be asked.
  const isAnswered = useRef(false);
  const [question] = questions;
  const isRead = useRead(question);
  useEffect(() => {
    if (question && !dialog.current?.open) dialog.current?.showModal();
    if (question || !dialog.current?.open) return;
    isAnswered.current = true;
    dialog.current.close();
  });
  // What was asked belongs to the page it was asked on.
  useEffect(() => {
    const leave = () => {
      while (questions.length > 0) settle(false);
    };
    addEventListener('hashchange', leave);
    return () => removeEventListener('hashchange', leave);
  }, []);
  const closed = () => {
    if (!isAnswered.current && questions.length > 0) settle(false);
    isAnswered.current = false;
  };
  return html`
    <dialog class="confirm" ref=${dialog} aria-labelledby="confirm-title" onClose=${closed}>
      ${question && html`
        <h2 id="confirm-title">${question.title}</h2>
        <p>${question.text}</p>
        <div class="buttons">
          <button class="quiet" onClick=${() => settle(false)}>${say('cancel')}</button>
          <button class=${question.danger ? 'strong danger' : 'strong'} autofocus disabled=${!isRead} onClick=${() => settle(true)}>${question.action}</button>
        </div>
      `}
    </dialog>
  `;
}
