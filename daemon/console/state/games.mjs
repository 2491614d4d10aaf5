// @ts-check
// The list of games, read anew whenever one begins or ends, at its board or by what somebody has said.
import { useEffect, useState } from 'preact/hooks';
import { boardById, boardIds } from './store.mjs';
import { subscribe } from './topics.mjs';
import { refusalText } from '../words/refusals.mjs';

/** Whatever happens at many boards together is waited for so long, so that the list is read once. */
const GATHERED_MS = 1_000;
/** Read so often all the same: that pieces are moved is not told here. */
const MOVES_MS = 30_000;
/** Acts that begin a game, or say something of a result. */
const ACTS = new Set(['begin', 'propose', 'result', 'confirm', 'withdraw', 'annul', 'reinstate']);

/** Which game each board has, and how it stands. */
const stands = () => boardIds().map((id) => {
  const board = boardById(id);
  return [id, board?.game, board?.state === 'ended', board?.result?.result, board?.result?.proposed].join(' ');
}).sort().join();

/**
 * The games of the store; null until they are known. `problem` says why the list was not read the last time.
 * @returns {{ games: Game[] | null, problem: string | null }}
 */
export function useGames() {
  const [is, set] = useState({ games: /** @type {Game[] | null} */ (null), problem: /** @type {string | null} */ (null) });
  useEffect(() => {
    let isLeft = false;
    let isAsked = false;
    let before = stands();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const soon = () => {
      isAsked = true;
      timer ??= setTimeout(read, GATHERED_MS);
    };
    // One at a time: an answer that comes late would undo a newer one.
    const read = async () => {
      isAsked = false;
      const told = await load().then((games) => ({ games, problem: null }), (error) => ({ games: null, problem: String(error.message) }));
      if (isLeft) return;
      set((known) => ({ games: told.games ?? known.games, problem: told.problem }));
      timer = undefined;
      if (isAsked) soon();
    };
    const look = () => {
      const now = stands();
      if (now !== before) soon();
      before = now;
    };
    timer = setTimeout(read);
    const again = setInterval(soon, MOVES_MS);
    const ends = [subscribe('boards', look), subscribe('order', look), subscribe('hall', soon), subscribe('event', (act) => { if (act === null || ACTS.has(act)) soon(); })];
    return () => {
      isLeft = true;
      clearTimeout(timer);
      clearInterval(again);
      ends.forEach((end) => end());
    };
  }, []);
  return is;
}

/** @returns {Promise<Game[]>} */
async function load() {
  const answer = await fetch('api/games');
  const body = await answer.json();
  if (!answer.ok) throw new Error(refusalText(body, answer.status));
  return body;
}
