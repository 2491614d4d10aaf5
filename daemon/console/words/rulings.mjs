// @ts-check
// Rulings that are told once, in one line each.
import { articleText, claimKind, resultReason, resultText } from './findings.mjs';
import { proposedText } from './incidents.mjs';
import { capital, say, titled } from './language.mjs';
import { refusedOrder } from './refusals.mjs';

/**
 * What one ruling says; null of those that the state of the board shows.
 * @param {Ruling} ruling
 */
export function rulingText(ruling) {
  switch (ruling.ruling) {
    case 'revision': {
      const corrected = say('ruling.revision', { ply: ruling.from_ply });
      return `${ruling.moves.length > 0 ? titled(corrected, ruling.moves.join(' ')) : corrected}.`;
    }
    case 'withdrawn': return say('ruling.withdrawn', { id: ruling.id });
    case 'lapsed': return say('ruling.lapsed', { id: ruling.id });
    case 'draw-claimable': return say('ruling.draw-claimable', { by: ruling.by, kind: claimKind(ruling.kind) });
    case 'refused': return refusedOrder(ruling);
    case 'claim': return say(ruling.accepted ? 'ruling.claim-right' : 'ruling.claim-wrong', { by: ruling.by, kind: claimKind(ruling.kind), article: articleText(ruling) });
    case 'result': return endText(ruling);
    default: return null;
  }
}

/** @param {RulingOf<'result'>} ruling */
function endText(ruling) {
  const { proposed, reason, result } = ruling;
  if (proposed || result === '*') return capital(proposedText(ruling));
  return say('ruling.result', { result: resultText(result), reason: resultReason(reason) });
}
