// @ts-check
// What an order would make of the record, said before it is given: the daemon tries it out.
import { askOf } from '../state/event.mjs';
import { resultText } from '../words/findings.mjs';
import { proposedText } from '../words/incidents.mjs';
import { say } from '../words/language.mjs';
import { localSan, moveNumber } from '../words/pieces.mjs';

/** So many moves are told one by one. */
const MOST_MOVES = 12;
const LONGEST_MS = 1_500;
/** Within so long nobody has begun to press for something else. */
const AT_ONCE_MS = 250;

/** `changes`: null where nobody could tell in time; `ends`: a result that nobody only proposes comes or goes; `refused`: why the daemon would refuse it; `late`: it took a while, and a question comes up by itself; `view`: the game as it would stand. @typedef {{ changes: string[] | null, ends: boolean, late?: boolean, view?: Trial['view'] | null, refused?: { text: string, why: Reason } }} Tried */

/**
 * What leaves the record, comes back into it or becomes another, and the result that comes or goes; null where nobody could tell in time.
 * @param {Shown} board
 * @param {Order} order
 */
export const changesBy = async (board, order) => (await triedOut(board, order)).changes;

/**
 * The same, and why the daemon would refuse it: nobody is asked then to confirm it.
 * @param {Shown} board
 * @param {Order} order
 * @returns {Promise<Tried>}
 */
export async function triedOut(board, order) {
  const begun = Date.now();
  const told = await Promise.race([
    tried(board, order),
    /** @type {Promise<Tried>} */ (new Promise((done) => { setTimeout(done, LONGEST_MS, { changes: null, ends: false }); })),
  ]);
  return { ...told, late: Date.now() - begun > AT_ONCE_MS };
}

/** How many half-moves go, where the daemon asks about them: whoever has been told which is not asked again. @param {Shown} board @param {Pick<Tried, 'changes' | 'view'>} tried */
export function goneBy({ whole, ply }, { changes, view }) {
  const gone = whole && changes && view ? ply - view.plies.length : 0;
  return gone > 1 ? gone : undefined;
}

/** The same for a question: that nobody could tell in time is said. Of what is refused nothing follows. @param {Tried} tried @returns {string[]} */
export const followsText = ({ changes, refused }) => changes ?? (refused ? [] : [say('follows.unknown')]);

/** @param {Shown} board @param {Order} order @returns {Promise<Tried>} */
async function tried(board, order) {
  const { told, refused, why } = await askOf(`api/boards/${encodeURIComponent(board.id)}/trial`, order);
  const view = /** @type {Trial | null} */ (told)?.view;
  if (refused && why) return { ends: false, changes: null, refused: { text: refused().join(' '), why } };
  return { view, ends: Boolean(view && hasOther(board, view)), changes: view ? [...recordText(board, view), ...resultChange(board, view)] : null };
}

/** Whether the game would end by it, go on, or end otherwise. @param {Shown} board @param {Trial['view']} view */
const hasOther = ({ result: before }, { result: after }) => !isOfDesk(before) && standing(before) !== standing(after);

/** Whether it was given at the desk, and goes with no order on the game. @param {Shown['result']} result */
const isOfDesk = (result) => result?.reason === 'entered' || result?.reason === 'confirmed';

/** A result that is not only proposed. @param {{ result: string, proposed: boolean } | null | undefined} result */
const standing = (result) => (result && !result.proposed ? result.result : null);

/** @param {Shown} board @param {Trial['view']} view */
function recordText(board, view) {
  // Of a board that is not told in whole only the number of its half-moves is known.
  const same = board.whole ? firstOther(board.plies, view.plies) : Math.min(board.ply, view.plies.length);
  // What follows in both as it was is not told.
  const end = board.whole && board.plies.length === view.plies.length ? board.plies.findLastIndex(({ uci }, n) => view.plies[n].uci !== uci) + 1 : undefined;
  const goes = board.whole ? movesFrom(board, same, end) : [];
  const comes = movesFrom(view, same, end);
  if (goes.length === 0 && comes.length === 0) return [];
  if (goes.length === 0) return [`${say('follows.moves-back', { n: comes.length, moves: shortened(comes).join(' ') })}.`];
  if (comes.length === 0) return [`${say('follows.moves-go', { n: goes.length, moves: shortened(goes).join(' ') })}.`];
  return [say('follows.moves-other', { before: shortened(goes).join(' '), after: shortened(comes).join(' ') })];
}

/** What somebody has entered at the round does not change with an order on the game. @param {Shown} board @param {Trial['view']} view */
function resultChange({ result: before }, { result: after }) {
  if (isOfDesk(before) || (before?.result === after?.result && before?.proposed === after?.proposed)) return [];
  if (after) return [after.proposed ? say('follows.proposed-back', { result: proposedText({ ...after, text: null }) }) : say('follows.result-then', { result: resultText(after.result) })];
  if (before?.reason === 'annulled') return [say('follows.not-annulled')];
  return before ? [before.proposed ? say('follows.no-result') : say('follows.result-goes', { result: resultText(before.result) })] : [];
}

/** How many half-moves two records have in common from their start. @param {PlyRecord[]} before @param {PlyRecord[]} after */
function firstOther(before, after) {
  const at = before.findIndex(({ uci }, n) => after[n]?.uci !== uci);
  return at < 0 ? before.length : at;
}

/**
 * The half-moves behind the first so many, as a record is read: `8… b6 9. Nf3`.
 * @param {{ start_fen: string, plies: PlyRecord[] }} record
 * @param {number} from
 * @param {number} [to]
 */
const movesFrom = (record, from, to) => record.plies.slice(from, to).map(({ san }, n) => {
  const number = moveNumber(record, from + n + 1);
  return number.endsWith('…') && n > 0 ? localSan(san) : `${number} ${localSan(san)}`;
});

/** The first and the last of many. @param {string[]} moves */
const shortened = (moves) => (moves.length > MOST_MOVES ? [...moves.slice(0, MOST_MOVES / 2), '…', ...moves.slice(-MOST_MOVES / 2)] : moves);
