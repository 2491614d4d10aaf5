// @ts-check
// What waits for arbiters, as the daemon last said it, and what is said of it.
import { link } from './link.mjs';
import { boardById } from './store.mjs';
import { sendKnowingly } from './knowingly.mjs';
import { setNotice } from './notice.mjs';
import { notify, useTopic } from './topics.mjs';
import { say } from '../words/language.mjs';

const KEPT = 'arbiter-name';
const TRIES = 4;
const RETRY_MS = 700;
const VIBRATION = { certain: [180, 90, 180], likely: [120], possible: [] };

/** Of what somebody is not shown, such as an operator what was found, there is nothing. */
const UNSEEN = { findings: [], doubts: [], restore: null, proposed: null, missed: null, rulings: [], steps: [], certainty: null, past: false, ply: null, ended: false };

/** @type {Map<string, Incident>} */
const incidents = new Map();
/** @type {Incident[]} */
let order = [];

/**
 * What is shown in which part of the inbox: the smaller, the higher.
 * @param {Incident} incident
 */
export function placeOf(incident) {
  if (incident.past) return 3;
  return { new: 0, seen: 0, undone: 0, going: 1, ruled: 2, later: 4, superseded: 5, closed: 5 }[incident.state];
}

/** @param {Incident} incident */
export const needsSomebody = (incident) => placeOf(incident) === 0;

function sort() {
  order = [...incidents.values()].sort((a, b) => placeOf(a) - placeOf(b) || a.urgency - b.urgency || a.since - b.since || a.id.localeCompare(b.id));
  notify('incidents');
}

/** @param {Incident[]} all */
export function keepIncidents(all) {
  incidents.clear();
  for (const incident of all) incidents.set(incident.id, { ...UNSEEN, ...incident });
  sort();
}

/** @param {Incident} incident */
export function applyIncident(incident) {
  const before = incidents.get(incident.id);
  incidents.set(incident.id, { ...UNSEEN, ...incident });
  if (needsSomebody(incident) && (!before || incident.urgency < before.urgency)) vibrate(incident);
  sort();
}

/** @type {Set<string>} */
const urged = new Set();

/**
 * Whether what is certain waits for too long without anybody having looked.
 * @param {Incident} incident
 */
export const isOverdue = (incident) => incident.state === 'new' && !incident.past && incident.certainty === 'certain'
  && now() - incident.since > link.unseen[boardById(incident.board)?.class ?? 'standard'] * 1000;

/** Whoever is responsible for all tables is told once more of what nobody looks at. */
export function urge() {
  for (const incident of order) {
    if (!isOverdue(incident) || urged.has(incident.id)) continue;
    urged.add(incident.id);
    vibrate(incident);
  }
}

/** @param {string} id */
export function settleIncident(id) {
  incidents.delete(id);
  sort();
}

/** No sound: players must not hear of it. @param {Incident} incident */
function vibrate(incident) {
  const sure = /** @type {Certainty} */ (incident.certainty ?? 'likely');
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION[sure]);
}

/** All of them, the most urgent first; rendered again whenever one changes. */
export function useIncidents() {
  useTopic('incidents');
  return order;
}

/**
 * The most urgent one that needs somebody, besides the one that is shown.
 * @param {string | undefined} shown
 */
export const nextIncident = (shown) => order.find((incident) => incident.id !== shown && needsSomebody(incident))?.id;

/** @param {string} id */
export function useIncident(id) {
  useTopic('incidents');
  return incidents.get(id);
}

/** The name under which things are said where nobody is asked who he is. */
export function ownName() {
  try {
    return localStorage.getItem(KEPT) ?? '';
  } catch {
    return '';
  }
}

/** @param {string} name */
export function setOwnName(name) {
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // Without a store nobody's name is kept.
  }
}

/** The daemon's time, in milliseconds since 1970. */
export const now = () => Date.now() + link.ahead;

/**
 * @param {string} id
 * @param {string} act
 * @param {object} body
 * @param {string} query
 */
async function post(id, act, body, query) {
  const send = () => fetch(`api/incidents/${encodeURIComponent(id)}/${act}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // A line that is gone for a moment loses nothing: what is sent again counts once.
  for (let left = TRIES; ; left -= 1) {
    try {
      return await send();
    } catch (error) {
      if (left <= 1) throw error;
      await new Promise((done) => { setTimeout(done, RETRY_MS * (TRIES - left + 1)); });
    }
  }
}

/**
 * @param {Incident} incident
 * @param {string} act
 * @param {object} body
 */
async function told(incident, act, body) {
  const where = { board: incident.table ?? incident.board };
  try {
    const answer = await sendKnowingly((query) => post(incident.id, act, body, query));
    if (!answer) return false;
    if (answer.ok) return true;
    const { error } = await answer.json().catch(() => ({ error: say('notice.status', { status: answer.status }) }));
    setNotice({ kind: 'refused', text: say('notice', { ...where, text: error }) });
  } catch {
    setNotice({ kind: 'refused', text: say('notice', { ...where, text: say('notice.unreachable') }) });
  }
  return false;
}

/**
 * Says that somebody looks at it, is on the way, lets it wait, or has done a step.
 * @param {Incident} incident
 * @param {'seen' | 'going' | 'left' | 'later' | 'awake' | 'tick'} act
 * @param {{ seconds?: number, step?: IncidentStep['step'] }} fields
 */
export const sayOf = (incident, act, fields = {}) => told(incident, act, { author: ownName(), ...fields });

/**
 * Rules on it. The ruling has a name of its own, so that it counts once however often it is sent, and says what it was decided upon.
 * @param {Incident} incident
 * @param {Order} ordered
 * @param {string} done
 */
export async function ruleOn(incident, ordered, done) {
  const author = ownName();
  const body = { id: `i${crypto.getRandomValues(new Uint32Array(2)).join('')}`, upon: incident.version, order: { ...ordered, ...(author && { author }) } };
  const is = await told(incident, 'rule', body);
  if (is) setNotice({ kind: 'done', text: say('notice', { board: incident.table ?? incident.board, text: done }) });
  return is;
}
