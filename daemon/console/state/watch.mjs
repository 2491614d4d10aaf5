// @ts-check
// What the page shown needs to be told: boards in whole, and how much of all others. The daemon sends no more than that.
import { useEffect } from 'preact/hooks';
import { notify } from './topics.mjs';

/** How many parts of the page show a board in whole. @type {Map<string, number>} */
const watched = new Map();
/** @type {Depth} */
let rest = 'card';

/** @returns {{ rest: Depth, watch: string[] }} */
export const wish = () => ({ rest, watch: [...watched.keys()].sort() });

/** @param {string} id */
export const isWatched = (id) => rest === 'whole' || watched.has(id);

/** Pages on which one thing is looked at, and those on which nothing of all boards moves. */
const QUIET = new Set(['board', 'incident', 'games', 'game', 'report']);

/**
 * How much the page needs of boards that it does not show in whole.
 * @param {Route['page']} page
 */
export function useDepth(page) {
  useEffect(() => {
    const depth = page === 'devices' ? 'whole' : QUIET.has(page) ? 'needs' : 'card';
    if (depth === rest) return;
    rest = depth;
    soon();
  }, [page]);
}

/**
 * The page shows this board in whole, as long as the caller is there.
 * @param {string | undefined} id
 */
export function useWatched(id) {
  useEffect(() => {
    if (!id) return undefined;
    count(id, 1);
    return () => count(id, -1);
  }, [id]);
}

/**
 * @param {string} id
 * @param {number} more
 */
function count(id, more) {
  const now = (watched.get(id) ?? 0) + more;
  if (now > 0) watched.set(id, now);
  else watched.delete(id);
  soon();
}

let said = JSON.stringify(wish());
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** One page goes and another comes: what both want is said once. */
function soon() {
  timer ??= setTimeout(() => {
    timer = undefined;
    const now = JSON.stringify(wish());
    if (now === said) return;
    said = now;
    notify('watch');
  });
}
