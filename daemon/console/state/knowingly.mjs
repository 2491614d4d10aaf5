// @ts-check
// What takes half-moves out of the record is asked first: the daemon says which.
import { confirm } from '../parts/confirm.mjs';
import { say } from '../words/language.mjs';

/**
 * Sends an order, and once more where the arbiter confirms what goes with it; null where he does not.
 * @param {(query: string) => Promise<Response>} send
 * @returns {Promise<Response | null>}
 */
export async function sendKnowingly(send) {
  const answer = await send('');
  if (answer.status !== 409) return answer;
  const { cut } = await answer.clone().json().catch(() => ({}));
  if (!cut) return answer;
  const text = [say('cut.text', { moves: cut.moves }), cut.claim_over && say('cut.late')];
  const sure = await confirm({ title: say('cut.title', { n: cut.half_moves }), text: text.filter(Boolean).join(' '), action: say('cut.action'), danger: true });
  return sure ? send('?confirmed=true') : null;
}
