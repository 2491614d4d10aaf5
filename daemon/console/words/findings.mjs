// What findings, doubts, phases and the Laws are called on the screen.
import { capital, has, say } from './language.mjs';

const plain = (name) => capital(name.replaceAll('-', ' '));
const named = (key, name) => (has(key) ? say(key) : plain(name));

export const codeTitle = (code) => named(`code.${code}`, code);
export const doubtTitle = (kind) => named(`doubt.${kind}`, kind);
export const claimKind = (kind) => named(`claim.${kind}`, kind);
export const resultReason = (reason) => named(`reason.${reason}`, reason);
export const resultText = (result) => (result === '1/2-1/2' ? '½–½' : result.replace('-', '–'));
export const certaintyText = (certainty) => say(`certainty.${certainty}`);
export const statusText = (status) => named(`status.${status}`, status);

/** Whom a finding is about: `White`, `Black`, `White or Black`. */
export const party = (by) => capital(say(`player.${by}`));

/** `Article 4.3.1`; an article whose number nobody has read in the text says so. */
export function articleText({ article, article_unconfirmed: unconfirmed }) {
  if (article === 'none') return say('article.none');
  const number = say('article', { number: article });
  return unconfirmed ? `${number}, ${say('article.unconfirmed')}` : number;
}

/** The Laws a game is played under: `FIDE Laws of 2023 · rapid · supervised`; null where no game is set up. */
export function rulesText({ laws, class: pace, supervised }) {
  if (!laws) return null;
  const parts = [say('laws', { year: laws.replace('fide-', '') }), say(`class.${pace}`)];
  if (pace !== 'standard') parts.push(say(supervised ? 'room.supervised' : 'room.unsupervised'));
  return parts.join(' · ');
}

/** One short line on where the game stands. */
export function phaseText(board) {
  if (board.state === 'ended' && board.result) {
    if (board.result.result === '*') return say('phase.undecided', { reason: resultReason(board.result.reason) });
    return `${resultText(board.result.result)} · ${resultReason(board.result.reason)}`;
  }
  return say(`phase.${board.state}`, { by: board.turn });
}

/** The penalty the Laws propose, or null. */
export function penaltyText({ penalty, by }) {
  if (!penalty) return null;
  if (penalty.then) return say(`finding.penalty-${penalty.then}`, { by });
  const other = { white: 'black', black: 'white' }[by] ?? 'either';
  return say('finding.penalty-time', { n: penalty.opponent_ms / 60_000, by: other });
}

/** How many completed illegal moves count against a player; null while it is none. */
export function offencesText({ offences }, by, keys) {
  const n = offences?.[by];
  if (!n) return null;
  const { loses } = offences;
  return say(loses ? keys.of : keys.free, { n, loses, by });
}
