// @ts-check
// Why a board needs the arbiter, in one line: a sign, a word and a text.
import { hasQuestion, isAnnulled, mustBePutRight, openFindings } from '../state/urgency.mjs';
import { faultTitle } from './faults.mjs';
import { articleText, certaintyText, codeTitle, doubtTitle, resultReason, resultText } from './findings.mjs';
import { say, titled } from './language.mjs';

/**
 * Every need of the board, the most urgent first: `[{kind, word, text, certainty?}]`.
 * @param {Shown} board
 * @returns {Need[]}
 */
export function needs(board) {
  const findings = openFindings(board).map(findingNeed);
  const list = findings.filter((need) => need.certainty === 'certain');
  if (mustBePutRight(board)) list.push(restoreNeed(board));
  if (hasQuestion(board)) list.push(...questionNeeds(board));
  if (board.fault) list.push({ kind: 'fault', word: say('word.fault'), text: faultTitle(board.faults) });
  return list.concat(findings.filter((need) => need.certainty !== 'certain'));
}

/** @param {Shown} board */
export function headline(board) {
  const [first] = needs(board);
  return first ? { ...first, spoken: titled(first.word, first.text) } : null;
}

/** @type {(finding: Finding) => Need} */
const findingNeed = (finding) => ({
  kind: 'irregularity',
  word: `${say('word.irregularity')}, ${certaintyText(finding.certainty)}`,
  certainty: finding.certainty,
  text: say('need.finding', { title: codeTitle(finding.code), by: finding.by, article: articleText(finding) }),
});

/**
 * @param {Shown} board
 * @returns {Need}
 */
function restoreNeed(board) {
  const disturbed = board.state === 'disturbed';
  const n = board.differs.length;
  const text = disturbed ? say('need.disturbed') : n === 0 ? say('need.restore-waiting') : say('need.restore', { n });
  return { kind: 'restore', word: say(disturbed ? 'word.disturbed' : 'word.restore'), text };
}

/**
 * @param {Shown} board
 * @returns {Need[]}
 */
function questionNeeds(board) {
  /** @type {Need[]} */
  const list = (isAnnulled(board) ? [] : board.doubts).map((doubt) => ({ kind: 'doubt', word: say('word.doubt'), text: doubtTitle(doubt.kind) }));
  if (board.asked) list.unshift({ kind: 'doubt', word: say('word.doubt'), text: doubtTitle('game-ended') });
  if (board.unset) list.unshift({ kind: 'doubt', word: say('word.doubt'), text: say('unset.title') });
  if (board.result?.proposed) {
    const { result, reason } = board.result;
    const key = result === '*' ? 'need.result-open' : 'need.result';
    const text = say(key, { result: resultText(result), reason: resultReason(reason) });
    list.unshift({ kind: 'proposed', word: say('word.proposed'), text });
  }
  return list;
}
