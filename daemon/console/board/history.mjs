// @ts-check
// Which position is shown: the live one, or that after an earlier ply. Looking back never disturbs the game.
import { useEffect, useState } from 'preact/hooks';
import { subscribe } from '../state/topics.mjs';
import { shownSquares } from '../words/pieces.mjs';

/**
 * `shown` is null for the live position, else the number of plies played in the position shown.
 * @param {Shown | undefined} board
 * @returns {LookBack}
 */
export function useShownPly(board) {
  const [shown, setShown] = useState(/** @type {number | null} */ (null));
  const last = board?.plies.length ?? 0;
  /** @param {number} ply */
  const whole = (ply) => (ply >= last ? null : Math.max(0, ply));
  useEffect(() => subscribe('key', (said) => {
    // Keys may come faster than the page is drawn: each starts from where the one before led.
    if (said === 'back') setShown((now) => whole((now ?? last) - 1));
    if (said === 'forward') setShown((now) => whole((now ?? last) + 1));
    if (said === 'start') setShown(0);
    if (said === 'live') setShown(null);
  }), [last]);
  return { shown: shown === null ? null : whole(shown), show: (ply) => setShown(whole(ply)) };
}

/**
 * The position shown and the move that led to it.
 * @param {Shown} board
 * @param {number | null} shown
 */
export function positionShown(board, shown) {
  const ply = shown === null ? board.plies.at(-1) : board.plies[shown - 1];
  const fen = shown === null ? board.fen : (ply?.fen ?? board.start_fen);
  return { fen, lastMove: ply && shownSquares(ply) };
}
