// @ts-check
// How long an incident waits: so many minutes, the same ones again on this device until others are chosen.
import { html } from '../app/html.mjs';
import { sayOf } from '../state/incidents.mjs';
import { say } from '../words/language.mjs';

const MINUTES = [2, 5, 10];
const KEPT = 'arbiter-later';

function minutes() {
  try {
    const kept = Number(localStorage.getItem(KEPT));
    return MINUTES.includes(kept) ? kept : 5;
  } catch {
    return 5;
  }
}

/** @param {Incident} incident */
export const letWait = (incident) => sayOf(incident, 'later', { seconds: minutes() * 60 });

/** What lets it wait, or not any longer. @param {{ incident: Incident }} props */
export function Later({ incident }) {
  if (incident.state === 'later') return html`<button onClick=${() => sayOf(incident, 'awake')}>${say('incident.awake')}</button>`;
  return html`<button title=${say('later.minutes', { n: minutes() })} onClick=${() => letWait(incident)}>${say('incident.later')}</button>`;
}

/** Of one that waits: how long, counted from the tap. @param {{ incident: Incident }} props */
export function HowLong({ incident }) {
  if (incident.state !== 'later') return null;
  /** @param {number} n */
  const choose = (n) => {
    try {
      localStorage.setItem(KEPT, String(n));
    } catch {
      // The next one waits as long as ever.
    }
    letWait(incident);
  };
  return html`
    <div class="acts how-long" role="group" aria-label=${say('later.label')}>
      ${MINUTES.map((n) => html`<button aria-pressed=${n === minutes()} onClick=${() => choose(n)}>${say('later.minutes', { n })}</button>`)}
    </div>
  `;
}
