// Which position is shown: the live one, or that after an earlier ply. Looking back never disturbs the game.
import { useEffect, useState } from 'preact/hooks';
import { subscribe } from '../state/topics.mjs';

/** `shown` is null for the live position, else the number of plies played in the position shown. */
export function useShownPly(board) {
  const [shown, show] = useState(null);
  const last = board?.plies.length ?? 0;
  const at = shown === null ? last : Math.min(shown, last);
  useEffect(() => subscribe('key', (said) => {
    if (said === 'back') show(Math.max(0, at - 1));
    if (said === 'forward') show(at + 1 >= last ? null : at + 1);
    if (said === 'start') show(0);
    if (said === 'live') show(null);
  }), [at, last]);
  const past = shown !== null && shown < last ? shown : null;
  return { shown: past, show: (ply) => show(ply === last ? null : ply) };
}

/** The position shown and the move that led to it. */
export function positionShown(board, shown) {
  if (shown === null) return { fen: board.fen, lastMove: board.plies.at(-1)?.uci };
  if (shown === 0) return { fen: board.start_fen, lastMove: undefined };
  return { fen: board.plies[shown - 1].fen, lastMove: board.plies[shown - 1].uci };
}
