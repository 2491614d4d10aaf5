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

/** The tables of whoever is here, such as `1-10`, where he rules at those alone; null where all are his, or none. */
export function useOwnTables() {
  const me = useMe();
  return me?.required && me.role === 'sector' ? me.tables ?? null : null;
}

/** Whether whoever is here may confirm results, as far as it is known. */
export function useMayConfirm() {
  const me = useMe();
  return !me?.required || me.role === 'chief' || me.role === 'sector';
}

/** Whether whoever is here may read games as they were recorded, as far as it is known. */
export const useMayRead = useMayConfirm;

/** Whether whoever is here rules at some table, and so may note something there, as far as it is known. */
export const useMayNote = useMayConfirm;

/** Whether whoever is here may put boards on tables and lines, as far as it is known. */
export function useMayPlace() {
  const me = useMe();
  return !me?.required || me.role === 'chief' || me.role === 'operator';
}

/**
 * Whether a board is at one of these tables; where it stands at none, and where nobody has tables of his own, it is everybody's.
 * @param {string | null} own
 * @returns {(board: string) => boolean}
 */
export function useIsOwnBoard(own) {
  const { told } = useEventFile(own ? 'api/tables' : null, undefined, SEATED);
  const seats = /** @type {HallTable[] | null} */ (told);
  // Until it is known where boards stand none is offered.
  return (id) => !own || (seats !== null && isAt({ table: seats.find(({ board }) => board === id)?.table ?? null }, own));
}

/**
 * Until it is known who is here the daemon decides.
 * @param {string} id
 * @returns {Rights | null} null until it is known where the board stands
 */
export function useRightsAt(id) {
  const me = useMe();
  const own = useOwnTables();
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
