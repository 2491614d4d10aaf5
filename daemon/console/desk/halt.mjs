// @ts-check
// A fire alarm: all games are stopped in one act, and those go on that were stopped in it.
import { html } from '../app/html.mjs';
import { actOn } from '../state/event.mjs';
import { isAt } from '../state/incidents.mjs';
import { ownName } from '../state/name.mjs';
import { setNotice } from '../state/notice.mjs';
import { useIsOwnBoard, useOwnTables } from '../state/rights.mjs';
import { boardById, boardIds } from '../state/store.mjs';
import { say } from '../words/language.mjs';
import { boardAndTable } from '../words/place.mjs';
import { refusalText } from '../words/refusals.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Icon } from '../parts/icon.mjs';

/** @typedef {EventDocument['halts'][number]} Halt */

/** @param {Halt['boards']} boards */
export const tablesOf = (boards) => boards.map(({ table, board }) => table ?? board).join(', ');

/** @param {string} at */
export const clockTime = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** What is played and can be stopped. */
const playing = () => boardIds().map(boardById).filter((board) => board && board.game && board.state !== 'ended' && board.state !== 'paused');

/**
 * The games that were stopped together and have not gone on: of each the act that says so last.
 * @param {Halt[]} halts
 */
function stillStopped(halts) {
  /** @type {Map<string, Halt>} */
  const last = new Map();
  for (const halt of halts) for (const { game } of halt.boards) last.set(game, halt);
  /** Stopped once more since, it is so for a reason of its own. @param {Halt['boards'][number]} halted */
  const isPaused = ({ board: id, game, order: by }) => {
    const board = boardById(id);
    return board?.game === game && board.state === 'paused' && (!by || board.stopped_by === by);
  };
  return halts.filter(({ stops }) => stops)
    .map((halt) => ({ ...halt, boards: halt.boards.filter((one) => last.get(one.game) === halt && isPaused(one)) }))
    .filter(({ boards }) => boards.length > 0);
}

/** @param {{ halts: Halt[] }} props */
export function Halts({ halts }) {
  // An arbiter of a sector stops the games of his tables.
  const own = useOwnTables();
  const isOwn = useIsOwnBoard(own);
  const stopped = stillStopped(halts);
  const goOn = stopped.flatMap(({ boards }) => boards).filter(({ table }) => isAt({ table: table ?? null }, own));
  const n = goOn.length;
  const can = playing().filter((board) => board && isOwn(board.id)).length;
  const text = own ? say('map.own-text', { tables: own }) : say('map.all-text');
  return html`
    ${stopped.map((halt) => html`<p class="halted" role="status"><${Icon} name="hand" /> <span>${say('halt.stopped', { n: halt.boards.length, time: clockTime(halt.at), tables: tablesOf(halt.boards) })}${halt.by && ` (${halt.by})`}</span></p>`)}
    <div class="buttons">
      <button disabled=${can === 0} onClick=${() => order('halt', halts.length, { title: say('map.pause-title', { n: can }), text, action: say('map.pause') })}>${say('map.pause')}</button>
      <button disabled=${n === 0} onClick=${() => order('go-on', halts.length, { title: say('map.resume-title', { n }), text: say('map.resume-text', { tables: tablesOf(goOn) }), action: say('map.resume') })}>${say('map.resume')}</button>
    </div>
  `;
}

/**
 * Asked first. Decided upon so many times that games were stopped or let go on, it does not count where somebody has ordered the opposite since.
 * @param {'halt' | 'go-on'} what
 * @param {number} upon
 * @param {Question} question
 */
async function order(what, upon, question) {
  if (!await confirm(question)) return;
  const told = await actOn(`api/event/${what}`, { author: ownName(), upon }, '', question.action);
  // Without a line it is not known yet which boards it finds.
  if (!told?.halt) return;
  const tables = tablesOf(told.halt.boards);
  const refused = told.refused.map((/** @type {{ board: string, error: string, why?: Reason }} */ one) => `${boardAndTable(one.board, boardById(one.board))}: ${refusalText(one)}`).join('; ');
  const done = say(what === 'halt' ? 'done.halt' : 'done.go-on', { n: told.halt.boards.length, tables });
  setNotice({ kind: refused ? 'refused' : 'done', text: refused ? `${done} ${refused}` : done });
}

/** In a report: what was stopped, and when it went on. @param {{ halts: Halt[] }} props */
export function HaltsReport({ halts }) {
  if (halts.length === 0) return null;
  return html`<h2>${say('halt.title')}</h2><ul class="plain-list">${halts.map((halt) => html`
    <li>${say(halt.stops ? 'halt.stopped' : 'halt.went-on', { n: halt.boards.length, time: clockTime(halt.at), tables: tablesOf(halt.boards) })}${halt.by && ` (${halt.by})`}</li>`)}</ul>`;
}
