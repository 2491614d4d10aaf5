// @ts-check
// An incident that is settled: what was ruled on it, by whom and when, with the way back, and where its table is.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard, toGame } from '../app/route.mjs';
import { takeBackOf } from '../state/incidents.mjs';
import { boardById, useOrder } from '../state/store.mjs';
import { codeTitle, penaltyText } from '../words/findings.mjs';
import { by, timeText } from '../words/incidents.mjs';
import { capital, say, titled } from '../words/language.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Icon } from '../parts/icon.mjs';
import { useGiven, useOnItsWay } from '../state/outbox.mjs';

/** @typedef {import('../state/outbox.mjs').Given} Given */
/** @typedef {{ line: InputLine, wall: number, finding?: Finding }} Order as the game has it */

/** @param {{ id: string }} props */
export function Gone({ id }) {
  const given = useGiven(id);
  // The name of an incident is that of its game and of the turn.
  const [game, turn] = [id.slice(0, id.lastIndexOf('.')), Number(id.slice(id.lastIndexOf('.') + 1))];
  const orders = useOrders(game, given.length);
  const board = useOrder().find((one) => boardById(one)?.game === game) ?? given[0]?.board;
  /** @param {Order} order */
  const isOthers = ({ line, finding }) => finding?.ply === turn && !given.some(({ order }) => order === nameOf(line));
  return html`
    ${given.map((one) => html`<${Ruled} key=${one.order} given=${one} order=${orders.find(({ line }) => nameOf(line) === one.order)} />`)}
    ${orders.filter(isOthers).map((order) => html`<${RuledElsewhere} order=${order} />`)}
    <p class="empty">${say('incident.gone')}</p>
    <p class="ways">
      ${board && html`<a href=${toBoard(board)}>${say('incident.whole')}</a>`}
      ${game && html`<a href=${toGame(game)}>${say('games.game')}</a>`}
    </p>
  `;
}

/**
 * What was ordered in a game and has effect; read again with what is given here.
 * @param {string} game
 * @param {number} given
 */
function useOrders(game, given) {
  const [orders, set] = useState(/** @type {Order[]} */ ([]));
  useEffect(() => {
    if (!game) return undefined;
    let isLeft = false;
    fetch(`api/games/${encodeURIComponent(game)}`).then((answer) => (answer.ok ? answer.json() : null), () => null).then((told) => {
      if (!isLeft) set(told ? ordersOf(told) : []);
    });
    return () => { isLeft = true; };
  }, [game, given]);
  return orders;
}

/** @param {GameDocument} game @returns {Order[]} */
const ordersOf = ({ given, view }) => given.filter(({ undone }) => !undone).map(({ wall, ...told }) => {
  const line = /** @type {InputLine} */ (/** @type {unknown} */ (told));
  const ruled = line.event === 'arbiter' && (line.action === 'uphold' || line.action === 'dismiss') ? line.id : undefined;
  return { line, wall, finding: view?.findings.find(({ id }) => id === ruled) };
});

/** @param {InputLine} line */
const nameOf = (line) => ('order' in line ? line.order : undefined);

/** Who, and when. @param {Order} order */
const whoText = ({ line, wall }) => by({ who: ('author' in line && line.author) || '', at: 0 }, 'ruled.by', 'ruled.by-nobody', { time: timeText(wall) });

/** What it brought. @param {{ finding?: Finding }} props */
const Brought = ({ finding }) => (finding?.status === 'upheld' && finding.penalty ? html`<p>${penaltyText(finding)}</p>` : null);

/** @param {{ given: Given, order?: Order }} props */
function Ruled({ given, order }) {
  const busy = useOnItsWay(given.incident) !== undefined;
  const { table, board, title, done, at } = given;
  return html`
    <section class="ruled">
      <h2>${table === null ? say('title.board', { board }) : say('incident.table', { n: table })} · ${title}</h2>
      <p>${capital(done)}</p>
      <${Brought} finding=${order?.finding} />
      <p class="sub">${order ? whoText(order) : say('ruled.by-nobody', { time: timeText(at) })}</p>
      ${given.game && html`<button disabled=${busy} onClick=${() => askTakeBack(given, order?.finding)}><${Icon} name="restore" /> ${say('given.take-back')}</button>`}
    </section>
  `;
}

/** What was ruled on another device. @param {{ order: Order }} props */
function RuledElsewhere({ order }) {
  const { finding } = order;
  if (!finding) return null;
  return html`
    <section class="ruled">
      <h2>${say(finding.status === 'upheld' ? 'ruled.upheld' : 'ruled.dismissed', { title: codeTitle(finding.code) })}</h2>
      <${Brought} finding=${finding} />
      <p class="sub">${whoText(order)}</p>
    </section>
  `;
}

/**
 * What follows from it is said first.
 * @param {Given} given
 * @param {Finding | undefined} finding
 */
async function askTakeBack(given, finding) {
  const sure = await confirm({
    title: say('follows.title', { title: given.title }),
    text: finding ? followsOf(finding).map((name) => say(name)).join(' ') : say('given.text', { what: titled(given.title, given.done.replace(/\.$/, '')) }),
    action: say('given.take-back'),
  });
  if (sure) takeBackOf(given);
}

/**
 * What is settled has its position back, and its moves played.
 * @param {Finding} finding
 * @returns {Word[]}
 */
function followsOf({ status, required, penalty }) {
  /** @type {Word[]} */
  const follows = ['follows.open'];
  if (status !== 'upheld') return follows;
  if (required) follows.push('follows.reread');
  if (penalty) follows.push(penalty.then ? 'follows.no-result' : 'follows.clocks');
  return follows;
}
