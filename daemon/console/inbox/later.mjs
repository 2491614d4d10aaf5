// @ts-check
// How long an incident waits: so many minutes or until the next move at its table, the same again on this device until something else is chosen.
import { html } from '../app/html.mjs';
import { sayOf } from '../state/incidents.mjs';
import { say } from '../words/language.mjs';

const MINUTES = [2, 5, 10];
const KEPT = 'arbiter-later';
/** As kept. */
const MOVE = 'move';

/** Minutes; 0: until the next move. */
function usual() {
  try {
    const kept = localStorage.getItem(KEPT);
    if (kept === MOVE) return 0;
    return MINUTES.includes(Number(kept)) ? Number(kept) : 5;
  } catch {
    return 5;
  }
}

/** Whether there is a move to wait for. @param {Incident} incident */
const isPlayed = ({ at_hand, over }) => at_hand && !over;

/** @param {Incident} incident */
const waitsFor = (incident) => usual() || (isPlayed(incident) ? 0 : 5);

/** @param {number} n */
const waitText = (n) => (n === 0 ? say('later.move') : say('later.minutes', { n }));

/** @param {Incident} incident */
export function letWait(incident) {
  const n = waitsFor(incident);
  return sayOf(incident, 'later', n === 0 ? { until_move: true } : { seconds: n * 60 });
}

/** What lets it wait, or not any longer. @param {{ incident: Incident }} props */
export function Later({ incident }) {
  if (incident.state === 'later') return html`<button onClick=${() => sayOf(incident, 'awake')}>${say('incident.awake')}</button>`;
  return html`<button title=${waitText(waitsFor(incident))} onClick=${() => letWait(incident)}>${say('incident.later')}</button>`;
}

/** Of one that waits: how long, counted from the tap. @param {{ incident: Incident }} props */
export function HowLong({ incident }) {
  if (incident.state !== 'later') return null;
  /** @param {number} n */
  const choose = (n) => {
    try {
      localStorage.setItem(KEPT, n === 0 ? MOVE : String(n));
    } catch {
      // The next one waits as long as ever.
    }
    letWait(incident);
  };
  return html`
    <div class="acts how-long" role="group" aria-label=${say('later.label')}>
      ${[...(isPlayed(incident) ? [0] : []), ...MINUTES].map((n) => html`<button aria-pressed=${n === waitsFor(incident)} onClick=${() => choose(n)}>${waitText(n)}</button>`)}
    </div>
  `;
}
