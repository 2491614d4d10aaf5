// @ts-check
// Who the daemon takes us for.
import { useEffect, useState } from 'preact/hooks';

/** @typedef {{ required: boolean, name: string, role: string | null, pin: string | null, tables?: string | null }} Me */

/**
 * What was answered last.
 * @type {Me | null}
 */
let known = null;

/** @returns {Promise<Me | null>} null where the daemon does not answer */
export async function whoAmI() {
  try {
    known = await (await fetch('/api/people/me')).json();
    return known;
  } catch {
    return null;
  }
}

/** What was answered last; null where nothing was yet. */
export const whoWasHere = () => known;

/** Who we are; null until the daemon has said so. */
export function useMe() {
  const [me, setMe] = useState(known);
  useEffect(() => {
    // Where the daemon does not answer he is who he was: orders are kept for it meanwhile.
    whoAmI().then((told) => told && setMe(told));
  }, []);
  return me;
}

/** Whether he may do everything, such as where nobody is asked who he is. @param {Me} me */
export const isChiefOf = ({ required, role }) => !required || role === 'chief';

/** Whether whoever is here may do everything. */
export function useIsChief() {
  const me = useMe();
  return me !== null && isChiefOf(me);
}

/** Whoever is not let in (any more) goes to the login. Where nobody is asked who he is there is nothing to ask. */
export async function mayStay() {
  if (known && !known.required) return;
  const me = await whoAmI();
  if (me?.required && !me.role) location.assign('/login.html');
  else if (me?.pin) location.assign('/pin.html');
}
