// @ts-check
// Orders on their way to the daemon. Each is kept until it is answered, also when the page is loaded again: a line that is gone loses none.
import { keepOrders, keptOrders } from './keptorders.mjs';
import { sendKnowingly } from './knowingly.mjs';
import { whoAmI } from './me.mjs';
import { ownName } from './name.mjs';
import { setNotice } from './notice.mjs';
import { post } from './post.mjs';
import { notify, subscribe, useTopic } from './topics.mjs';
import { capital, say } from '../words/language.mjs';
import { refusalText } from '../words/refusals.mjs';

/** Where there was no answer for so long, it is said. */
const LATE_MS = 2_500;
/** After so long no answer comes on that line any more. */
const DEAD_MS = 15_000;
const FIRST_AGAIN_MS = 700;
const LONGEST_AGAIN_MS = 5_000;
/** Nothing was done, and will be once somebody has logged in, or in a moment. */
const NOT_YET = [401, 423, 429];
/** Refusals of a take-back that say that there is nothing to take back any more. */
const GONE = ['order-no-order', 'order-taken-back'];
/** So many rulings can be taken back from pages of what is settled. */
const GIVEN = 50;

/** @typedef {import('../words/kept.mjs').Kept} Kept */

/**
 * What was ruled from the inbox, and can be taken back: it is read for long, be it in another language.
 * @typedef {{ incident: string, order: string, game: string, board: string, table: number | null, title: Kept, done: Kept, at: number }} Given
 */

/**
 * One order, or something else that is said. It can be sent again: it has a name, or changes nothing the second time.
 * @typedef {object} Sent
 * @property {string} id
 * @property {string} path
 * @property {any} body
 * @property {string} where the table or the board with its players, for people; empty where it is about neither
 * @property {number[]} [tables] that it is about, where `where` does not say it
 * @property {string} what what it says, for people
 * @property {string} done what is said once it counts
 * @property {string} [doneLate] the same where it has waited: what the clocks showed then is not so any more
 * @property {string} [author] in whose name it is given, where nobody is asked who he is
 * @property {'rule' | 'say' | 'order' | 'act'} kind
 * @property {string} [incident] what it is about
 * @property {string} [slot] a later one of the same slot takes its place
 * @property {string} [upon] what it was decided upon: the daemon refuses it where that has changed
 * @property {[board: string, game: string]} [on] late it counts for this game alone
 * @property {number} [confirmed] so many half-moves it is known to take out of the record
 * @property {boolean} [quiet] nobody asked for it: nothing is said of it
 * @property {boolean} [once] twice it would do harm
 * @property {string[]} [asks] refusals for want of a reason: who has sent it asks for that, and nothing is said of them
 * @property {Given} [given]
 * @property {string} [takesBack] the order that it takes back
 * @property {string} [who]
 * @property {boolean} [late] it waits for the line
 * @property {boolean} [tried] it may have arrived, though nothing was answered
 * @property {string} [refused] why, where that came late
 * @property {boolean} [moot] others had done it by then
 */

/** @type {{ all: Sent[], given: Given[] }} */
const kept = { all: [], given: [], ...keptOrders() };
/** Given on a page before this one, by somebody of whom no name was known then. */
const ofBefore = new Set(kept.all.filter((one) => one.who === undefined).map(({ id }) => id));
/** What came of it: `told` is what the daemon answered, unless it waits for the line. @typedef {{ taken: boolean, told?: any }} Answered */

/** @type {Map<string, (answered: Answered) => void>} */
const waits = new Map();
/** What was decided upon the same as an order of one's own is no less so once that counts: by its address, what the last of them was decided upon. @type {Map<string, string>} */
const counted = new Map();
/** The same by round and table: what stood there, and what stands there since. @type {Map<string, { stood: string, since: string | undefined }>} */
const countedAt = new Map();
/** @type {string | null} */
let who = null;
/** @type {Sent | undefined} */
let underWay;
let againMs = FIRST_AGAIN_MS;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

function changed() {
  keepOrders(kept);
  notify('orders');
}

/** @param {string} start */
export const newName = (start) => `${start}${Date.now()}${crypto.getRandomValues(new Uint16Array(1))[0]}`;

/**
 * Sends it, after those that were given before. True once it is taken, or kept because the line is gone; false where it was refused, which is shown.
 * @param {Sent} sent
 * @returns {Promise<boolean>}
 */
export const deliver = (sent) => send(sent).then(({ taken }) => taken);

/**
 * The same, with what was answered.
 * @param {Sent} sent
 * @returns {Promise<Answered>}
 */
export function send(sent) {
  // What may have arrived is sent again until it is answered: what takes its place is a correction of it.
  kept.all = kept.all.filter((other) => !sent.slot || other.slot !== sent.slot || other === underWay || (other.tried && other.refused === undefined));
  const one = { ...sent, body: structuredClone(sent.body), author: ownName(), ...(who !== null && { who }) };
  if (counted.get(one.path) === one.upon) delete one.upon;
  for (const [table] of standsOf(one)) standsSince(one, table);
  kept.all.push(one);
  changed();
  return new Promise((done) => {
    waits.set(one.id, done);
    if (underWay?.late) letWait(one);
    work();
  });
}

/** The first of them that still is to be sent; of those that are there from before, once it is known who is here. */
const next = () => kept.all.find((one) => one.refused === undefined && (one.who === undefined ? who !== null || !ofBefore.has(one.id) : one.who === who));

async function work() {
  clearTimeout(timer);
  if (underWay) return;
  for (underWay = next(); underWay; underWay = next()) {
    if (await attempt(underWay)) {
      againMs = FIRST_AGAIN_MS;
      continue;
    }
    timer = setTimeout(work, againMs);
    againMs = Math.min(againMs * 2, LONGEST_AGAIN_MS);
    break;
  }
  underWay = undefined;
}

/** What was given here in another's name is not sent in this one's: that it does not count is said. */
async function learnWho() {
  const me = who === null ? await whoAmI() : null;
  if (me && (!me.required || me.role)) {
    who = me.name;
    const mayRead = !me.required || me.role === 'chief' || me.role === 'sector';
    const isOthers = (/** @type {Sent} */ one) => (one.who === undefined ? me.required && ofBefore.has(one.id) : one.who !== who);
    kept.all = kept.all.filter((one) => !isOthers(one) || !one.quiet);
    for (const one of kept.all.filter(isOthers)) {
      one.late = true;
      one.refused ??= one.who ? say('waiting.other-name', { name: one.who }) : say('waiting.no-name');
      // What arbiters find is not for everybody who comes in here.
      if (!mayRead) one.what = say('waiting.an-order');
    }
    changed();
  }
  work();
}

/**
 * False where it must be sent again.
 * @param {Sent} one
 */
async function attempt(one) {
  const wasLate = one.late === true;
  const mayHaveCome = one.tried === true;
  const answer = await sendKnowingly((query) => transmit(one, query), one.where, one.confirmed ? `?confirmed=${one.confirmed}` : '').catch(() => undefined);
  if (!kept.all.includes(one)) return true;
  if (answer === undefined && one.once) {
    settle(one, false);
    setNotice({ kind: 'refused', text: placed(one, say('notice.unreachable')) });
    return true;
  }
  if (answer && NOT_YET.includes(answer.status)) one.tried = false;
  if (answer === undefined || (answer && NOT_YET.includes(answer.status))) {
    kept.all.forEach(letWait);
    return false;
  }
  if (answer === null) {
    settle(one, false);
    setNotice({ kind: 'done', text: placed(one, say('cut.declined')) });
  } else {
    const told = await answer.json().catch(() => ({}));
    // That an order is there no more is what whoever takes it back twice is told.
    const wasTakenBack = wasLate && one.takesBack && GONE.includes(told.why?.kind);
    if (wasTakenBack && !mayHaveCome) leave(one);
    else if (answer.ok || wasTakenBack) count(one, told);
    else refuse(one, answer, told);
  }
  return true;
}

/**
 * @param {Sent} one
 * @param {string} query
 */
async function transmit(one, query) {
  if (one.late && one.on && await isOther(one.on)) return new Response(JSON.stringify({ error: say('waiting.other-game') }), { status: 409 });
  const slow = setTimeout(() => letWait(one), LATE_MS);
  one.tried ||= navigator.onLine;
  try {
    const asked = new URLSearchParams(query);
    if (one.upon) asked.set('upon', one.upon);
    return await post(`${one.path}${asked.size > 0 ? `?${asked}` : ''}`, one.body, { signal: AbortSignal.timeout(DEAD_MS), author: one.author, ...(one.kind === 'act' && { name: one.id }) });
  } finally {
    clearTimeout(slow);
  }
}

/**
 * Whether another game stands on the board by now.
 * @param {[board: string, game: string]} on
 */
async function isOther([board, game]) {
  const answer = await fetch(`api/boards/${encodeURIComponent(board)}`, { signal: AbortSignal.timeout(DEAD_MS) });
  return answer.ok && (await answer.json()).game !== game;
}

/** @param {Sent} one */
function letWait(one) {
  if (one.late || one.once || !kept.all.includes(one)) return;
  one.late = true;
  if (!one.quiet) setNotice({ kind: 'refused', text: placed(one, say('waiting.said')) });
  answerTo(one, { taken: true });
  changed();
}

/** What stood at tables as an act on results was decided. @param {Sent} one @returns {[table: string, stood: string][]} */
const standsOf = ({ kind, body }) => (kind === 'act' && body.upon && typeof body.upon === 'object' ? Object.entries(body.upon) : []);

/** What stands at a table of a round, as that was answered. @param {any} told @param {string} table @returns {string | undefined} */
const uponIn = (told, table) => told?.pairings?.find((/** @type {{ table: number | null }} */ pairing) => String(pairing.table) === table)?.upon;

/**
 * What was decided upon the same as an order of one's own that counts by now is decided upon that.
 * @param {Sent} one
 * @param {string} table
 */
function standsSince(one, table) {
  const counts = countedAt.get(placeAt(one, table));
  if (!counts || !standsOf(one).some(([at, stood]) => at === table && stood === counts.stood)) return;
  if (counts.since === undefined) delete one.body.upon[table];
  else one.body.upon[table] = counts.since;
}

/** A table of the round that an act is about. @param {Sent} one @param {string} table */
const placeAt = ({ path }, table) => `${path.slice(0, path.lastIndexOf('/'))} ${table}`;

/**
 * What is said of it, with where it is.
 * @param {Sent} one
 * @param {string} text
 */
export const placed = ({ where }, text) => (where === '' ? capital(text) : say('notice', { place: where, text }));

/**
 * @param {Sent} one
 * @param {any} told what the daemon answered
 */
function count(one, told) {
  if (one.upon) {
    counted.set(one.path, one.upon);
    for (const other of kept.all) if (other !== one && other.path === one.path && other.upon === one.upon) delete other.upon;
  }
  // The same of the results of a round: whoever corrects himself means what he has said.
  for (const [table, stood] of standsOf(one)) {
    const place = placeAt(one, table);
    countedAt.set(place, { stood, since: uponIn(told, table) });
    for (const other of kept.all) if (other !== one && placeAt(other, table) === place) standsSince(other, table);
  }
  if (one.given) kept.given = [one.given, ...kept.given].slice(0, GIVEN);
  if (one.takesBack) kept.given = kept.given.filter(({ order }) => order !== one.takesBack);
  settle(one, true, told);
  const done = (one.late && one.doneLate) || one.done;
  if (done) setNotice({ kind: 'done', text: placed(one, done) });
}

/**
 * What waited, and others have done meanwhile: it counts by them, and that is said until somebody has read it.
 * @param {Sent} one
 */
function leave(one) {
  kept.given = kept.given.filter(({ order }) => order !== one.takesBack);
  Object.assign(one, { refused: '', moot: true });
  changed();
  setNotice(null);
}

/**
 * What waited is said to be lost until somebody has read it: he may be far from the page by then.
 * @param {Sent} one
 * @param {Response} answer
 * @param {{ error?: string, why?: Reason }} told
 */
function refuse(one, answer, told) {
  const why = answer.status === 404 && one.incident ? say('waiting.settled') : refusalText(told, answer.status);
  if (one.late && one.kind !== 'say') {
    // It stands above the page, and says so: nobody reads it twice.
    one.refused = why;
    changed();
    setNotice(null);
    return;
  }
  settle(one, false, told);
  if (one.asks?.includes(told.why?.kind ?? '')) return;
  const text = one.kind === 'rule' ? say('waiting.lost', { what: one.what, why }) : why;
  if (!one.quiet) setNotice({ kind: 'refused', text: placed(one, text) });
}

/**
 * @param {Sent} one
 * @param {boolean} taken
 * @param {any} [told]
 */
function settle(one, taken, told) {
  kept.all = kept.all.filter((other) => other !== one);
  answerTo(one, { taken, told });
  changed();
}

/**
 * @param {Sent} one
 * @param {Answered} answered
 */
function answerTo({ id }, answered) {
  waits.get(id)?.(answered);
  waits.delete(id);
}

/**
 * It is not to be sent any more, or was read.
 * @param {Sent} one
 */
export const drop = (one) => settle(one, false);

/** What may have arrived of a slot, though nothing was answered. @param {string} slot */
export const mayHaveArrived = (slot) => kept.all.findLast((one) => one.slot === slot && one.tried && one.refused === undefined);

/** What waits for the line, and what was lost to it. */
export function useWaiting() {
  useTopic('orders');
  return kept.all.filter((one) => one.late && !one.quiet);
}

/**
 * The ruling on an incident that is on its way, be it that it waits for the line.
 * @param {string} id
 */
export function useOnItsWay(id) {
  useTopic('orders');
  return kept.all.find((one) => one.incident === id && one.kind === 'rule' && one.refused === undefined);
}

/**
 * What is on its way to addresses that begin so, be it that it waits for the line.
 * @param {string} path
 */
export function useSentTo(path) {
  useTopic('orders');
  return kept.all.filter((one) => one.path.startsWith(path) && one.refused === undefined);
}

/**
 * What was taken back, be it by another, is not there to be taken back again.
 * @param {(given: Given) => boolean} isUndone
 */
export function forgetUndone(isUndone) {
  const left = kept.given.filter((given) => !isUndone(given));
  if (left.length === kept.given.length) return;
  kept.given = left;
  changed();
}

/**
 * What was ruled here on an incident, the latest first.
 * @param {string} id
 */
export function useGiven(id) {
  useTopic('orders');
  return kept.given.filter(({ incident }) => incident === id);
}

/** What was ruled and answered here, the latest first. */
export const allGiven = () => kept.given;

/** The same, rendered again whenever it changes. */
export function useAllGiven() {
  useTopic('orders');
  return allGiven();
}

subscribe('hall', learnWho);
addEventListener('online', work);
learnWho();
