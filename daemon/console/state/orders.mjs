// @ts-check
// What the arbiter orders: one event-script input, posted to the board's session.
import { link } from './link.mjs';
import { nameOnce, ownName } from './name.mjs';
import { deliver, newName } from './outbox.mjs';
import { boardById } from './store.mjs';
import { orderedText } from '../words/evidence.mjs';
import { keptText } from '../words/kept.mjs';
import { seatName, tableOf } from '../words/place.mjs';

/** @typedef {import('../words/kept.mjs').Kept} Kept */

/**
 * What an order on the game at hand is decided upon: the daemon refuses one where others have ordered meanwhile, and says what. Nobody knows it of a board
 * of which only a part is shown.
 * @param {Shown} board
 */
export const basisOf = ({ game, orders, ordered, result, whole }) => (whole ? `${game}/${lastOf(orders)}/${result?.result ?? '*'}#${ordered}` : undefined);

/** The name of the last order that has effect. @param {Shown['orders']} orders */
function lastOf(orders) {
  const last = orders.at(-1);
  return (last && 'order' in last && last.order) || '0';
}

/**
 * Sends `order`; true when the daemon took it, or it is kept until the line is there again. A refusal is shown, never swallowed.
 * An order has a name of its own, so that it counts once however often it is sent. What has no name is sent once; that of a take-back is the order's.
 * @param {string} board
 * @param {Order} order
 * @param {Kept} done
 * @param {string} [upon] what it was decided upon, where somebody thought about it
 * @param {{ incident: string, title: Kept, game: string, table?: number | null }} [answers] what it answers, and at which table where that is not told with the board's game
 * @param {number} [confirmed] half-moves that it is known to take out of the record
 */
export async function sendOrder(board, order, done, upon, answers, confirmed) {
  if (!(await nameOnce())) return false;
  const id = newName('o');
  const once = order.event === 'new-game';
  const takesBack = 'action' in order && order.action === 'take-back' ? order.order : undefined;
  const game = boardById(board)?.game;
  return deliver({
    id,
    path: `api/boards/${encodeURIComponent(board)}/orders`,
    ...(upon && !once && { upon }),
    body: once ? order : takesBack ? signed(order) : signed({ order: id, ...order }),
    where: seatOf(board, answers),
    what: once ? '' : orderedText(/** @type {InputLine} */ (order), boardById(board), boardById(board)?.orders),
    done: keptText(done),
    kind: 'order',
    once,
    takesBack,
    confirmed,
    ...(answers && { given: { ...answers, order: id, board, table: answers.table ?? tableOf(boardById(board)), done, at: Date.now() + link.ahead } }),
    ...(game && { on: /** @type {[string, string]} */ ([board, game]) }),
  });
}

/**
 * Where a board stands and who plays there, as far as it is told: of a game before, nobody who plays there now.
 * @param {string} id
 * @param {{ game: string, table?: number | null }} [of]
 */
function seatOf(id, of) {
  const board = boardById(id);
  const players = !of || of.game === board?.game ? board : undefined;
  return seatName({ table: of?.table ?? tableOf(board), board: id, white: players?.white ?? '', black: players?.black ?? '' });
}

/**
 * An order in the name of whoever gives it. Where people are asked who they are, the daemon puts that there.
 * @template T
 * @param {T} order
 */
export const signed = (order) => ({ ...order, ...(ownName() && { author: ownName() }) });

/**
 * An order of the arbiter's.
 * @template {Action} A
 * @param {A} action
 * @param {FieldsOf<A>} fields
 */
const arbiter = (action, fields) => /** @type {Order} */ (/** @type {unknown} */ ({ event: 'arbiter', action, ...fields }));

/** @param {number} id */
export const uphold = (id) => arbiter('uphold', { id });
/** It was so, and nothing follows: of a game that has its result. @param {number} id */
export const upholdForRecord = (id) => arbiter('uphold', { id, for_record: true });
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
