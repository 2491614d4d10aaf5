// @ts-check
// What the hub of this hall has of its journal.
import { useEffect, useState } from 'preact/hooks';
import { whoAmI } from './me.mjs';

const AGAIN_MS = 5_000;
/** @type {(string | null)[]} who is told of it */
const TOLD = ['chief', 'sector', 'operator'];

/** @returns {Promise<HubOfHall | null | undefined>} null where there is no hub, or it is not for this device; undefined where nobody says */
async function load() {
  const me = await whoAmI();
  if (!me) return undefined;
  if (me.required && !TOLD.includes(me.role)) return null;
  const answer = await fetch('api/hub');
  return answer.ok ? answer.json() : undefined;
}

/** How the hub stands, as it was last told; null where there is none. */
export function useHub() {
  const [hub, setHub] = useState(/** @type {HubOfHall | null} */ (null));
  useEffect(() => {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let left = false;
    const look = async () => {
      // A daemon that is away for a moment has not lost its hub.
      const told = await load().catch(() => undefined);
      if (left || told === null) return;
      if (told) setHub(told);
      timer = setTimeout(look, AGAIN_MS);
    };
    look();
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, []);
  return hub;
}
