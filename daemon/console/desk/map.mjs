// @ts-check
// The hall as it stands: one mark a table, quiet where all is well; and who is short of time.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard, toDevices, toGame, toRound } from '../app/route.mjs';
import { clockText } from '../state/clock.mjs';
import { actOn, useEventFile } from '../state/event.mjs';
import { useAwaited } from '../state/floor.mjs';
import { useIsChief } from '../state/me.mjs';
import { observersOf, useObserved } from '../state/observed.mjs';
import { useMayRead } from '../state/rights.mjs';
import { boardById, useOrder } from '../state/store.mjs';
import { isAnew, layoutOf, markOf, restsOnDismissed, rowsOfTen, shownOf, smallest } from '../state/tables.mjs';
import { useTopic } from '../state/topics.mjs';
import { headline } from '../words/headline.mjs';
import { resultText } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { observedText } from '../floor/observed.mjs';
import { Icon } from '../parts/icon.mjs';
import { useSeconds } from '../parts/seconds.mjs';
import { Short } from './short.mjs';

/** Where earlier versions kept the rows: in this browser. */
const KEPT = 'arbiter-hall';

/** @type {Record<string, import('../parts/icon.mjs').IconName | null>} */
const SIGNS = { needs: 'irregularity', question: 'doubt', fault: 'unplugged', short: 'hourglass', paused: 'pause', proposed: 'pencil', done: 'check', waiting: 'ring', postponed: 'clock', bare: 'list', playing: null };

/** @param {string} mark */
const markText = (mark) => say(/** @type {Word} */ (`mark.${mark}`));

export function HallMap() {
  const { told: event } = useEventFile('api/event');
  const number = event?.rounds.findLast((/** @type {RoundSummary} */ one) => one.stage !== 'drawn')?.round ?? event?.rounds[0]?.round;
  const { told: round } = useEventFile(number ? `api/rounds/${number}` : null);
  useAwaited(round);
  const observed = useObserved();
  const ids = useOrder();
  useTopic('boards');
  useSeconds();
  const shown = round ?? standing(ids);
  const pairings = /** @type {Map<number, Pairing>} */ (new Map(shown.pairings.filter((/** @type {Pairing} */ pairing) => pairing.table !== null).map((/** @type {Pairing} */ pairing) => [Number(pairing.table), pairing])));
  const tables = [...pairings.keys()].sort((a, b) => a - b);
  const rows = layoutOf(event?.layout ?? '');
  const left = rows ? tables.filter((table) => !rows.flat().includes(table)) : [];
  /** @type {string[]} */
  const marks = tables.map((table) => markOf(/** @type {Pairing} */ (pairings.get(table)), shown));
  const looked = tables.filter((table) => observersOf(observed, table, number).length > 0).length;
  return html`
    <div class="map-head">
      <h1>${number ? html`<a href=${toRound(number)}>${say('desk.round', { n: number })}</a>` : say('map.title')}</h1>
      <ul class="legend">${Object.keys(SIGNS).filter((mark) => marks.includes(mark)).map((mark) => html`
        <li><${Mark} mark=${mark} /> ${markText(mark)} <b>${marks.filter((one) => one === mark).length}</b></li>`)}
        ${looked > 0 && html`<li><span class="mark mark-observed"><${Icon} name="eye" /></span> ${say('observed.mark')} <b>${looked}</b></li>`}</ul>
      <span class="spacer"></span><a href=${toDevices()}>${say('boards.page')}</a>
    </div>
    <div class="map">
      <section aria-label=${say('map.title')}>
        ${tables.length === 0 && html`<p class="empty">${say('map.none')}</p>`}
        ${[...(rows ?? rowsOfTen(tables)), ...rowsOfTen(left)].map((row) => html`
          <ul class="map-row">${row.map((table) => html`<${Tile} key=${table} table=${table} pairing=${pairings.get(table)} round=${shown} observers=${observersOf(observed, table, number)} />`)}</ul>`)}
        ${event && html`<${Rows} layout=${event.layout} />`}
      </section>
      <${Short} pairings=${[...pairings.values()]} halts=${event?.halts ?? []} control=${event?.details.time_control} />
    </div>
  `;
}

/** How the tables stand, typed by whoever may say so; kept for everybody. @param {{ layout: string }} props */
function Rows({ layout }) {
  const isChief = useIsChief();
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    if (isChief) takeUp(layout);
  }, [isChief, layout]);
  if (!isChief) return null;
  const shown = typed ?? layout;
  const isWrong = shown.trim() !== '' && !layoutOf(shown);
  /** @param {FormEvent} submitted */
  const keep = async (submitted) => {
    submitted.preventDefault();
    if (!isWrong && await actOn('api/event/layout', { rows: shown }, say('done.layout'))) setTyped(null);
  };
  return html`
    <form class="layout" onSubmit=${keep}>
      <label class="field"><span>${say('map.layout')}</span>
        <input value=${shown} placeholder="1-10 / 20-11" aria-invalid=${isWrong} autocomplete="off" maxlength="4000"
          onInput=${(/** @type {InputEvent & { currentTarget: HTMLInputElement }} */ event) => setTyped(event.currentTarget.value)} /></label>
      ${isWrong && html`<p class="problem" role="alert">${say('map.wrong')}</p>`}
      <button disabled=${isWrong || shown.trim() === layout}>${say('map.keep')}</button>
    </form>
  `;
}

/** Where there is no round, every board is a table of its own. @param {string[]} ids @returns {Round} */
function standing(ids) {
  const named = [...ids].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  /** @param {string} name */
  const seated = (name) => ({ number: 0, name, title: '', rating: null, federation: '', fide_id: null });
  const pairings = named.map((id, n) => {
    const board = boardById(id);
    const result = board?.result && board.result.result !== '*' ? board.result : null;
    return { table: n + 1, board: id, white: seated(board?.white ?? ''), black: seated(board?.black ?? ''), game: board?.game || null,
      result: result?.result ?? null, codes: null, how: result ? 'board' : null, by: '', confirmed: Boolean(result && !result.proposed), typed: null, postponed: false };
  });
  const waiting = pairings.filter(({ board }) => !boardById(board)?.ply).map(({ table }) => table);
  return /** @type {Round} */ (/** @type {unknown} */ ({ round: 0, stage: 'under-way', pairings, waiting, open: [], postponed: [], unruled: [], started: '', default_at: null, date: '', matches: [] }));
}

/** @param {{ mark: string }} props */
function Mark({ mark }) {
  const name = SIGNS[mark];
  return html`<span class=${`mark mark-of-${mark}`}>${name && html`<${Icon} name=${name} />`}</span>`;
}

/** @param {{ table: number, pairing?: Pairing, round: Round, observers: Observed[] }} props */
function Tile({ table, pairing, round, observers }) {
  const mayRead = useMayRead();
  if (!pairing) return html`<li class="tile nobody"><span>${table}</span></li>`;
  const mark = markOf(pairing, round);
  const board = shownOf(pairing);
  const left = board && (mark === 'short' || mark === 'needs') ? smallest(board) : null;
  const need = board && mark !== 'done' ? headline(board) : null;
  const words = [say('incident.table', { n: table }), `${pairing.white.name} – ${pairing.black?.name ?? ''}`, markText(mark), isAnew(pairing, round) ? say('grid.anew') : '', restsOnDismissed(pairing, round) ? say('offences.fell') : '', need?.spoken, left === null ? '' : clockText(left), observedText(observers)];
  const label = words.filter(Boolean).join(', ');
  const to = pairing.board ? toBoard(pairing.board) : pairing.game && mayRead ? toGame(pairing.game) : toRound(round.round);
  return html`
    <li class=${`tile tile-${mark}`} data-table=${table} data-mark=${mark} data-observed=${observers.length > 0}>
      <a href=${to} aria-label=${label} title=${label}><b>${table}</b>${SIGNS[mark] && html`<${Icon} name=${SIGNS[mark]} />`}<span class="time">${left === null ? (mark === 'done' ? resultText(pairing.result ?? '') : '') : clockText(left)}${observers.length > 0 && html`<${Icon} name="eye" />`}</span></a>
    </li>
  `;
}

/** Rows that this browser has kept are the hall's, where nobody has said others. @param {string} layout */
async function takeUp(layout) {
  try {
    const kept = localStorage.getItem(KEPT) ?? '';
    if (kept === '' || (layout === '' && layoutOf(kept) && !await actOn('api/event/layout', { rows: kept }, '', say('done.layout')))) return;
    localStorage.removeItem(KEPT);
  } catch {
    // Without a store nothing was kept.
  }
}
