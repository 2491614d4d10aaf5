// @ts-check
// Whether the page is as narrow as a phone: what stands in a column of its own elsewhere stands below then.
import { useEffect, useState } from 'preact/hooks';

/** As in the style sheets. */
const PHONE = '(max-width: 620px)';

export function useNarrow() {
  const [isNarrow, setNarrow] = useState(() => matchMedia(PHONE).matches);
  useEffect(() => {
    const query = matchMedia(PHONE);
    const look = () => setNarrow(query.matches);
    look();
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return isNarrow;
}
