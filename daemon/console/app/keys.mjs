// @ts-check
// The keyboard. Pages listen on the topic `key` for what is theirs.
import { useEffect } from 'preact/hooks';
import { go, toBoard, toGames, toHall, toInbox, toIncident, toMap, toRound } from './route.mjs';
import { nextIncident } from '../state/incidents.mjs';
import { boardIds, isWaiting } from '../state/store.mjs';
import { notify } from '../state/topics.mjs';
import { showHelp } from '../parts/help.mjs';

/** The pages under the digits. */
const VIEWS = [toHall, toInbox, toMap, () => toRound(), toGames];

const WRITING = new Set(['INPUT', 'TEXTAREA', 'SELECT']);
/** Many keyboards have these with Alt alone. */
const WITH_ALT = new Set(['[', ']']);

/** Whether a key that is pressed there is text, or a choice. @param {EventTarget | null} target */
const isWriting = (target) => target instanceof Element && WRITING.has(target.tagName) && !(target instanceof HTMLInputElement && target.type === 'range');

/** Keys that order something: held for long they mean it once. */
const ONCE = new Set(['u', 'd', 't', 'g', 'l']);

/** @param {Route} route */
export function useKeys(route) {
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      if (event.metaKey || ((event.ctrlKey || event.altKey) && !WITH_ALT.has(event.key)) || isWriting(event.target)) return;
      if (document.querySelector('dialog[open]') || (event.repeat && ONCE.has(event.key))) return;
      if (handle(route, event.key)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [route.page, route.board, route.incident]);
}

/**
 * @param {Route} route
 * @param {string} key
 */
function handle(route, key) {
  if (key === '?') return showHelp(), true;
  const view = VIEWS[Number(key) - 1];
  if (view) return go(view()), true;
  if (route.page === 'inbox' || route.page === 'incident') return inInbox(route.incident, key);
  if (route.page === 'game') return inGame(key);
  if (key === 'n') return openNextNeed(route.board), true;
  return route.page === 'board' ? inRoom(route.board ?? '', key) : route.page === 'hall' && inHall(key);
}

/**
 * @param {string | undefined} id the incident that is shown, if one is
 * @param {string} key
 */
function inInbox(id, key) {
  if (key === 'n') {
    const next = nextIncident(id);
    return go(next ? toIncident(next) : toInbox()), true;
  }
  const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.incident > a')]);
  const step = { j: 1, k: -1 }[key];
  if (!id && step) {
    const at = rows.findIndex((row) => row === document.activeElement);
    rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
    return true;
  }
  if (!id) return false;
  if (key === 'Escape') return go(toInbox()), true;
  /** @type {Record<string, Said['key'] | undefined>} */
  const words = { u: 'uphold', d: 'dismiss', g: 'going', l: 'later', t: 'take-back' };
  const said = words[key];
  if (said) notify('key', said);
  return Boolean(said);
}

/** @param {string} key */
function inGame(key) {
  /** @type {Record<string, Said['key'] | undefined>} */
  const words = { '[': 'seen-before', ']': 'seen-next' };
  const said = words[key];
  if (said) notify('key', said);
  return Boolean(said);
}

/**
 * @param {string} id
 * @param {string} key
 */
function inRoom(id, key) {
  if (key === 'Escape') return leaveRoom(id), true;
  if (key === 'j' || key === 'k') return go(toBoard(neighbour(id, key === 'j' ? 1 : -1))), true;
  /** @type {Record<string, Said['key'] | undefined>} */
  const words = { u: 'uphold', d: 'dismiss', f: 'flip', ArrowLeft: 'back', ArrowRight: 'forward', Home: 'start', End: 'live' };
  const said = words[key];
  if (said) notify('key', said);
  return Boolean(said);
}

/**
 * Boards in the order of their names: the order by urgency would move under the fingers.
 * @param {string} id
 * @param {number} step
 */
function neighbour(id, step) {
  const ids = [...boardIds()].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  return ids.length ? ids[(ids.indexOf(id) + step + ids.length) % ids.length] : id;
}

/** @param {string | undefined} from */
function openNextNeed(from) {
  const waiting = boardIds().filter(isWaiting);
  const next = waiting[(waiting.indexOf(from ?? '') + 1) % waiting.length];
  if (next) go(toBoard(next));
}

/** @param {string} id */
function leaveRoom(id) {
  go(toHall());
  setTimeout(() => cardOf(id)?.focus(), 60);
}

const cards = () => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('a.card'))];
/** @param {string} id */
const cardOf = (id) => cards().find((card) => card.dataset.board === id);

/** @param {string} key */
function inHall(key) {
  const step = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[key];
  const rows = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (!step && !rows) return false;
  const all = cards();
  const at = all.findIndex((card) => card === document.activeElement);
  if (at < 0) all[0]?.focus();
  else if (step) all[Math.min(Math.max(at + step, 0), all.length - 1)].focus();
  else inNextRow(all, all[at], rows ?? 0)?.focus();
  return true;
}

/**
 * The card above or below: the nearest one in the nearest row that way.
 * @param {HTMLElement[]} all
 * @param {HTMLElement} from
 * @param {number} direction
 */
function inNextRow(all, from, direction) {
  const here = from.getBoundingClientRect();
  const beyond = all
    .map((card) => ({ card, box: card.getBoundingClientRect() }))
    .filter(({ box }) => (box.top - here.top) * direction > 4)
    .sort((a, b) => Math.abs(a.box.top - here.top) - Math.abs(b.box.top - here.top)
      || Math.abs(a.box.left - here.left) - Math.abs(b.box.left - here.left));
  return beyond[0]?.card;
}
