// Which position is shown: the live one, or that after an earlier ply. Looking back never disturbs the game.
import { useEffect, useState } from 'preact/hooks';
import { subscribe } from '../state/topics.mjs';

/** `shown` is null for the live position, else the number of plies played in the position shown. */
export function useShownPly(board) {
  const [shown, setShown] = useState(null);
  const last = board?.plies.length ?? 0;
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

/** The position shown and the move that led to it. */
export function positionShown(board, shown) {
  if (shown === null) return { fen: board.fen, lastMove: board.plies.at(-1)?.uci };
  if (shown === 0) return { fen: board.start_fen, lastMove: undefined };
  return { fen: board.plies[shown - 1].fen, lastMove: board.plies[shown - 1].uci };
}
