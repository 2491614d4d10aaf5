// @ts-check
// An incident that is settled: what was ruled on it, by whom and when, with the way back, and where its table is.
import { useEffect, useMemo } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard, toGame } from '../app/route.mjs';
import { addText } from '../state/clock.mjs';
import { closedText } from '../state/closed.mjs';
import { useEventFile } from '../state/event.mjs';
import { forgetUndoneIn, useGameAsked } from '../state/game.mjs';
import { takeBackOf } from '../state/incidents.mjs';
import { takeBack } from '../state/orders.mjs';
import { mayRestOn } from '../state/offences.mjs';
import { boardById, useOrder } from '../state/store.mjs';
import { subscribe } from '../state/topics.mjs';
import { eventText } from '../words/evidence.mjs';
import { codeTitle, party, penaltyText, resultText } from '../words/findings.mjs';
import { by, timeText } from '../words/incidents.mjs';
import { keptText } from '../words/kept.mjs';
import { capital, say, titled } from '../words/language.mjs';
import { opponent } from '../words/pieces.mjs';
import { placeName, roundOf, tableOf } from '../words/place.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Icon } from '../parts/icon.mjs';
import { broughtText } from '../record/brought.mjs';
import { endSaid, isForRecord, wasLate } from '../record/rulings.mjs';
import { useGiven, useOnItsWay } from '../state/outbox.mjs';
import { triedOut } from '../board/changes.mjs';
import { sayRefused } from '../board/takeback.mjs';
import { ToRecord } from '../parts/torecord.mjs';

/** @typedef {import('../state/outbox.mjs').Given} Given */
/** @typedef {{ line: InputLine, wall: number, finding?: Finding }} Order as the game has it */

/** @param {{ id: string }} props */
export function Gone({ id }) {
  const given = useGiven(id);
  // The name of an incident is that of its game and of the turn.
  const [named, turn] = [id.slice(0, id.lastIndexOf('.')), id.slice(id.lastIndexOf('.') + 1)];
  // What is of a board alone is of no game.
  const game = /^(\d+|end)$/.test(turn) ? named : '';
  const { orders, told, isNone } = useOrders(game, given.length);
  useEffect(() => { if (told) forgetUndoneIn(told); }, [told]);
  const { told: tables } = useEventFile('api/tables');
  const board = useOrder().find((one) => boardById(one)?.game === game) ?? given[0]?.board ?? (game ? undefined : boardById(named)?.id);
  const table = told ? seatOf(told, /** @type {HallTable[]} */ (tables ?? [])) : null;
  /** @param {Order} order */
  const isOthers = (order) => isAbout(order, turn, told) && !given.some((one) => one.order === nameOf(order.line));
  return html`
    ${told && (told.white || told.black) && html`<p class="pair">${told.white || party('white')} – ${told.black || party('black')}</p>`}
    ${given.map((one, n) => html`<${Ruled} key=${one.order} game=${told} given=${one} isLast=${n === 0} order=${orders.find(({ line }) => nameOf(line) === one.order)} />`)}
    ${told && orders.filter(isOthers).map((order) => html`<${RuledElsewhere} id=${id} order=${order} game=${told} table=${table} />`)}
    <p class="empty">${say(isNone || (!game && !board) ? 'incident.unknown' : told && isProposed(told) ? 'incident.gone-proposed' : 'incident.gone')}</p>
    <p class="ways">
      ${board && html`<a href=${toBoard(board)}>${say('incident.whole')}</a>`}
      ${game && !isNone && html`<${ToRecord} to=${toGame(game)} or=${null}>${say('games.game')}<//>`}
    </p>
  `;
}

/**
 * A game with what was ordered in it and has effect; read again with what is given here.
 * @param {string} game
 * @param {number} given
 */
function useOrders(game, given) {
  const asked = useGameAsked(game, given);
  const told = asked === 'none' ? null : asked;
  return { told, isNone: asked === 'none', orders: useMemo(() => (told ? ordersOf(told) : []), [told]) };
}

/**
 * The table of a game of a round, else that of its board.
 * @param {GameDocument} game
 * @param {HallTable[]} tables
 */
const seatOf = (game, tables) => tableOf(game) ?? tables.find((seat) => seat.board === game.board)?.table ?? null;

/** @param {GameDocument} game @returns {Order[]} */
const ordersOf = ({ given, view }) => given.filter(({ undone }) => !undone).map(({ wall, ...told }) => {
  const line = /** @type {InputLine} */ (/** @type {unknown} */ (told));
  const ruled = line.event === 'arbiter' && (line.action === 'uphold' || line.action === 'dismiss') ? line.id : undefined;
  return { line, wall, finding: view?.findings.find(({ id }) => id === ruled) };
});

/** What answers whether a game has ended. @type {Set<Action>} */
const ENDS = new Set(['result', 'annul', 'goes-on']);

/**
 * Whether an order ruled on what was found at a turn, or answered what was asked there; at its end: how the game has ended.
 * @param {Order} order
 * @param {string} turn
 * @param {GameDocument | null} game
 */
function isAbout({ line, finding }, turn, game) {
  if (finding) return finding.ply === Number(turn);
  if (line.event !== 'arbiter') return false;
  if (turn === 'end') return ENDS.has(line.action);
  if (line.action === 'reading' || line.action === 'played') return line.ply === Number(turn);
  return line.action === 'promotion' && game?.view?.plies[Number(turn) - 1]?.uci.slice(2, 4) === line.square;
}

/** @param {InputLine} line */
const nameOf = (line) => ('order' in line ? line.order : undefined);

/** Who, and when. @param {Order} order */
const whoText = ({ line, wall }) => by({ who: ('author' in line && line.author) || '', at: 0 }, 'ruled.by', 'ruled.by-nobody', { time: timeText(wall) });

/** Whether a result waits to be declared: what was left to be done waits for that. One that the desk has given waits for nobody, whatever the board proposes. @param {GameDocument} game */
const isProposed = ({ view, results }) => Boolean(view?.result?.proposed) && endSaid(results) === null;

/** What it brought. @param {{ finding?: Finding, game: GameDocument | null }} props */
const Brought = ({ finding, game }) => (finding?.status === 'upheld' && finding.penalty ? html`<p>${game ? broughtText(game, finding) : penaltyText(finding)}</p>` : null);

/** The key takes the last one back. @param {{ game: GameDocument | null, given: Given, order?: Order, isLast: boolean }} props */
function Ruled({ game, given, order, isLast }) {
  const busy = useOnItsWay(given.incident) !== undefined;
  useEffect(() => subscribe('key', (said) => {
    if (said === 'take-back' && isLast && given.game && !busy) askTakeBack(given, game, order?.finding);
  }), [given, order, isLast, busy]);
  const { table, board, title, done, at } = given;
  return html`
    <section class="ruled">
      <h2>${placeName({ table, board })} · ${keptText(title)}</h2>
      <p>${capital(keptText(done))}</p>
      <${Brought} finding=${order?.finding} game=${game} />
      <p class="sub">${order ? whoText(order) : say('ruled.by-nobody', { time: timeText(at) })}</p>
      ${given.game && html`<button disabled=${busy} onClick=${() => askTakeBack(given, game, order?.finding)}><${Icon} name="restore" /> ${say('given.take-back')}</button>`}
    </section>
  `;
}

/**
 * What was ruled on another device, or on this one before.
 * @param {{ id: string, order: Order, game: GameDocument, table: number | null }} props
 */
function RuledElsewhere({ id, order, game, table }) {
  const { line, finding, wall } = order;
  const name = nameOf(line);
  const busy = useOnItsWay(id) !== undefined;
  const title = finding ? codeTitle(finding.code) : capital(eventText(line, [], game.view ?? undefined));
  const done = finding ? say(finding.status === 'upheld' ? 'ruled.upheld' : 'ruled.dismissed', { title }) : title;
  /** @type {Given | null} */
  const given = name ? { incident: id, order: name, game: game.id, board: game.board, table, title, done, at: wall } : null;
  return html`
    <section class="ruled">
      <h2>${placeName({ table, board: game.board })} · ${done}</h2>
      <${Brought} finding=${finding} game=${game} />
      <p class="sub">${whoText(order)}</p>
      ${given && html`<button disabled=${busy} onClick=${() => askTakeBack(given, game, finding)}><${Icon} name="restore" /> ${say('given.take-back')}</button>`}
    </section>
  `;
}

/**
 * What follows from it is said first.
 * @param {Given} given
 * @param {GameDocument | null} game
 * @param {Finding | undefined} finding
 */
async function askTakeBack(given, game, finding) {
  const [title, done] = [keptText(given.title), keptText(given.done)];
  // Of a game that had its result nothing was put back, and no clock was set.
  const isLate = Boolean(game && finding && wasLate(game, finding));
  const is = { isLate: isLate || Boolean(game && game.result !== '*'), isOpen: Boolean(game && isProposed(game)) };
  const isKept = Boolean(game && finding && isForRecord(game, finding));
  const stays = game && finding && !isKept && mayRestOn(finding, game.result) ? say('follows.result-stays', { result: resultText(game.result) }) : '';
  // With others that stand it may end the game, which the game at hand knows.
  const board = boardById(given.board);
  const tried = board && board.game === given.game ? await triedOut(board, takeBack(given.order)) : null;
  if (board && tried?.refused) return sayRefused(board, title, tried.refused);
  const closed = await closedText(roundOf(game));
  const sure = await confirm({
    title: say('follows.title', { title }),
    text: [finding ? [...(isKept ? [/** @type {const} */ ('follows.open')] : followsOf(finding, is, Boolean(stays))).map((name) => say(name)), is.isLate || is.isOpen ? '' : timeBack(finding), stays, ...tried?.changes ?? []].filter(Boolean).join(' ') : say('given.text', { what: title === done ? title : titled(title, done.replace(/\.$/, '')) }), ...closed].join(' '),
    action: say('given.take-back'),
  });
  return sure && takeBackOf(given);
}

/** By how much a clock goes back. @param {Finding} finding */
function timeBack({ status, penalty, by: offender }) {
  if (status !== 'upheld' || offender === 'either' || !penalty || penalty.then) return '';
  return say('back.time', { by: opponent(offender), add: addText(penalty.opponent_ms).replace('+', '−') });
}

/**
 * What is settled has its position back, and its moves played. While a loss waits to be declared, clocks may not have been set yet.
 * @param {Finding} finding
 * @param {{ isLate: boolean, isOpen: boolean }} is
 * @param {boolean} stays the result that it has brought was given by somebody
 * @returns {Word[]}
 */
function followsOf({ status, required, penalty }, { isLate, isOpen }, stays) {
  /** @type {Word[]} */
  const follows = ['follows.open'];
  if (status !== 'upheld') return follows;
  if (required && !isLate) follows.push('follows.reread');
  if (penalty?.then && !stays) follows.push('follows.no-result');
  else if (penalty && !penalty.then && !isLate) follows.push(isOpen ? 'follows.clocks-if' : 'follows.clocks');
  return follows;
}
