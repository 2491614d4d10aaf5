// @ts-check
// What whoever is here may order at a board: what the daemon would refuse is not offered.
import { useEventFile } from './event.mjs';
import { isAt } from './incidents.mjs';
import { useMe } from './me.mjs';

/** Acts that put boards on other tables. */
const SEATED = 'open close draw undraw bind unbind';

/**
 * `rules`: all that an arbiter may; `pauses`: stop the clocks, let them go on and begin the next game. `elsewhere`: the board is at that table, which is none of his own.
 * @typedef {{ rules: boolean, pauses: boolean, elsewhere: { table: number, tables: string } | null }} Rights
 */

/**
 * Until it is known who is here the daemon decides.
 * @param {string} id
 * @returns {Rights | null} null until it is known where the board stands
 */
export function useRightsAt(id) {
  const me = useMe();
  const own = me?.required && me.role === 'sector' ? me.tables ?? null : null;
  const { told } = useEventFile(own ? 'api/tables' : null, undefined, SEATED);
  const seats = /** @type {HallTable[] | null} */ (told);
  if (own) {
    const table = seats?.find(({ board }) => board === id)?.table ?? null;
    const isOwn = isAt({ table }, own);
    return seats && { rules: isOwn, pauses: isOwn, elsewhere: table === null || isOwn ? null : { table, tables: own } };
  }
  const rules = !me?.required || me.role === 'chief';
  return { rules, pauses: rules || me?.role === 'operator', elsewhere: null };
}
