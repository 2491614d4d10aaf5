// @ts-check
// A board on which one clicks or drags: to say a move, or to set a position.
import { useEffect, useRef } from 'preact/hooks';
import { Chessground } from 'chessground';
import { html } from '../app/html.mjs';

/**
 * `onMove` gets from and to; `onPut` a square on which a chosen piece is to be put. What is changed there is drawn when `fen` comes back changed.
 * @param {{ fen: string, flipped?: boolean, label: string, onMove: (from: string, to: string) => void, onPut?: (square: string) => boolean, onGone?: (square: string) => void }} props
 */
export function MoveBoard({ fen, flipped, label, onMove, onPut, onGone }) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const ground = useRef(/** @type {ReturnType<typeof Chessground> | null} */ (null));
  const acts = useRef({ onMove, onPut, onGone });
  acts.current = { onMove, onPut, onGone };
  const placed = useRef(/** @type {Map<string, string>} */ (new Map()));
  const standing = () => new Map([...(ground.current?.state.pieces ?? [])].map(([square, { color, role }]) => [String(square), `${color} ${role}`]));
  useEffect(() => {
    if (!element.current) return undefined;
    ground.current = Chessground(element.current, {
      coordinates: true,
      animation: { enabled: false },
      highlight: { lastMove: false, check: false },
      movable: { free: true, color: 'both', showDests: false },
      premovable: { enabled: false },
      drawable: { enabled: false },
      draggable: { deleteOnDropOff: Boolean(onGone) },
      events: {
        move: (/** @type {string} */ from, /** @type {string} */ to) => acts.current.onMove(from, to),
        select: (/** @type {string} */ square) => { if (acts.current.onPut?.(square)) ground.current?.selectSquare(null); },
        // A piece that was dragged off the board: one is gone, and all others stand as they stood.
        change: () => {
          const now = standing();
          const gone = [...placed.current.keys()].filter((square) => !now.has(square));
          const same = [...now].every(([square, piece]) => placed.current.get(square) === piece);
          if (gone.length === 1 && same) acts.current.onGone?.(gone[0]);
        },
      },
    });
    return () => ground.current?.destroy();
  }, []);
  useEffect(() => {
    ground.current?.set({ fen: fen.split(' ')[0], orientation: flipped ? 'black' : 'white', lastMove: undefined });
    placed.current = standing();
  });
  return html`<div class="chessboard move-board" role="group" aria-label=${label}><div class="squares" ref=${element}></div></div>`;
}
