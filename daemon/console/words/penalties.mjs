// @ts-check
// Penalties of Article 12.9 as they are written down, in the words of whoever reads them.
import { capital, inEvery, say } from './language.mjs';
import { COLOURS } from './players.mjs';

/** What Article 12.9 lists, in its order. */
export const KINDS = /** @type {const} */ (['warning', 'time', 'offender-time', 'opponent-points', 'points', 'game', 'fine', 'exclusion', 'expulsion']);

/** So far goes the kind: what is said besides stands behind it. */
const ENDS = ['', ',', ' ('];

/**
 * What was written down of a penalty, in whichever language that was done: its kind, and the players beside their times. Words of somebody's own stay as they are.
 * @param {string} what
 */
export function penaltyText(what) {
  const told = KINDS.flatMap((kind) => inEvery(`penalty.${kind}`).map((words) => ({ kind, words })))
    .find(({ words }) => what.startsWith(words) && ENDS.some((end) => (end === '' ? what === words : what.startsWith(words + end))));
  if (!told) return what;
  const rest = what.slice(told.words.length);
  const clocks = rest.lastIndexOf(' (');
  if (clocks < 0 || !rest.endsWith(')')) return say(`penalty.${told.kind}`) + rest;
  return say(`penalty.${told.kind}`) + rest.slice(0, clocks) + inOwnWords(rest.slice(clocks));
}

/** Both players before their times. @param {string} times */
const inOwnWords = (times) => COLOURS.reduce((text, colour) => {
  const others = inEvery(`player.${colour}`).map(capital);
  return others.reduce((all, words) => all.replaceAll(new RegExp(`(^ \\(|; )${words}(?= [\\d–-])`, 'g'), (_, before) => before + capital(say(`player.${colour}`))), text);
}, times);

/** With why. @param {{ what: string, reason: string }} one */
export const penaltyWithReason = ({ what, reason }) => `${penaltyText(what)}. ${reason}`;
