// @ts-check
// Whether something on the page is in view, or nearly: of a thousand boards only those are drawn that somebody can see.
import { useEffect, useRef, useState } from 'preact/hooks';

/** So far beyond the edge of the window, in pixels, what is drawn is there before somebody scrolls to it. */
const MARGIN = '500px';

/** @type {Map<Element, (isSeen: boolean) => void>} */
const watched = new Map();
const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
}, { rootMargin: MARGIN });

/** A place to be put as `ref`, and whether it is in view. */
export function useSeen() {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const [isSeen, see] = useState(false);
  const element = place.current;
  useEffect(() => {
    const one = place.current;
    if (!one) return undefined;
    watched.set(one, see);
    watcher.observe(one);
    return () => {
      watched.delete(one);
      watcher.unobserve(one);
    };
  }, [element]);
  return { place, isSeen };
}
