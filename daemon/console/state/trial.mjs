// @ts-check
// What an order would do, before it is given.
import { useEffect, useState } from 'preact/hooks';
import { say } from '../words/language.mjs';
import { refusalSentence } from '../words/refusals.mjs';

/** @typedef {{ trial: Trial | null, refused: string | null }} Tried */

/**
 * Asks the daemon what an order would do; null until it has said so. Asked again whenever the game changes.
 * @param {Shown} board
 * @param {Order | null} order
 * @returns {Tried | null}
 */
export function useTrial(board, order) {
  const [tried, setTried] = useState(/** @type {(Tried & { key: string }) | null} */ (null));
  const body = order && JSON.stringify(order);
  const key = `${body}/${board.game}/${board.ply}/${board.state}/${board.orders.length}`;
  useEffect(() => {
    if (!body) return undefined;
    let isLeft = false;
    fetch(`api/boards/${encodeURIComponent(board.id)}/trial`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      .then(async (answer) => {
        const told = await answer.json();
        if (!isLeft) setTried({ key, trial: answer.ok ? told : null, refused: answer.ok ? null : refusalSentence(told, answer.status) });
      }, () => !isLeft && setTried({ key, trial: null, refused: say('notice.unreachable') }));
    return () => { isLeft = true; };
  }, [key]);
  return body && tried?.key === key ? tried : null;
}
