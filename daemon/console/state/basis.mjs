// @ts-check
// What an order that takes some thought is decided upon: what stood there when it was begun, not what has come while it was written.
import { useMemo, useState } from 'preact/hooks';
import { basisOf } from './orders.mjs';

/**
 * With what begins it anew: once it was sent, or refused with what has come meanwhile.
 * @param {Shown} board
 * @returns {[basis: string | undefined, begin: () => void]}
 */
export function useBasis(board) {
  const [begun, setBegun] = useState(0);
  const basis = useMemo(() => basisOf(board), [board.game, board.whole, begun]);
  return [basis, () => setBegun((n) => n + 1)];
}
