// @ts-check
// What waits for arbiters, as the daemon last said it, and what is said of it.
import { link } from './link.mjs';
import { tablesHere } from './sector.mjs';
import { boardById } from './store.mjs';
import { whoAmI } from './me.mjs';
import { isHere, nameOnce, ownName } from './name.mjs';
import { signed, takeBack } from './orders.mjs';
import { notify, useTopic } from './topics.mjs';
import { deliver, forgetUndone, newName } from './outbox.mjs';
import { titleKept, titleOf } from '../words/incidents.mjs';
import { keptText } from '../words/kept.mjs';
import { say, titled } from '../words/language.mjs';
import { moveNumber } from '../words/pieces.mjs';
import { seatName } from '../words/place.mjs';

const VIBRATION = { certain: [180, 90, 180], likely: [120], possible: [] };

/** Of what somebody is not shown, such as an operator what was found, there is nothing. */
const UNSEEN = { findings: [], doubts: [], restore: null, proposed: null, missed: null, unset: false, swapped: null, rulings: [], steps: [], added: null, certainty: null, past: false, ply: null, ended: false, over: false };

/** @type {Map<string, Incident>} */
const incidents = new Map();
/** @type {Incident[]} */
let order = [];

/** Whether the pieces of its game stand on no board: it is over, or played on later. @param {Incident} incident */
const isElsewhere = ({ at_hand: atHand, game }) => !atHand && game !== '';

/**
 * What is shown in which part of the inbox: the smaller, the higher.
 * @param {Incident} incident
 */
export function placeOf(incident) {
  if (incident.past) return 4;
  const open = incident.over || isElsewhere(incident) ? 3 : 0;
  return { new: open, seen: open, undone: open, going: 1, ruled: 2, later: 5, superseded: 6, closed: 6 }[incident.state];
}

/** Who is here. @type {import('./me.mjs').Me | null} */
let me = null;

/**
 * Whether it is at one of these tables, such as `1-10`. What is at no table is everybody's.
 * @param {Pick<Incident, 'table'>} place
 * @param {string | null | undefined} tables all, where there are none
 */
export function isAt({ table }, tables) {
  if (!tables || table === null) return true;
  const [first, last] = tables.split('-').map(Number);
  return table >= first && table <= (last ?? first);
}

/**
 * Whether he who is here may say anything of it: the daemon refuses it else. Whoever looks after boards sees to what is wrong with them.
 * @param {Incident} incident
 * @param {import('./me.mjs').Me} who
 */
export function maySeeTo(incident, { required, role, tables }) {
  if (!required || role === 'chief') return true;
  const isOfBoard = incident.kind === 'fault' && incident.game === '';
  return isOfBoard ? role === 'sector' || role === 'operator' : role === 'sector' && isAt(incident, tables);
}

/** What is found in games that are over waits as well, below all that is played. @param {Incident} incident */
export const isWaiting = (incident) => [0, 3].includes(placeOf(incident));

/** Of an arbiter of some tables only what is at those, and the same on a device on which some are chosen. @param {Incident} incident */
export const needsSomebody = (incident) => isWaiting(incident) && isAt(incident, tablesHere());

function sort() {
  order = [...incidents.values()].sort((a, b) => placeOf(a) - placeOf(b) || a.urgency - b.urgency || a.since - b.since || a.id.localeCompare(b.id));
  notify('incidents');
}

/** @param {Incident[]} all */
export function keepIncidents(all) {
  incidents.clear();
  for (const incident of all) {
    incidents.set(incident.id, { ...UNSEEN, ...incident });
    forgetUndoneOf(incident);
  }
  sort();
  learnMe();
}

/** @param {Incident} incident */
function forgetUndoneOf({ id, state, rulings }) {
  if (state === 'undone') forgetUndone(({ incident, order }) => incident === id && !rulings.some((ruled) => ruled.order === order));
}

async function learnMe() {
  const told = await whoAmI();
  if (!told || (me && told.tables === me.tables)) return;
  me = told;
  notify('incidents');
}

/** @param {Incident} incident */
export function applyIncident(incident) {
  const before = incidents.get(incident.id);
  incidents.set(incident.id, { ...UNSEEN, ...incident });
  forgetUndoneOf(incident);
  const isCalled = isSentHere(incident) && !(before && isSentHere(before));
  if (isCalled || (needsSomebody(incident) && (!before || incident.urgency < before.urgency))) vibrate(incident);
  sort();
}

/** What of one is another than before. @param {Partial<Incident> & { id: string }} changed */
export function changeIncident(changed) {
  const before = incidents.get(changed.id);
  if (before) applyIncident({ ...before, ...changed });
}

/** @type {Set<string>} */
const urged = new Set();

/**
 * Whether what is certain waits for too long without anybody having looked.
 * @param {Incident} incident
 */
export const isOverdue = (incident) => incident.state === 'new' && !incident.past && isPlayed(incident) && incident.certainty === 'certain'
  && now() - incident.since > link.unseen[boardById(incident.board)?.class ?? 'standard'] * 1000;

/** Whether it is of a game that is played, or of a table where one will be. @param {Incident} incident */
export const isPlayed = (incident) => !incident.over && (incident.at_hand || !incident.game);

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

/** The daemon's time, in milliseconds since 1970. */
export const now = () => Date.now() + link.ahead;

/**
 * What all have in common that is sent of an incident.
 * @param {Incident} incident
 * @param {string} act
 */
const about = (incident, act) => ({ path: `api/incidents/${encodeURIComponent(incident.id)}/${act}`, where: seatName(incident), incident: incident.id });

/** Who has said something of them, each once. @param {Incident[]} all */
export const peopleOf = (all) => [...new Set(all.flatMap(({ seen, going, later, sent }) => [seen?.who, going?.who, later?.who, sent?.to, sent?.by]))].flatMap((who) => who || []);

/** Whether whoever is here is asked to go. @param {Incident} incident */
export const isSentHere = ({ sent }) => isHere(sent?.to);

/** @type {Record<'seen' | 'going' | 'send' | 'left' | 'later' | 'awake' | 'tick', Word>} */
const ACTS = { seen: 'incident.seen-nobody', going: 'incident.going', send: 'send', left: 'incident.stay', later: 'incident.later', awake: 'incident.awake', tick: 'step.clocks-set' };

/**
 * Says that somebody looks at it, is on the way, lets it wait, or has done a step. What is said later counts.
 * @param {Incident} incident
 * @param {keyof typeof ACTS} act
 * @param {{ seconds?: number, until_move?: boolean, to?: string, step?: IncidentStep["step"], order?: string }} fields
 */
export async function sayOf(incident, act, fields = {}) {
  const quiet = act === 'seen';
  if (!quiet && !(await nameOnce())) return false;
  return deliver({
    ...about(incident, act),
    id: newName('s'),
    body: { author: ownName(), ...fields },
    what: titled(`${titleOf(incident)}${turnText(incident)}`, say(ACTS[act])),
    done: '',
    kind: 'say',
    slot: `${incident.id} ${quiet ? act : act === 'tick' ? `${act} ${fields.step} ${fields.order ?? ''}` : 'sees-to'}`,
    quiet,
  });
}

/** In which move it was, where that is known: two at one table may be called alike. @param {Incident} incident */
function turnText({ board, game, ply }) {
  const at = boardById(board);
  return ply && at?.game === game ? ` (${say('move-of', { number: moveNumber(at, ply).replace(/[.…]+$/, '') })})` : '';
}

/**
 * Rules on it. The ruling has a name of its own, so that it counts once however often it is sent, and says what it was decided upon.
 * @param {Incident} incident
 * @param {Order} ordered
 * @param {import('../words/kept.mjs').Kept} done
 * @param {number} [confirmed] half-moves that it is known to take out of the record
 */
export async function ruleOn(incident, ordered, done, confirmed) {
  if (!(await nameOnce())) return false;
  const id = newName('i');
  const takesBack = 'action' in ordered && ordered.action === 'take-back' ? ordered.order : undefined;
  const { game, board, table } = incident;
  const title = titleKept(incident);
  return deliver({
    ...about(incident, 'rule'),
    id,
    body: { id, upon: incident.version, order: signed(ordered) },
    what: titled(`${keptText(title)}${turnText(incident)}`, keptText(done).replace(/\.$/, '')),
    done: keptText(done),
    kind: 'rule',
    confirmed,
    ...(takesBack ? { takesBack } : { given: { incident: incident.id, order: id, game, board, table, title, done, at: now() } }),
  });
}

/**
 * Takes back what was ruled on an incident that is settled by now, be its game over or not.
 * @param {import('./outbox.mjs').Given} given
 */
export async function takeBackOf({ incident, game, board, table, order, title }) {
  if (!(await nameOnce())) return false;
  const at = boardById(board);
  const shown = at?.game === game ? at : null;
  return deliver({
    id: newName('t'),
    path: `api/games/${encodeURIComponent(game)}/orders`,
    body: signed(takeBack(order)),
    where: seatName({ table, board, white: shown?.white ?? '', black: shown?.black ?? '' }),
    what: titled(keptText(title), say('given.take-back')),
    done: say('done.take-back', { what: keptText(title) }),
    kind: 'rule',
    incident,
    takesBack: order,
  });
}
