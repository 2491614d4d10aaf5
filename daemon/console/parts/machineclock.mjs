// @ts-check
// A machine without a battery for its clock has lost the time. Before the first round the chief arbiter's device lends it its own.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { setNotice } from '../state/notice.mjs';
import { whoAmI } from '../state/me.mjs';
import { say } from '../words/language.mjs';
import { refusalSentence } from '../words/refusals.mjs';

/** Clocks that differ by less disturb nobody. */
const OFF_MS = 60_000;

/** What the machine's clock shows, where it is wrong and may be set from here; else null. */
async function wrongClock() {
  const me = await whoAmI();
  if (!me || (me.required && me.role !== 'chief')) return null;
  const answer = await fetch('api/clock');
  if (!answer.ok) return null;
  /** @type {MachineClock} */
  const clock = await answer.json();
  const off = Math.abs(Date.now() - clock.now) > OFF_MS;
  return clock.settable && off ? clock.now : null;
}

export function ClockNotice() {
  const [shown, setShown] = useState(/** @type {number | null} */ (null));
  useEffect(() => { wrongClock().then(setShown, () => {}); }, []);
  if (shown === null) return null;
  const lend = async () => {
    const answer = await fetch('api/clock', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ now: Date.now() }),
    });
    // Everything on the page that tells a time was worked out by the old one.
    if (answer.ok) location.reload();
    else setNotice({ kind: 'refused', text: refusalSentence(await answer.json().catch(() => null), answer.status) });
  };
  const told = (/** @type {number} */ ms) => new Date(ms).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
  return html`
    <div class="lost" role="alert">
      <span><strong>${say('clock.wrong', { machine: told(shown) })}</strong> ${say('clock.here', { here: told(Date.now()) })}</span>
      <button onClick=${lend}>${say('clock.lend')}</button>
    </div>
  `;
}
