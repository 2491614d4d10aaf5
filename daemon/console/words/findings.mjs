// @ts-check
// What findings, doubts, phases and the Laws are called on the screen.
import { addText } from '../state/clock.mjs';
import { movedBy } from '../state/reading.mjs';
import { isMated, isUnbegun } from '../state/urgency.mjs';
import { keptText } from './kept.mjs';
import { capital, has, say } from './language.mjs';
import { moveNumber } from './pieces.mjs';

/** @param {string} name */
const plain = (name) => capital(name.replaceAll('-', ' '));
/**
 * The words for a name; the name itself where a daemon of another version knows more names.
 * @param {Word} key
 * @param {string} name
 */
const named = (key, name) => keptText(namedKept(key, name));
/** @param {Word} key @param {string} name @returns {import('./kept.mjs').Kept} */
const namedKept = (key, name) => (has(key) ? [key] : plain(name));

/** @param {Code} code */
export const codeKept = (code) => namedKept(`code.${code}`, code);
/** @param {Code} code */
export const codeTitle = (code) => keptText(codeKept(code));
/** @param {Doubt['kind']} kind */
export const doubtKept = (kind) => namedKept(`doubt.${kind}`, kind);
/** @param {Doubt['kind']} kind */
export const doubtTitle = (kind) => keptText(doubtKept(kind));
/** @param {ClaimKind} kind */
export const claimKind = (kind) => named(`claim.${kind}`, kind);
/** @param {ResultReason} reason */
export const resultReason = (reason) => named(`reason.${reason}`, reason);
/** A result as all pages have it, such as `½–½` and `+/−`; files have it as it is. @param {string} result */
export const resultText = (result) => result.replaceAll('1/2', '½').replace('/-', '/−').replace(/^-/, '−').replace('-', '–');
/** @param {Certainty} certainty */
export const certaintyText = (certainty) => say(`certainty.${certainty}`);
/** @param {Finding['status']} status */
export const statusText = (status) => named(`status.${status}`, status);

/**
 * Whom a finding is about: `White`, `Black`, `White or Black`.
 * @param {Party} by
 */
export const party = (by) => capital(say(`player.${by}`));

/**
 * `Article 4.3.1`; an article whose number nobody has read in the text says so.
 * @param {{ article: string, article_unconfirmed?: boolean }} props
 */
export function articleText({ article, article_unconfirmed: unconfirmed }) {
  if (article === 'none') return say('article.none');
  const number = say('article', { number: article });
  return unconfirmed ? `${number}, ${say('article.unconfirmed')}` : number;
}

/**
 * The Laws a game is played under: `FIDE Laws of 2023 · rapid · supervised`; null where no game is set up.
 * @param {Pick<Board, 'laws' | 'class' | 'supervised'>} props
 */
export function rulesText({ laws, class: pace, supervised }) {
  if (!laws || !pace) return null;
  const parts = [say('laws', { year: laws.replace('fide-', '') }), say(`class.${pace}`)];
  if (pace !== 'standard') parts.push(say(supervised ? 'room.supervised' : 'room.unsupervised'));
  return parts.join(' · ');
}

/**
 * One short line on where the game stands.
 * @param {Shown} board
 */
export function phaseText(board) {
  if (board.state === 'ended' && board.result) {
    // Nothing is left to decide of a game that counts for nothing.
    if (board.result.reason === 'annulled') return capital(resultReason('annulled'));
    if (board.result.result === '*') return say('phase.undecided', { reason: board.result.reason ? resultReason(board.result.reason) : '–' });
    const result = resultText(board.result.result);
    if (board.result.proposed) return say('phase.proposed', { result, reason: resultReason(board.result.reason) });
    // Who is not shown what was found is not told why.
    return board.result.reason ? `${result} · ${resultReason(board.result.reason)}` : result;
  }
  // What ends the game by itself, and a finding keeps from counting: nobody is to move.
  if (isMated(board)) return board.held_back && board.held_back !== 'checkmate' ? say('phase.held', { reason: capital(resultReason(board.held_back)) }) : say('phase.mated');
  if (isUnbegun(board)) return capital(say('grid.waiting'));
  if (board.state === 'in-hand') {
    const whose = movedBy(board);
    return whose && whose !== board.turn ? say('phase.in-hand-other', { by: board.turn, other: whose }) : say('phase.in-hand', { by: board.turn });
  }
  if (board.state !== 'placed') return say(`phase.${board.state}`, { by: board.turn });
  // Who has not the move may have moved: of that the other is not said to have left something undone.
  const whose = movedBy(board);
  if (whose === null) return say('phase.placed-open');
  return whose === board.turn ? say('phase.placed', { by: board.turn }) : say('phase.placed-other', { by: board.turn, other: whose });
}

/**
 * The penalty that was ruled, or that the Laws propose where nobody has ruled yet; null where there is none.
 * @param {Pick<Finding, 'penalty' | 'by' | 'status'>} props
 * @param {boolean} [isLate] the game had its result before anybody ruled: no clock is set any more
 */
export function penaltyText({ penalty, by, status }, isLate = false) {
  if (!penalty) return null;
  const stands = status === 'upheld' ? 'ruled' : 'penalty';
  if (penalty.then) return say(`finding.${stands}-${penalty.then}`, { by });
  const other = { white: 'black', black: 'white', either: 'either' }[by];
  if (isLate) return say('incident.time-over', { by: other, add: addText(penalty.opponent_ms) });
  return say(`finding.${stands}-time`, { n: penalty.opponent_ms / 60_000, by: other });
}

/**
 * At which move it was found, and that this move was taken back with an earlier one.
 * @param {{ start_fen: string }} view
 * @param {Pick<Finding, 'ply' | 'undone'>} finding
 */
export function moveOf(view, { ply, undone }) {
  const move = say('move-of', { number: moveNumber(view, ply).replace(/[.…]+$/, '') });
  return undone ? say('move-of-undone', { move }) : move;
}

/**
 * What a finding is called where it has no number: what, and at which move.
 * @param {{ start_fen: string }} view
 * @param {Finding} finding
 */
export const namedFinding = (view, finding) => `${codeTitle(finding.code)} (${moveOf(view, finding)})`;

/**
 * A loss that rests on findings that nobody has ruled on says so; empty where it rests on none.
 * @param {{ start_fen: string }} board
 * @param {Finding[]} open
 */
export function restsText(board, open) {
  if (open.length === 0) return '';
  const moves = [...new Set(open.map(({ ply }) => moveNumber(board, ply).replace(/[.…]+$/, '')))];
  return ` ${say('finding.rests', { n: moves.length, moves: new Intl.ListFormat(document.documentElement.lang).format(moves) })}`;
}

/**
 * How many completed illegal moves count against a player; null while it is none.
 * @param {Pick<Board, 'offences'>} props
 * @param {Party} by
 * @param {{ of: Word, free: Word }} keys
 */
export function offencesText({ offences }, by, keys) {
  if (!offences || by === 'either') return null;
  const n = offences[by];
  if (!n) return null;
  const { loses } = offences;
  return say(loses ? keys.of : keys.free, { n, loses, by });
}

/**
 * Where the result of a table comes from: the board, or whoever has given it.
 * @param {Pairing} pairing
 * @param {ResultReason} [reason] why its game has ended, where that is known
 */
export function sourceText({ how, by }, reason) {
  if (!how) return '';
  const seen = how === 'board' && reason && !OF_DESK.has(reason) ? say('how.of', { source: say('how.board'), who: resultReason(reason) }) : say(`how.${how}`);
  return by ? say('how.of', { source: seen, who: by }) : seen;
}

/** What is no reason of a game. @type {Set<ResultReason>} */
const OF_DESK = new Set(/** @type {ResultReason[]} */ (['entered', 'confirmed', 'annulled']));
