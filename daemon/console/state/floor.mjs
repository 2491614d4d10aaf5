// @ts-check
// What arbiters noted, and who is out of the hall; for those who may read it.
import { useEventFile } from './event.mjs';
import { useMe } from './me.mjs';

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
  const { told } = useEventFile(isArbiter && round ? `api/rounds/${round}/breaks` : null, undefined, `${ROUNDS} leave come-back`);
  return /** @type {Breaks[]} */ (told ?? []);
}

/**
 * The pairing of a game that has its result, as somebody has confirmed it; the board may show another one, or none.
 * @param {string} game
 */
export function useConfirmed(game) {
  const { round, pairing } = useSeat(game, `${ROUNDS} begin annul result confirm withdraw postpone`);
  return round && pairing?.confirmed && pairing.result ? { round: round.round, result: pairing.result } : null;
}

/**
 * The same, looked at again with all that ends a game.
 * @param {string} game
 */
export const usePlayed = (game) => useSeat(game, `${ROUNDS} begin annul propose result confirm withdraw postpone resume`);

/**
 * The round under way, and the pairing in it of a game that is at hand.
 * @param {string} game
 * @param {string} [acts] that change what is looked for
 * @returns {{ round: Round | null, pairing: Pairing | undefined }}
 */
export function useSeat(game, acts = `${ROUNDS} begin annul`) {
  const isArbiter = useIsArbiter();
  const { told: event } = useEventFile(isArbiter && game ? 'api/event' : null, undefined, ROUNDS);
  const number = event?.rounds.findLast((/** @type {RoundSummary} */ one) => one.stage === 'under-way')?.round;
  const { told: round } = useEventFile(number ? `api/rounds/${number}` : null, undefined, acts);
  return { round, pairing: round?.pairings.find((/** @type {Pairing} */ one) => one.game === game && one.black) };
}
