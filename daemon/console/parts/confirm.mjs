// @ts-check
// The question before anything that cannot be taken back.
import { useEffect, useRef } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { notify, useTopic } from '../state/topics.mjs';
import { say } from '../words/language.mjs';

/** @type {(Question & { resolve: (answer: boolean) => void }) | null} */
let question = null;

/**
 * Asks `{title, text, action, danger}`; resolves to whether the arbiter confirmed.
 * @param {Question} asked
 * @returns {Promise<boolean>}
 */
export function confirm(asked) {
  return new Promise((resolve) => {
    question = { ...asked, resolve };
    notify('confirm');
  });
}

/** @param {boolean} answer */
function settle(answer) {
  const settled = question;
  question = null;
  notify('confirm');
  settled?.resolve(answer);
}

export function ConfirmHost() {
  useTopic('confirm');
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  // That it was closed is said later: by then another question may be asked.
  const isAnswered = useRef(false);
  useEffect(() => {
    if (question && !dialog.current?.open) dialog.current?.showModal();
    if (question || !dialog.current?.open) return;
    isAnswered.current = true;
    dialog.current.close();
  });
  // What was asked belongs to the page it was asked on.
  useEffect(() => {
    const leave = () => question && settle(false);
    addEventListener('hashchange', leave);
    return () => removeEventListener('hashchange', leave);
  }, []);
  const closed = () => {
    if (!isAnswered.current && question) settle(false);
    isAnswered.current = false;
  };
  return html`
    <dialog class="confirm" ref=${dialog} aria-labelledby="confirm-title" onClose=${closed}>
      ${question && html`
        <h2 id="confirm-title">${question.title}</h2>
        <p>${question.text}</p>
        <div class="buttons">
          <button class="quiet" onClick=${() => settle(false)}>${say('cancel')}</button>
          <button class=${question.danger ? 'strong danger' : 'strong'} autofocus onClick=${() => settle(true)}>${question.action}</button>
        </div>
      `}
    </dialog>
  `;
}
