// @ts-check
// A game as the daemon has it in its journal: what a board's own state does not say, such as when and by whom something was ordered.
import { useEffect, useState } from 'preact/hooks';
import { allGiven, forgetUndone } from './outbox.mjs';

/** @param {string} path @returns {Promise<any>} */
const read = (path) => fetch(path).then((answer) => (answer.ok ? answer.json() : null), () => null);

/**
 * Read anew whenever `again` is another; null until it is known.
 * @param {string} id empty for none
 * @param {unknown} [again]
 */
export function useGame(id, again) {
  const told = useGameAsked(id, again);
  return told === 'none' ? null : told;
}

/**
 * The same; `none` where there is no such game.
 * @param {string} id
 * @param {unknown} [again]
 * @returns {GameDocument | 'none' | null}
 */
export function useGameAsked(id, again) {
  const [told, set] = useState(/** @type {{ id: string, game: GameDocument | 'none' | null } | null} */ (null));
  useEffect(() => {
    if (!id) return undefined;
    let isLeft = false;
    fetch(`api/games/${encodeURIComponent(id)}`)
      .then((answer) => (answer.ok ? answer.json() : answer.status === 404 ? 'none' : null), () => null)
      .then((game) => { if (!isLeft) set({ id, game }); });
    return () => { isLeft = true; };
  }, [id, again]);
  return told?.id === id ? told.game : null;
}

/**
 * What was ruled here and taken back by another since is forgotten.
 * @param {GameDocument} game
 */
export function forgetUndoneIn({ id, given }) {
  const undone = new Set(given.filter((one) => one.undone).map((one) => /** @type {{ order?: string }} */ (/** @type {unknown} */ (one)).order));
  forgetUndone((one) => one.game === id && undone.has(one.order));
}

/** The same of all games in which something was ruled here. */
export async function lookAtAllGiven() {
  for (const id of new Set(allGiven().map(({ game }) => game))) {
    /** @type {GameDocument | null} */
    const told = id ? await read(`api/games/${encodeURIComponent(id)}`) : null;
    if (told) forgetUndoneIn(told);
  }
}

/**
 * The game that was played on a board before the one at hand; empty while that is not known, or where there is none.
 * @param {Shown} board
 */
export function useGameBefore({ id, game }) {
  const [before, set] = useState('');
  useEffect(() => {
    let isLeft = false;
    read('api/games').then((/** @type {Game[] | null} */ games) => {
      const own = (games ?? []).filter(({ board }) => board === id).sort((a, b) => a.started.localeCompare(b.started));
      const at = own.findIndex((one) => one.id === game);
      if (!isLeft) set(own[at - 1]?.id ?? '');
    });
    return () => { isLeft = true; };
  }, [id, game]);
  return before;
}
