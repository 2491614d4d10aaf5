// @ts-check
// What the arbiter orders: one event-script input, posted to the board's session.
import { sendKnowingly } from './knowingly.mjs';
import { setNotice } from './notice.mjs';
import { say } from '../words/language.mjs';

const TRIES = 3;
const RETRY_MS = 700;

/**
 * An order has a name of its own, so that it counts once however often it is sent: a line that is gone for a moment loses none. What has no name is sent
 * once.
 * @param {string} board
 * @param {Order} order
 * @param {string} query
 */
async function post(board, order, query) {
  const isNamed = order.event !== 'new-game' && !('action' in order && order.action === 'take-back');
  const name = `o${Date.now()}${crypto.getRandomValues(new Uint16Array(1))[0]}`;
  const body = JSON.stringify(isNamed ? { order: name, ...order } : order);
  for (let left = isNamed ? TRIES : 1; ; left -= 1) {
    try {
      return await fetch(`api/boards/${encodeURIComponent(board)}/orders${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    } catch (error) {
      if (left <= 1) throw error;
      await new Promise((done) => { setTimeout(done, RETRY_MS); });
    }
  }
}

/**
 * Sends `order`; true when the daemon took it. A refusal is shown, never swallowed.
 * @param {string} board
 * @param {Order} order
 * @param {string} done
 */
export async function sendOrder(board, order, done) {
  try {
    const answer = await sendKnowingly((query) => post(board, order, query));
    if (!answer) return false;
    if (answer.ok) {
      if (done) setNotice({ kind: 'done', text: notice(board, done) });
      return true;
    }
    const { error } = await answer.json().catch(() => ({ error: say('notice.status', { status: answer.status }) }));
    setNotice({ kind: 'refused', text: notice(board, error) });
  } catch {
    setNotice({ kind: 'refused', text: notice(board, say('notice.unreachable')) });
  }
  return false;
}

/**
 * @param {string} board
 * @param {string} text
 */
const notice = (board, text) => say('notice', { board, text });

/**
 * An order of the arbiter's.
 * @template {Action} A
 * @param {A} action
 * @param {FieldsOf<A>} fields
 */
const arbiter = (action, fields) => /** @type {Order} */ (/** @type {unknown} */ ({ event: 'arbiter', action, ...fields }));

/** @param {number} id */
export const uphold = (id) => arbiter('uphold', { id });
/** @param {number} id */
export const dismiss = (id) => arbiter('dismiss', { id });
/**
 * @param {string} square
 * @param {Promotion} piece
 */
export const promotion = (square, piece) => arbiter('promotion', { square, piece });
/**
 * @param {number} ply
 * @param {string} move
 */
export const reading = (ply, move) => arbiter('reading', { ply, move });
/**
 * @param {number} ply
 * @param {string} move
 */
export const played = (ply, move) => arbiter('played', { ply, move });
/** @param {string} order */
export const takeBack = (order) => arbiter('take-back', { order });
/**
 * @param {Code} code
 * @param {{ by?: Colour, square?: string }} fields
 */
export const report = (code, fields) => arbiter('report', { code, ...fields });
/** @param {string} fen */
export const setPosition = (fen) => arbiter('set-position', { fen });
export const letStand = () => arbiter('let-stand', {});
/** @param {Turned} turned */
export const boardTurned = (turned) => arbiter('board-turned', { turned });
export const pause = () => arbiter('pause', {});
export const resume = () => arbiter('resume', {});
/** @param {{ game?: string }} about left out for the game at hand */
export const annul = (about = {}) => arbiter('annul', about);
/**
 * It was asked whether the game has ended, and it has not.
 * @param {string} game
 */
export const goesOn = (game) => arbiter('goes-on', { game });
/**
 * @param {GameResult} value
 * @param {{ game?: string }} about left out for the game at hand
 */
export const result = (value, about = {}) => arbiter('result', { result: value, ...about });

/** @type {(by: Colour) => Order} */
export const resign = (by) => ({ event: 'resign', by });
/** @type {(by: Colour) => Order} */
export const adjust = (by) => ({ event: 'adjust', by });
/** @type {(by: Colour, step: DrawStep) => Order} */
export const draw = (by, step) => ({ event: 'draw', by, step });
/** @type {(by: Colour) => Order} */
export const stop = (by) => ({ event: 'stop', by });
/** @type {(by: Colour) => Order} */
export const flagFall = (by) => ({ event: 'flag-fall', by });
/** @type {(by: Colour, kind: ClaimKind, fields: { move?: string, square?: string }) => Order} */
export const claim = (by, kind, fields) => ({ event: 'claim', by, kind, ...fields });
/** @type {(fields: NewGameFields) => Order} */
export const newGame = (fields) => ({ event: 'new-game', ...fields });
