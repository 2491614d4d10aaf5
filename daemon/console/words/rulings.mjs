// Rulings that are told once, in one line each.
import { claimKind, resultReason, resultText } from './findings.mjs';
import { say } from './language.mjs';

const WORDS = {
  revision: ({ from_ply: ply, moves }) =>
    say('ruling.revision', { ply, moves: moves.length > 0 ? `: ${moves.join(' ')}` : '' }),
  withdrawn: ({ id }) => say('ruling.withdrawn', { id }),
  lapsed: ({ id }) => say('ruling.lapsed', { id }),
  'draw-claimable': ({ by, kind }) => say('ruling.draw-claimable', { by, kind: claimKind(kind) }),
  claim: ({ text }) => text,
  result: ({ result, reason, proposed, text }) =>
    text ?? say(proposed ? 'ruling.result-proposed' : 'ruling.result', { result: resultText(result), reason: resultReason(reason) }),
};

export const rulingText = (ruling) => WORDS[ruling.ruling](ruling);
