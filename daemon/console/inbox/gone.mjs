// @ts-check
// An incident that is settled: what was ruled on it here, with the way back, and where its table is.
import { html } from '../app/html.mjs';
import { toBoard, toGame } from '../app/route.mjs';
import { takeBackOf } from '../state/incidents.mjs';
import { boardById, useOrder } from '../state/store.mjs';
import { timeText } from '../words/incidents.mjs';
import { capital, say } from '../words/language.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Icon } from '../parts/icon.mjs';
import { useGiven, useOnItsWay } from '../state/outbox.mjs';

/** @typedef {import('../state/outbox.mjs').Given} Given */

/** @param {{ id: string }} props */
export function Gone({ id }) {
  const given = useGiven(id);
  // The name of an incident begins with its game's.
  const game = id.slice(0, id.lastIndexOf('.'));
  const board = useOrder().find((one) => boardById(one)?.game === game) ?? given[0]?.board;
  return html`
    ${given.map((one) => html`<${Ruled} key=${one.order} given=${one} />`)}
    <p class="empty">${say('incident.gone')}</p>
    <p class="ways">
      ${board && html`<a href=${toBoard(board)}>${say('incident.whole')}</a>`}
      ${game && html`<a href=${toGame(game)}>${say('games.game')}</a>`}
    </p>
  `;
}

/** @param {{ given: Given }} props */
function Ruled({ given }) {
  const busy = useOnItsWay(given.incident) !== undefined;
  const { table, board, title, done, at } = given;
  return html`
    <section class="ruled">
      <h2>${table === null ? say('title.board', { board }) : say('incident.table', { n: table })} · ${title}</h2>
      <p>${capital(done)}</p>
      <p class="sub">${say('ruled.by-nobody', { time: timeText(at) })}</p>
      ${given.game && html`<button disabled=${busy} onClick=${() => askTakeBack(given)}><${Icon} name="restore" /> ${say('given.take-back')}</button>`}
    </section>
  `;
}

/** @param {Given} given */
async function askTakeBack(given) {
  const sure = await confirm({
    title: say('follows.title', { title: given.title }),
    text: say('given.text', { what: `${given.title}: ${given.done.replace(/\.$/, '')}` }),
    action: say('given.take-back'),
  });
  if (sure) takeBackOf(given);
}
