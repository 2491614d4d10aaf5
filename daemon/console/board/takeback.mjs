// @ts-check
// An order is taken back: what that would do is said first, or why it cannot be.
import { closedText } from '../state/closed.mjs';
import { setNotice } from '../state/notice.mjs';
import { basisOf, sendOrder, takeBack } from '../state/orders.mjs';
import { orderName } from '../record/given.mjs';
import { mayRestOn } from '../state/offences.mjs';
import { orderedText } from '../words/evidence.mjs';
import { isAnnulled } from '../state/urgency.mjs';
import { codeTitle, doubtTitle, party, resultText } from '../words/findings.mjs';
import { capital, say } from '../words/language.mjs';
import { boardPlace, roundOf } from '../words/place.mjs';
import { confirm } from '../parts/confirm.mjs';
import { triedOut } from './changes.mjs';

/**
 * @param {Shown} board
 * @param {InputLine} line
 * @returns {Promise<unknown>}
 */
export async function orderTakeBack(board, line) {
  const what = orderedText(line, board);
  const order = takeBack(orderName(line));
  const { changes, refused, view } = await triedOut(board, order);
  if (refused) return sayRefused(board, what, refused);
  const sure = await confirm({
    title: say('given.title', { place: boardPlace(board) }),
    text: [say('given.text', { what: capital(what) }), ...changes ?? [], ...(view ? asksAnew(board, view, line) : []), ...resultStays(board, line), ...await closedText(roundOf(board))].join(' '),
    action: say('given.take-back'),
  });
  return sure && sendOrder(board.id, order, say('done.take-back', { what }), basisOf(board));
}

/**
 * What waits for somebody then that does not now, or is in a game that counts for nothing, such as what was found in a game that goes on after all. That a finding waits again on which the order has ruled is said otherwise.
 * @param {Shown} board
 * @param {{ findings: Finding[], doubts: Shown['doubts'] }} view
 * @param {InputLine} line
 */
function asksAnew(board, view, line) {
  if (line.event === 'arbiter' && (line.action === 'uphold' || line.action === 'dismiss')) return [];
  const isNew = (/** @type {Finding} */ { id, status }) => status === 'open' && (isAnnulled(board) || !board.findings.some((one) => one.id === id && one.status === 'open'));
  const asked = isAnnulled(board) ? [] : board.doubts;
  const found = view.findings.filter(isNew).map(({ code, by }) => `${codeTitle(code)} (${party(by)})`);
  const doubts = view.doubts.filter(({ kind, ply }) => !asked.some((one) => one.kind === kind && one.ply === ply)).map(({ kind }) => doubtTitle(kind));
  const all = [...found, ...doubts];
  return all.length > 0 ? [say('follows.anew', { n: all.length, what: all.join('; ') })] : [];
}

/** A result that somebody has given does not go with the ruling that it may rest on. @param {Shown} board @param {InputLine} line */
function resultStays({ findings, result }, line) {
  const upheld = line.event === 'arbiter' && line.action === 'uphold' ? findings.find(({ id }) => id === line.id) : undefined;
  return upheld && result && mayRestOn(upheld, result) ? [say('follows.result-stays', { result: resultText(result.result) })] : [];
}

/**
 * An order that cannot be taken back is not asked about: it is said why, and the ruling that rests on it, which is in the way, can be taken back first.
 * @param {Shown} board
 * @param {string} what
 * @param {NonNullable<import('./changes.mjs').Tried['refused']>} refused
 */
export async function sayRefused(board, what, { text, why }) {
  const said = [what, text].map((one) => `${capital(one).replace(/\.$/, '')}.`).join(' ');
  const first = why.kind === 'ruling-rests-on-it' ? board.orders.findLast((line) => isUpheld(board, line, why)) : undefined;
  if (!first) return setNotice({ kind: 'refused', text: said });
  const sure = await confirm({ title: say('given.title', { place: boardPlace(board) }), text: said, action: say('given.first') });
  return sure && orderTakeBack(board, first);
}

/** Whether it is the ruling that a refusal names. @param {Shown} board @param {InputLine} line @param {Reason} why */
const isUpheld = ({ findings }, line, { with: told = {} }) => line.event === 'arbiter' && line.action === 'uphold'
  && findings.some(({ id, code, ply }) => id === line.id && code === told.code && (told.ply === undefined || String(ply) === told.ply));
