// Why a board needs the arbiter, in one line: a sign, a word and a text.
import { hasQuestion, mustBePutRight, openFindings } from '../state/urgency.mjs';
import { codeTitle, doubtTitle, party, resultReason, resultText } from './findings.mjs';

/** Every need of the board, the most urgent first: `[{kind, word, text, certainty?}]`. */
export function needs(board) {
  const findings = openFindings(board).map(findingNeed);
  const list = findings.filter((need) => need.certainty === 'certain');
  if (mustBePutRight(board)) list.push(restoreNeed(board));
  if (hasQuestion(board)) list.push(...questionNeeds(board));
  if (board.fault) list.push({ kind: 'fault', word: 'Fault', text: board.fault });
  return list.concat(findings.filter((need) => need.certainty !== 'certain'));
}

export function headline(board) {
  const [first] = needs(board);
  return first ? { ...first, spoken: `${first.word}: ${first.text}` } : null;
}

const findingNeed = (finding) => ({
  kind: 'irregularity',
  word: `Irregularity, ${finding.certainty}`,
  certainty: finding.certainty,
  text: `${codeTitle(finding.code)} (${party(finding.by)}, ${finding.article})`,
});

function restoreNeed(board) {
  const count = board.differs.length;
  const squares = count === 0 ? 'waiting for the board' : `${count} square${count === 1 ? '' : 's'} to put right`;
  const word = board.state === 'disturbed' ? 'Disturbed' : 'Restore';
  return { kind: 'restore', word, text: board.state === 'disturbed' ? 'no move explains the board' : squares };
}

function questionNeeds(board) {
  const list = board.doubts.map((doubt) => ({ kind: 'doubt', word: 'Doubt', text: doubtTitle(doubt.kind) }));
  if (board.result?.proposed) {
    const { result, reason } = board.result;
    list.unshift({ kind: 'doubt', word: 'Result', text: `confirm ${resultText(result)}? ${resultReason(reason)}` });
  }
  return list;
}
