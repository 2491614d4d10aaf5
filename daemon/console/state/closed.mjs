// @ts-check
// What is said before something is taken back in a game whose round is closed.
import { say } from '../words/language.mjs';

/** Nobody waits longer for that before he is asked, in milliseconds. */
const PATIENCE = 3000;

/**
 * That its round is closed, and what stays as it is; nothing where that is not so, or not told in time.
 * @param {number | null | undefined} number of the game's round
 * @returns {Promise<string[]>}
 */
export async function closedText(number) {
  if (!number) return [];
  /** @type {EventDocument | null} */
  const event = await fetch('api/event', { signal: AbortSignal.timeout(PATIENCE) }).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  const isClosed = event?.rounds.some(({ round, stage }) => round === number && stage === 'closed');
  return isClosed ? [say('follows.closed', { n: number })] : [];
}
