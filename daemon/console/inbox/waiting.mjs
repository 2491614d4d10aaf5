// @ts-check
// What was ordered and is not with the daemon yet, on every page, above all else.
import { html } from '../app/html.mjs';
import { toIncident } from '../app/route.mjs';
import { say, titled, useLanguage } from '../words/language.mjs';
import { tablesText } from '../words/place.mjs';
import { Icon } from '../parts/icon.mjs';
import { drop, placed, useWaiting } from '../state/outbox.mjs';

/** @typedef {import('../state/outbox.mjs').Sent} Sent */

export function Waiting() {
  useLanguage();
  const all = useWaiting();
  if (all.length === 0) return null;
  const waiting = all.filter(({ refused }) => refused === undefined).length;
  return html`
    <section class="waiting" aria-label=${say('waiting')}>
      ${waiting > 0 && html`<p><${Icon} name="unplugged" /> <strong>${say('waiting.n', { n: waiting })}</strong></p>`}
      <ul>${all.map((one) => html`<${Line} key=${one.id} one=${one} />`)}</ul>
    </section>
  `;
}

/** @param {{ one: Sent }} props */
function Line({ one }) {
  const { refused, moot } = one;
  // What names its table says it once.
  const at = tablesText(one.tables ?? []);
  const what = at && !one.what.toLowerCase().includes(at.toLowerCase()) ? titled(at, one.what) : one.what;
  if (refused === undefined) {
    return html`<li><span>${placed(one, what)}</span><button onClick=${() => drop(one)}>${say('waiting.drop')}</button></li>`;
  }
  return html`
    <li class="lost-order" role="alert"><span>${placed(one, moot ? say('waiting.moot', { what }) : say('waiting.lost', { what, why: refused }))}</span>
      ${one.incident && html`<a href=${toIncident(one.incident)}>${say('waiting.look')}</a>`}
      <button onClick=${() => drop(one)}>${say('close')}</button></li>
  `;
}
