// @ts-check
// What arbiters noted, and who is out of the hall; for those who may read it.
import { useEffect } from 'preact/hooks';
import { useEventFile } from './event.mjs';
import { useMe } from './me.mjs';
import { keepAwaited } from './store.mjs';
import { boardOf } from './tables.mjs';

// Whoever looks at one board reads nothing anew because of another.
const ROUNDS = 'open close draw undraw start-round close-round';

/** Whether whoever looks is shown what is on record: arbiters, and everybody where nobody is asked who he is. */
export function useIsArbiter() {
  const me = useMe();
  return me !== null && isArbiter(me);
}

/** @param {import('./me.mjs').Me} me */
export const isArbiter = ({ required, role }) => !required || role === 'chief' || role === 'sector';

/** All notes of the event, the oldest first. */
export function useNotes() {
  const isArbiter = useIsArbiter();
  const { told } = useEventFile(isArbiter ? 'api/notes' : null, undefined, 'open close note');
  return /** @type {Noted[]} */ (told ?? []);
}

/**
 * Who left the hall in a round, by table.
 * @param {number | undefined} round
 */
export function useBreaks(round) {
  const isArbiter = useIsArbiter();
  const { told } = useEventFile(isArbiter && round ? `api/rounds/${round}/breaks` : null, undefined, `${ROUNDS} leave come-back take-break-back`);
  return /** @type {Breaks[]} */ (told ?? []);
}

/**
 * The pairing of a game that has its result, as somebody has confirmed it; the board may show another one, or none.
 * @param {string} game
 * @param {string} [of] its round as its board says it: the next one may be under way
 */
export function useConfirmed(game, of) {
  const { round, pairing } = useSeat(game, `${ROUNDS} begin annul reinstate result confirm withdraw postpone`, of);
  return round && pairing?.confirmed && pairing.result ? { round: round.round, result: pairing.result } : null;
}

/**
 * The table of the round under way at which a board stands, as long as its game has no result there; undefined while that is not known.
 * @param {string} board
 * @returns {{ round: number, table: number, waits: boolean, game: string | null } | null | undefined} `waits`: its game has not begun
 */
export function useSeatOf(board) {
  const { told: event, problem } = useEventFile('api/event', undefined, ROUNDS);
  const number = event?.rounds.findLast((/** @type {RoundSummary} */ one) => one.stage === 'under-way')?.round;
  const { told: round, problem: unread } = useEventFile(number ? `api/rounds/${number}` : null, undefined, `${ROUNDS} bind unbind begin annul reinstate result confirm withdraw postpone resume`);
  useAwaited(round);
  if ((!event && !problem) || (number && !round && !unread)) return undefined;
  const pairing = round?.pairings.find((/** @type {Pairing} */ one) => one.board === board && one.black);
  return number && pairing?.table && !pairing.confirmed && !pairing.postponed ? { round: number, table: pairing.table, waits: round.waiting.includes(pairing.table), game: pairing.game } : null;
}

/**
 * The same, looked at again with all that ends a game.
 * @param {string} game
 */
export const usePlayed = (game, round = '') => useSeat(game, `${ROUNDS} begin annul reinstate propose result confirm withdraw postpone resume`, round);

/**
 * The round in which a game is played that is at hand, and its pairing there: the one under way, or an earlier one where it is played on.
 * @param {string} game
 * @param {string} [acts] that change what is looked for
 * @param {string} [of] the game's round as its board says it, such as `3.12`
 * @returns {{ round: Round | null, pairing: Pairing | undefined }}
 */
export function useSeat(game, acts = `${ROUNDS} begin annul reinstate`, of = '') {
  const isArbiter = useIsArbiter();
  const { told: event } = useEventFile(isArbiter && game ? 'api/event' : null, undefined, ROUNDS);
  const known = event?.rounds.find((/** @type {RoundSummary} */ one) => one.stage !== 'drawn' && String(one.round) === of.split('.')[0]);
  const number = (known ?? event?.rounds.findLast((/** @type {RoundSummary} */ one) => one.stage === 'under-way'))?.round;
  const { told: round } = useEventFile(number ? `api/rounds/${number}` : null, undefined, acts);
  return { round, pairing: round?.pairings.find((/** @type {Pairing} */ one) => one.game === game && one.black) };
}

/**
 * Has it known which boards wait for a game to begin.
 * @param {Round | null} round the one that is played
 */
export function useAwaited(round) {
  useEffect(() => {
    if (!round) return;
    const waits = round.pairings.filter(({ board, table }) => board && table !== null && round.waiting.includes(table));
    keepAwaited(waits.map(({ board }) => String(board)));
  }, [round]);
}

/** Who is to play on a board on which another game stands; `result`: of a forfeit, nobody plays there. @typedef {{ white: string, black: string, round: string, result: string }} Expected */

/**
 * The tables of the round that was begun last whose result is a forfeit, and those whose game has not begun on a board that shows the one before; by their boards.
 * @returns {Map<string, Expected>}
 */
export function useExpected() {
  const { told: event } = useEventFile('api/event', undefined, ROUNDS);
  const number = event?.rounds.findLast((/** @type {RoundSummary} */ one) => one.stage !== 'drawn')?.round;
  const { told: round } = useEventFile(number ? `api/rounds/${number}` : null, undefined, `${ROUNDS} bind unbind begin annul reinstate result confirm withdraw`);
  useAwaited(round);
  /** @param {Pairing} pairing */
  const isLost = (pairing) => pairing.how === 'forfeit' && !boardOf(pairing)?.ply;
  /** @param {Pairing} pairing */
  const isAwaited = ({ game, table }) => !game && table !== null && Boolean(round?.waiting.includes(table));
  const all = (/** @type {Round | null} */ (round)?.pairings ?? []).filter((pairing) => pairing.board && (isLost(pairing) || isAwaited(pairing)));
  return new Map(all.map((pairing) => [String(pairing.board), { white: pairing.white.name, black: pairing.black?.name ?? '', round: `${number}.${pairing.table}`, result: (isLost(pairing) && pairing.result) || '' }]));
}
