// @ts-check
// Rulings that are told once, in one line each.
import { articleText, claimKind, namedFinding, resultReason, resultText } from './findings.mjs';
import { proposedText } from './incidents.mjs';
import { capital, say, titled } from './language.mjs';
import { localSan, moveNumber } from './pieces.mjs';
import { refusedOrder } from './refusals.mjs';

/**
 * What one ruling says; null of those that the state of the board shows.
 * @param {Ruling} ruling
 * @param {Shown} board
 */
export function rulingText(ruling, board) {
  switch (ruling.ruling) {
    case 'revision': return revisionText(ruling, board);
    case 'withdrawn': return say('ruling.withdrawn', { title: named(ruling, board) });
    case 'lapsed': return say('ruling.lapsed', { title: named(ruling, board) });
    case 'draw-claimable': return say('ruling.draw-claimable', { by: ruling.by, kind: claimKind(ruling.kind) });
    case 'refused': return refusedOrder(ruling, board.findings);
    case 'claim': return say(ruling.accepted ? 'ruling.claim-right' : 'ruling.claim-wrong', { by: ruling.by, kind: claimKind(ruling.kind), article: articleText(ruling) });
    case 'result': return endText(ruling);
    default: return null;
  }
}

/** The numbers of findings stand nowhere on the page. @param {{ id: number }} ruling @param {Shown} board */
function named({ id }, board) {
  const finding = board.findings.find((one) => one.id === id);
  return finding ? namedFinding(board, finding) : say('word.irregularity');
}

/** A record that was cut ends there. @param {RulingOf<'revision'>} ruling @param {Shown} board */
function revisionText({ from_ply: ply, moves }, board) {
  const number = moveNumber(board, ply);
  if (moves.length === 0) return say('ruling.cut', { number: number.replace(/[.…]+$/, '') });
  const names = moves.map((uci, n) => {
    const at = ply + n;
    const stands = board.plies[at - 1]?.uci === uci ? localSan(board.plies[at - 1].san) : `${uci.slice(0, 2)}–${uci.slice(2)}`;
    const before = moveNumber(board, at);
    return before.endsWith('…') && n > 0 ? stands : `${before} ${stands}`;
  });
  return `${titled(say('ruling.revision', { number: number.replace(/[.…]+$/, '') }), names.join(' '))}.`;
}

/** @param {RulingOf<'result'>} ruling */
function endText(ruling) {
  const { proposed, reason, result } = ruling;
  // The game has no result after all: one was taken back, or its ground is gone.
  if (result === '*' && reason === 'arbiter') return say('ruling.no-result');
  if (result === '*' && !proposed && reason === 'forfeit-illegal-moves') return say('follows.no-result');
  if (reason === 'annulled') return capital(`${say('action.annul')}.`);
  if (proposed || result === '*') return capital(proposedText(ruling));
  return say('ruling.result', { result: resultText(result), reason: resultReason(reason) });
}
