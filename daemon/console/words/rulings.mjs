// Rulings that are told once, in one line each.
import { resultReason, resultText } from './findings.mjs';
import { capital } from './pieces.mjs';

const plain = (name) => name.replaceAll('-', ' ');

const WORDS = {
  revision: ({ from_ply, moves }) =>
    `The record was corrected from half-move ${from_ply} on${moves.length > 0 ? `: ${moves.join(' ')}` : ''}.`,
  withdrawn: ({ id }) => `Finding ${id} was withdrawn: later evidence showed that it was none.`,
  lapsed: ({ id }) => `The right to claim finding ${id} is gone.`,
  'draw-claimable': ({ by, kind }) => `${capital(by)} may claim a draw: ${plain(kind)}.`,
  claim: ({ by, kind, accepted, article, text }) =>
    `${capital(by)} claimed ${plain(kind)} (${article}): ${accepted ? 'right' : 'not right'}. ${text}`,
  result: ({ result, reason, proposed }) => `${resultText(result)}, ${resultReason(reason)}${proposed ? ': to be confirmed' : ''}.`,
};

export const rulingText = (ruling) => WORDS[ruling.ruling](ruling);
