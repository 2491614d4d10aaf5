// @ts-check
// What the daemon last said of each board.
import { anchorClocks } from './clock.mjs';
import { notify, subscribe, useTopic } from './topics.mjs';
import { byUrgency, needsArbiter, setAwaited, urgencyOf } from './urgency.mjs';
import { isWatched, useWatched } from './watch.mjs';

const ALL_MS = 500;
const SORTED_MS = 20;
/** Cards are drawn together so often: each time that the page is drawn costs the more, the more is on it. */
const CARDS_MS = 250;

/** Of what somebody is not shown, such as an operator what was found, there is nothing. */
const UNSEEN = { whole: false, plies: [], last: null, differs: [], distrusted: [], findings: [], doubts: [], orders: [], open: 0, obligation: null, restore: null, asked: null, result_text: null, held_back: null, offences: { white: 0, black: 0, loses: null } };

/** @type {Map<string, Shown>} */
const boards = new Map();
/** @type {string[]} */
let order = [];

export const boardIds = () => order;
/** @param {string} id */
export const boardById = (id) => boards.get(id);

/**
 * Whether the board needs the arbiter.
 * @param {string} id
 */
export function isWaiting(id) {
  const board = boards.get(id);
  return board !== undefined && needsArbiter(board);
}

/**
 * The board `id`, rendered again whenever it changes.
 * @param {string} id
 */
export function useBoard(id) {
  useTopic(`board:${id}`);
  return boards.get(id);
}

/**
 * The same as one of many: rendered again together with the others, and while nobody sees it only when what it needs changes.
 * @param {string} id
 * @param {boolean} isSeen
 */
export function useBoardInView(id, isSeen) {
  useTopic(`${isSeen ? 'card' : 'urgent'}:${id}`);
  return boards.get(id);
}

/**
 * The same in whole: with all its half-moves, and what its sensors read. Until it is told there is none.
 * @param {string} id
 */
export function useWholeBoard(id) {
  useWatched(id);
  const board = useBoard(id);
  return board?.whole ? board : undefined;
}

subscribe('watch', () => {
  for (const board of boards.values()) if (!isWatched(board.id)) board.whole = false;
});

/** The ids of all boards, most urgent first, rendered again whenever the order or an urgency changes. */
export function useOrder() {
  useTopic('order');
  return order;
}

/**
 * Which boards there are; others are forgotten.
 * @param {string[]} ids
 */
export function keepBoards(ids) {
  for (const id of boards.keys()) if (!ids.includes(id)) boards.delete(id);
  sortBoards();
}

/**
 * Takes a board's state or what changed of it. Plies before `plies_from` are those already known.
 * False when they are not known, so that everything must be told again. Without plies only a part of the board is told, and the last of them.
 * @param {Update} message
 */
export function applyUpdate(message) {
  const { board: id, update: _, plies_from: from = 0, plies, ...fields } = message;
  const before = boards.get(id);
  if (from > (before?.plies.length ?? 0) || (!before && !fields.state)) return false;
  const board = /** @type {Shown} */ ({ ...UNSEEN, ...before, ...fields, id });
  if (plies) {
    board.plies = before ? before.plies.slice(0, from).concat(plies) : plies;
    board.last = board.plies.at(-1) ?? null;
    if (message.plies_from === undefined) board.whole = true;
  }
  board.clocks = anchorClocks(board, before);
  board.urgency = urgencyOf(board);
  boards.set(id, board);
  notify(`board:${id}`);
  drawCard(id);
  soon();
  if (before?.urgency.rank !== board.urgency.rank) sortBoards();
  if (before?.urgency.key !== board.urgency.key) notify(`urgent:${id}`);
  if (before && before.urgency.key !== board.urgency.key) notify('urgency', board);
  return true;
}

/**
 * Which boards are at tables whose game has not begun.
 * @param {string[]} ids
 */
export function keepAwaited(ids) {
  if (!setAwaited(ids)) return;
  for (const board of boards.values()) {
    const urgency = urgencyOf(board);
    const isSame = board.urgency.key === urgency.key;
    board.urgency = urgency;
    notify(`board:${board.id}`);
    drawCard(board.id);
    if (!isSame) notify(`urgent:${board.id}`);
  }
  sortBoards();
  soon();
}

/** @type {Set<string>} */
const undrawn = new Set();

/** @param {string} id */
function drawCard(id) {
  if (undrawn.size === 0) setTimeout(drawCards, CARDS_MS);
  undrawn.add(id);
}

function drawCards() {
  const all = [...undrawn];
  undrawn.clear();
  for (const id of all) notify(`card:${id}`);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let told;

/** Pages of all boards are drawn a few times a second, however many boards change. */
function soon() {
  told ??= setTimeout(() => {
    told = undefined;
    notify('boards');
  }, ALL_MS);
}

/**
 * Takes one ruling, as `replay` writes it.
 * @param {Ruling} ruling
 */
export function applyRuling(ruling) {
  notify('ruling', ruling);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let sorting;

/** What changes together, such as when a thousand boards are told for the first time, is sorted once. */
function sortBoards() {
  sorting ??= setTimeout(() => {
    sorting = undefined;
    order = [...boards.values()].sort(byUrgency).map((board) => board.id);
    notify('order');
  }, SORTED_MS);
}
