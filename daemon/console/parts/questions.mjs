// @ts-check
// Questions in a dialog, one after the other: the first is shown, the others wait until it is answered.
import { useEffect, useRef, useState } from 'preact/hooks';
import { notify, useTopic } from '../state/topics.mjs';

/** So long nobody can answer what comes up by itself: it may come up under a finger, or a key, that means something else. */
const READ_MS = 700;

/** @typedef {{ title: string, text?: string, action: string, late?: boolean }} Asked `late`: it comes up by itself */

/** @template {Asked} Q @template A */
export class Questions {
  /** @type {(Q & { id: number, resolve: (answer: A) => void })[]} */
  #all = [];
  #last = 0;

  /**
   * @param {string} topic on which it is said that there is another one
   * @param {A} none the answer of whoever answers nothing
   */
  constructor(topic, none) {
    this.topic = topic;
    this.none = none;
  }

  /** @param {Q} asked @returns {Promise<A>} */
  ask(asked) {
    // Who taps twice is asked once.
    const isSame = (/** @type {Q} */ other) => other.title === asked.title && other.text === asked.text && other.action === asked.action;
    if (this.#all.some(isSame)) return Promise.resolve(this.none);
    return new Promise((resolve) => {
      this.#last += 1;
      this.#all.push({ ...asked, id: this.#last, resolve });
      notify(this.topic);
    });
  }

  first() {
    return this.#all.at(0);
  }

  /** @param {A} answer */
  settle(answer) {
    const settled = this.#all.shift();
    notify(this.topic);
    settled?.resolve(answer);
  }

  leave() {
    while (this.#all.length > 0) this.settle(this.none);
  }
}

/**
 * The dialog of some questions. Each is a dialog of its own, so that it has the focus and is read out.
 * @template {Asked} Q
 * @template A
 * @param {Questions<Q, A>} questions
 */
export function useQuestions(questions) {
  useTopic(questions.topic);
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  // That it was closed is said later: by then another question may be asked.
  const closing = useRef(0);
  const question = questions.first();
  const isRead = useRead(question);
  useEffect(() => {
    const now = questions.first();
    if (dialog.current?.open) {
      closing.current += 1;
      dialog.current.close();
    }
    if (now) dialog.current?.showModal();
  }, [question?.id]);
  useEffect(() => {
    if (question?.late && isRead) /** @type {HTMLElement | null} */ (dialog.current?.querySelector('[autofocus]') ?? null)?.focus();
  }, [isRead]);
  // What was asked belongs to the page it was asked on.
  useEffect(() => {
    const leave = () => questions.leave();
    addEventListener('hashchange', leave);
    return () => removeEventListener('hashchange', leave);
  }, []);
  const onClose = () => {
    if (closing.current > 0) closing.current -= 1;
    else if (questions.first()) questions.settle(questions.none);
  };
  const onCancel = (/** @type {Event} */ event) => { if (!isRead) event.preventDefault(); };
  return { question, isRead, dialog: { ref: dialog, onClose, onCancel } };
}

/** Whether it was there for long enough to be read. @param {(Asked & { id: number }) | undefined} question */
function useRead(question) {
  const [read, setRead] = useState(/** @type {number | undefined} */ (undefined));
  const waits = question?.late ? question.id : undefined;
  useEffect(() => {
    if (waits === undefined) return undefined;
    const timer = setTimeout(() => setRead(waits), READ_MS);
    return () => clearTimeout(timer);
  }, [waits]);
  return waits === undefined || read === waits;
}
