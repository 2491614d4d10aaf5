// @ts-check
// What a wall is told: of one hall, or of each hall of a hub as that hall's own wall is.
import { mayStay, whoAmI } from '../state/me.mjs';
import { hallHere, roomOf } from '../state/room.mjs';
import { setEventLanguage } from '../words/language.mjs';

const AGAIN_MS = 3_000;
// The daemon sends a beat every 5 s; two missing beats are a dead line, which a browser may not notice for a quarter of an hour.
const SILENCE_MS = 12_000;

/**
 * A hall on the wall. `hall`: its name, where the wall says it; `stand`: whether it is not told yet, has not called its hub yet, has no board for this screen, or has some;
 * `old`: without a line, when something was heard last, in milliseconds since 1970.
 * @typedef {{ hall: string | null, boards: Map<string, any>, stand: 'asked' | 'silent' | 'bare' | 'told', old: number | null }} WallRoom
 */

/** @param {string | null} hall @returns {WallRoom} */
const untold = (hall) => ({ hall, boards: new Map(), stand: 'asked', old: null });

/** Halls that the address of this wall has named. */
const KEPT = 'arbiter-wall';

/**
 * Follows everything that this wall shows, as long as the page lives.
 * @param {(change: (rooms: WallRoom[]) => WallRoom[]) => void} set
 */
export function followAll(set) {
  const own = hallHere();
  const named = new URLSearchParams(location.search).getAll('hall');
  if (own === null && named.length > 0) {
    keep(named);
    followHalls(named, set);
    return;
  }
  set(() => [untold(own)]);
  // A hub has no boards of its own; a hall that has none for this screen is asked whether it is one.
  follow('', 0, set, own === null ? async () => {
    const halls = await hallsOfHub();
    if (halls.length > 0) followHalls(halls, set);
    return halls.length > 0;
  } : undefined);
}

/** Who is shown nothing but boards is not told how many halls there are. */
const WATCHERS = new Set(['viewer', 'display']);

/** The halls whose hub this is. Who may not ask is shown those that the address has named before he was let in. @returns {Promise<string[]>} */
async function hallsOfHub() {
  const me = await whoAmI();
  // A screen of some tables is one of a hall that has others, as a rule.
  const answer = me?.tables && WATCHERS.has(String(me.role)) ? null : await fetch('api/halls').catch(() => null);
  if (answer?.status === 404) return [];
  return answer?.ok ? (await answer.json()).map((/** @type {HallOfHub} */ { name }) => name) : kept();
}

/** @param {string[]} halls */
function keep(halls) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(halls));
  } catch {
    // Without a store they stand in the address alone.
  }
}

/** @returns {string[]} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '[]');
  } catch {
    return [];
  }
}

/**
 * @param {string[]} halls
 * @param {(change: (rooms: WallRoom[]) => WallRoom[]) => void} set
 */
function followHalls(halls, set) {
  set(() => halls.map(untold));
  halls.forEach((hall, n) => follow(roomOf(hall), n, set));
}

/**
 * Follows one hall, and shows it as the `n`th.
 * @param {string} room where its interface is
 * @param {number} n
 * @param {(change: (rooms: WallRoom[]) => WallRoom[]) => void} set
 * @param {() => Promise<boolean>} [bare] asked where it has no boards for this screen: whether others are followed in its place
 */
function follow(room, n, set, bare) {
  const socket = new WebSocket(new URL(`${room}api/live?rest=card&wall=true`, document.baseURI).href.replace(/^http/, 'ws'));
  /** @param {(one: WallRoom) => Partial<WallRoom>} change */
  const become = (change) => set((rooms) => rooms.map((one, at) => (at === n ? { ...one, ...change(one) } : one)));
  let isOpen = false;
  let isTold = false;
  let heard = { at: performance.now(), on: Date.now() };
  const end = () => {
    clearInterval(watch);
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  };
  const lost = () => {
    end();
    // What was shown stays, and says how old it is. Of a hall of which nothing was heard yet its hub has nothing to tell.
    become(({ stand, old }) => ({ old: old ?? heard.on, stand: !isOpen && room && stand === 'asked' ? 'silent' : stand }));
    mayStay();
    setTimeout(() => follow(room, n, set, bare), AGAIN_MS);
  };
  // The page's own clock may stand still while the machine sleeps; that of the wall may be set.
  const watch = setInterval(() => Math.max(performance.now() - heard.at, Date.now() - heard.on) > SILENCE_MS && lost(), 1_000);
  socket.onopen = () => { isOpen = true; };
  socket.onclose = lost;
  socket.onmessage = async ({ data }) => {
    heard = { at: performance.now(), on: Date.now() };
    const message = JSON.parse(data);
    if ('hall' in message && message.hall.boards.length === 0 && await bare?.()) {
      end();
      return;
    }
    if (!isTold) become(() => ({ old: null }));
    isTold = true;
    if ('hall' in message) {
      // Halls may differ: a wall of several speaks as the first.
      if (n === 0) setEventLanguage(message.hall.language ?? null);
      become(({ boards }) => begun(boards, message.hall.boards));
    }
    if ('update' in message) become(({ boards }) => ({ boards: new Map(boards).set(message.board, { ...boards.get(message.board), ...message }) }));
  };
}

/**
 * Which boards there are for this screen; others are gone.
 * @param {Map<string, any>} before
 * @param {string[]} ids
 * @returns {Partial<WallRoom>}
 */
function begun(before, ids) {
  const boards = new Map([...before].filter(([id]) => ids.includes(id)));
  return { boards, stand: ids.length === 0 ? 'bare' : 'told' };
}
