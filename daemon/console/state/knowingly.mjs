// @ts-check
// What takes half-moves out of the record is asked first: the daemon says which.
import { confirm } from '../parts/confirm.mjs';
import { say, titled } from '../words/language.mjs';
import { resultReason, resultText } from '../words/findings.mjs';
import { localSan } from '../words/pieces.mjs';

/**
 * Sends an order, and once more where the arbiter confirms what goes with it; null where he does not. Where more was played meanwhile he is asked again.
 * @param {(query: string) => Promise<Response>} send
 * @param {string} where the table, for people: the question may come up on another page
 * @param {string} [query]
 * @returns {Promise<Response | null>}
 */
export async function sendKnowingly(send, where, query = '') {
  const answer = await send(query);
  if (answer.status !== 409) return answer;
  const { cut } = await answer.clone().json().catch(() => ({}));
  if (!cut) return answer;
  const text = [say('cut.text', { moves: cut.moves.split(' ').map(localSan).join(' ') }), cut.result && goesText(cut.result), cut.claim_over && say('cut.late')];
  const sure = await confirm({ title: where ? titled(where, say('cut.title', { n: cut.half_moves })) : say('cut.title', { n: cut.half_moves }), text: text.filter(Boolean).join(' '), action: say('cut.action'), danger: true, late: true });
  return sure ? sendKnowingly(send, where, `?confirmed=${cut.half_moves}`) : null;
}

/** What goes with the half-moves. @param {NonNullable<Shown['result']>} result */
const goesText = ({ result, reason, proposed }) => (result === '*' || !proposed ? say('follows.result-goes', { result: resultText(result) }) : say('cut.proposed-goes', { result: resultText(result), reason: resultReason(reason) }));
