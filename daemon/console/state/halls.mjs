// @ts-check
// Whether these are the own pages of a hub, and its halls.
import { useEffect, useState } from 'preact/hooks';
import { hallHere } from './room.mjs';

const AGAIN_MS = 5_000;
const HUBS_PAGE = /\/index\.html$/;

/** A hub has its own console at this address alone; at `/` it lists its halls. */
const mayBeHub = () => hallHere() === null && HUBS_PAGE.test(location.pathname);

/** What was answered last: the halls; null where this is no hub. @type {HallOfHub[] | null | undefined} */
let known;

/** @returns {Promise<HallOfHub[] | null | undefined>} */
async function load() {
  const answer = await fetch('api/halls').catch(() => null);
  if (answer?.ok) known = await answer.json();
  // Without a line nothing new is known.
  else if (answer?.status === 404) known = null;
  return known;
}

/** The halls whose hub this is; null where it is none. Undefined as long as that is not known. */
export function useHalls() {
  const [halls, setHalls] = useState(mayBeHub() ? known : null);
  useEffect(() => {
    if (!mayBeHub()) return undefined;
    let isLeft = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const look = async () => {
      const told = await load();
      if (isLeft) return;
      setHalls(told);
      if (told !== null) timer = setTimeout(look, AGAIN_MS);
    };
    look();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, []);
  return halls;
}

/** Whether anything was ever heard of a hall: else there is nothing of it to show. @param {HallOfHub} hall */
export const hasCalled = ({ heard, rows }) => heard !== null || rows > 0;

/** Whether this is a hub: it has no boards of its own, and offers nothing that needs them. */
export const useIsHub = () => useHalls() != null;
