// @ts-check
// What the pages have in common by which people and devices come in.
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { LanguageChoice } from '../parts/languagechoice.mjs';
import { notify } from '../state/topics.mjs';
import { say, useLanguage } from '../words/language.mjs';
import { refusalSentence } from '../words/refusals.mjs';

/**
 * Asks the daemon; what went wrong comes as `error`, in its words.
 * @param {string} path
 * @param {unknown} [body] what is ordered; a question where there is none
 * @returns {Promise<{ status: number, body: any, error: string | null }>}
 */
export async function ask(path, body) {
  try {
    const order = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(`/api/people/${path}`, body === undefined ? {} : order);
    const told = await answer.json();
    if (told?.why?.kind === 'password-again') notify('proof');
    return { status: answer.status, body: told, error: answer.ok ? null : refusalSentence(told, answer.status) };
  } catch {
    return { status: 0, body: null, error: say('door.silent') };
  }
}

/**
 * A page with one thing on it.
 * @param {{ title: Word, children?: unknown }} props
 */
export function Door({ title, children }) {
  document.title = say(title);
  return html`
    <main class="door">
      <h1>${say(title)}</h1>
      ${children}
      <${LanguageChoice} />
    </main>
  `;
}

/** @param {{ text: string | null }} props */
export const Problem = ({ text }) => text && html`<p class="problem" role="alert">${text}</p>`;

/** @param {{ label: Word, name: string, type?: string, autocomplete?: string, value?: string, required?: boolean, empty?: string }} props `empty`: what it means to leave it so */
export function Field({ label, name, type = 'text', autocomplete = 'off', value, required = true, empty }) {
  return html`
    <label class="field"><span>${say(label)}</span>
      <input name=${name} type=${type} autocomplete=${autocomplete} value=${value} required=${required} placeholder=${empty} />
    </label>
  `;
}

/**
 * A form that is sent to the daemon. `done` gets the answer, and what was sent.
 * @param {{ path: string, action: Word, more?: Record<string, unknown>, done: (body: any, sent: Record<string, any>) => void, children?: unknown, row?: boolean }} props
 */
export function Sent({ path, action, more, done, children, row }) {
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const [busy, setBusy] = useState(false);
  /** @param {FormEvent} event */
  const send = async (event) => {
    event.preventDefault();
    setBusy(true);
    const form = event.currentTarget;
    const given = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
    const { body, error } = await ask(path, { ...more, ...given });
    setBusy(false);
    setProblem(error);
    if (!error) {
      form.reset();
      done(body, given);
    }
  };
  return html`
    <form onSubmit=${send}>
      <div class=${row ? 'row' : ''}>${children}</div>
      <${Problem} text=${problem} />
      <div class="buttons"><button class="strong" disabled=${busy}>${say(action)}</button></div>
    </form>
  `;
}

/**
 * What stands after `#` in the address. It is taken out of the address at once, so that it stays in no history.
 */
export function takeFragment() {
  const secret = location.hash.slice(1);
  if (secret) history.replaceState(null, '', location.pathname);
  return secret;
}

/** @param {any} page */
export function show(page) {
  const Page = () => {
    useLanguage();
    return html`<${page} />`;
  };
  const root = document.getElementById('console');
  if (root) render(html`<${Page} />`, root);
}

export const enter = () => location.assign('/');
