// @ts-check
// A board that shows and never takes moves. Made when it is scrolled into view, or printed.
import { useEffect, useRef } from 'preact/hooks';
import { Chessground } from 'chessground';
import { html } from '../app/html.mjs';

const BRUSHES = {
  green: { key: 'g', color: '#2f7d4f', opacity: 0.9, lineWidth: 9 },
  red: { key: 'r', color: '#b3261e', opacity: 0.9, lineWidth: 9 },
  blue: { key: 'b', color: '#24506e', opacity: 0.9, lineWidth: 9 },
  yellow: { key: 'y', color: '#6a4fb3', opacity: 0.9, lineWidth: 7 },
};

/** Makes each board that nobody has scrolled to yet. @type {Set<() => void>} */
const unmade = new Set();
// On paper everything is in view.
addEventListener('beforeprint', () => unmade.forEach((make) => make()));
matchMedia('print').addEventListener('change', ({ matches }) => matches && unmade.forEach((make) => make()));

/**
 * `marks` maps squares to class names; `shapes` are chessground's drawings; `lastMove` are two squares.
 * @param {{ fen: string, lastMove?: Key[], marks?: Map<Key, string>, shapes?: DrawShape[], flipped?: boolean, coordinates?: boolean, label: string }} props
 */
export function Chessboard({ fen, lastMove, marks, shapes, flipped, coordinates, label }) {
  const element = useRef(/** @type {HTMLElement | null} */ (null));
  const ground = useRef(/** @type {ReturnType<typeof Chessground> | null} */ (null));
  const wanted = useRef(/** @type {Parameters<typeof Chessground>[1]} */ ({}));
  wanted.current = {
    fen: fen.split(' ')[0],
    orientation: flipped ? 'black' : 'white',
    lastMove,
    highlight: { lastMove: true, check: false, custom: marks ?? new Map() },
    drawable: { enabled: false, visible: Boolean(shapes), autoShapes: shapes ?? [], brushes: BRUSHES },
  };

  useEffect(() => {
    // The page may have been left before this runs, or before the board comes into view: then there is no place for it.
    const place = element.current;
    if (!place) return undefined;
    const make = () => {
      watcher.disconnect();
      unmade.delete(make);
      if (!ground.current && place.isConnected) ground.current = Chessground(place, { ...wanted.current, ...FIXED, coordinates: Boolean(coordinates) });
    };
    const watcher = new IntersectionObserver(([entry]) => entry.isIntersecting && make(), { rootMargin: '200px' });
    watcher.observe(place);
    unmade.add(make);
    return () => {
      watcher.disconnect();
      unmade.delete(make);
      ground.current?.destroy();
    };
  }, []);

  useEffect(() => ground.current?.set(wanted.current ?? {}));

  return html`<div class="chessboard" role="img" aria-label=${label}><div class="squares" ref=${element}></div></div>`;
}

const FIXED = {
  viewOnly: true,
  disableContextMenu: false,
  animation: { enabled: false },
};
