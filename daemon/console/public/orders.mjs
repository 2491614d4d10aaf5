// @ts-check
// What the chief arbiter orders of what goes out: stop, go on, so late.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { refusalText } from '../words/refusals.mjs';

/** @typedef {{ round?: number | null, table?: number | null }} Scope */

/** @param {Lateness} late */
export function lateness({ seconds, moves }) {
  const parts = [seconds > 0 && say('public.seconds', { n: seconds }), moves > 0 && say('public.moves', { n: moves })];
  return parts.filter(Boolean).join(', ') || '–';
}

/**
 * @param {string} what
 * @param {Scope} scope
 * @param {object} more
 * @returns {Promise<PublicState>}
 */
async function post(what, scope, more = {}) {
  const body = JSON.stringify({ ...scope, ...more });
  const answer = await fetch(`api/public/${what}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const told = await answer.json();
  if (!answer.ok) throw new Error(refusalText(told, answer.status));
  return told;
}

/** @param {{ scope: Scope, stopped: boolean, late: Lateness, done: (now: PublicState) => void, refused: (why: string) => void }} props */
export function Orders({ scope, stopped, late, done, refused }) {
  const [opened, open] = useState(false);
  /**
   * @param {string} what
   * @param {object} [more]
   */
  const order = (what, more) => post(what, scope, more).then((now) => (done(now), open(false)), (error) => refused(
    error instanceof TypeError ? say('public.silent') : error.message,
  ));
  /** @param {FormEvent} event */
  const set = (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    order('delay', { by: { seconds: Number(form.get('seconds')), moves: Number(form.get('moves')) } });
  };
  if (opened) {
    return html`
      <form class="row" onSubmit=${set}>
        <${Count} name="seconds" label='public.delay.seconds' value=${late.seconds} most=${86_400} />
        <${Count} name="moves" label='public.delay.moves' value=${late.moves} most=${1_000} />
        <button class="strong">${say('public.delay')}</button>
        <button type="button" onClick=${() => order('delay')}>${say('public.delay.usual')}</button>
      </form>
    `;
  }
  return html`
    <div class="buttons">
      ${stopped
        ? html`<button class="strong" onClick=${() => order('resume')}>${say('public.resume')}</button>`
        : html`<button title=${say('public.stop.ask')} onClick=${() => order('stop')}>${say('public.stop')}</button>`}
      <button onClick=${() => open(true)}>${say('public.delay')}</button>
    </div>
  `;
}

// Not its value: what is typed stays when the page is drawn anew.
/** @param {{ name: string, label: Word, value: number, most: number }} props */
const Count = ({ name, label, value, most }) => html`
  <label class="field"><span>${say(label)}</span><input type="number" name=${name} min="0" max=${most} defaultValue=${value} required /></label>
`;
