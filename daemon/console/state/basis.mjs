// @ts-check
// What an order that takes some thought is decided upon: what stood there when it was begun, not what has come while it was written.
import { useMemo, useRef, useState } from 'preact/hooks';
import { basisOf } from './orders.mjs';

/**
 * With what begins it anew: once it was sent, or refused with what has come meanwhile.
 * @param {Shown} board
 * @param {boolean} [ofPosition] it is judged on the position: a half-move more, and it is another
 * @returns {[basis: string | undefined, begin: () => void]}
 */
export function useBasis(board, ofPosition = false) {
  const [begun, setBegun] = useState(0);
  const basis = useMemo(() => {
    const basis = basisOf(board);
    return basis && ofPosition ? `${basis}@${board.plies.length}` : basis;
  }, [board.game, board.whole, begun]);
  return [basis, () => setBegun((n) => n + 1)];
}

/**
 * The same of what is kept in a list to which each adds: as it was when somebody began to write. `seen()` gives that; to be told with the first word, and anew
 * once it was sent.
 * @template T
 * @param {T} now
 */
export function useBegun(now) {
  const begun = useRef(/** @type {{ was: T } | null} */ (null));
  return {
    begin: () => { begun.current ??= { was: now }; },
    anew: () => { begun.current = null; },
    seen: () => (begun.current ? begun.current.was : now),
  };
}
