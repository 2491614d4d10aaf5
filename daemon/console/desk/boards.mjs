// @ts-check
// The boards themselves: where each stands, on which line it is, and what its sensors read now. Bound, exchanged, replaced and turned here.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toBoard, toGame, toMap } from '../app/route.mjs';
import { actOn, useEventFile } from '../state/event.mjs';
import { now, useIncidents } from '../state/incidents.mjs';
import { setNotice } from '../state/notice.mjs';
import { useMayPlace, useRightsAt } from '../state/rights.mjs';
import { boardById, useBoard, useOrder } from '../state/store.mjs';
import { faultText } from '../words/faults.mjs';
import { ageText } from '../words/incidents.mjs';
import { say } from '../words/language.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Icon } from '../parts/icon.mjs';
import { useSeconds } from '../parts/seconds.mjs';
import { Resume } from '../board/resume.mjs';
import { Lies } from '../board/lies.mjs';
import { differsOf } from '../board/marks.mjs';
import { ToRecord } from '../parts/torecord.mjs';

/** So often it is asked whether games are played that are not their table's, and where boards are connected. */
const STRANGERS_MS = 5_000;
/** The highest number of a table. */
const MOST_TABLES = 65_535;

export function Boards() {
  const { told: tables } = useEventFile('api/tables', STRANGERS_MS);
  const { told } = useEventFile('api/ports', STRANGERS_MS);
  // What was just changed stands there at once.
  const [changed, setChanged] = useState(/** @type {BoardPort[] | null} */ (null));
  useEffect(() => setChanged(null), [told]);
  const ports = /** @type {BoardPort[]} */ (changed ?? told ?? []);
  const onPorts = (/** @type {any} */ now) => { if (Array.isArray(now)) setChanged(now); };
  const ids = [...useOrder()].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  const seats = /** @type {HallTable[]} */ (tables ?? []);
  return html`
    <div class="map-head"><a class="back" href=${toMap()}><${Icon} name="back" /> ${say('map.title')}</a><h1>${say('boards.title')}</h1></div>
    <ul class="devices">${ids.map((id) => html`<${One} key=${id} id=${id} seats=${seats} port=${ports.find(({ board }) => board === id)} onPorts=${onPorts} />`)}</ul>
    <p class="hint">${say('boards.hint')}</p>
  `;
}

/** @param {{ id: string, seats: HallTable[], port?: BoardPort, onPorts: (now: any) => void }} props */
function One({ id, seats, port, onPorts }) {
  const board = useBoard(id);
  const [open, setOpen] = useState(false);
  const mayPlace = useMayPlace();
  const mayTurn = useRightsAt(id)?.rules;
  if (!board) return null;
  const { table, stranger, stopped } = seats.find((seat) => seat.board === id) ?? {};
  return html`
    <li class=${`device${board.fault || !board.connected ? ' faulty' : ''}`} data-board=${id}>
      <div class=${`device-picture${board.connected ? '' : ' past'}`}><${Reading} board=${board} />${!board.connected && board.reading && html`<${Past} id=${id} />`}</div>
      <div>
        <h2><a href=${toBoard(id)}>${id}</a>${board.name && board.name !== id ? ` · ${board.name}` : ''} <span class="count-of">${table ? say('incident.table', { n: table }) : say('boards.nowhere')}</span></h2>
        <p>${board.fault || !board.connected ? html`<${Icon} name="unplugged" /> ` : ''}${faultText(board.faults) || say(board.connected ? 'sensors.connected' : 'sensors.not-connected')}</p>
        <p class="hint">${[port?.port, port?.kind, board.serial, board.firmware, board.sensor && say(`sensors.${board.sensor}`), board.turned ? say('lies.turned', { turned: board.turned }) : ''].filter(Boolean).join(' · ')}</p>
        ${stranger && html`<p><${Icon} name="doubt" /> <${ToRecord} to=${toGame(stranger)}>${say('grid.stranger')}<//> ${say('boards.stranger')}</p>`}
        ${stopped && html`<p><${Icon} name="pause" /> ${say('boards.stopped')} ${mayTurn && html`<${Resume} board=${board} />`}</p>`}
        ${board.note && html`<p class="hint">${board.note}</p>`}
        ${(mayPlace || mayTurn) && html`<details class="more" onToggle=${(/** @type {Event & { currentTarget: HTMLDetailsElement }} */ event) => setOpen(event.currentTarget.open)}>
          <summary>${say('boards.change')}</summary>
          ${open && mayPlace && html`<${Place} id=${id} table=${table} seats=${seats} /><${Line} id=${id} port=${port} onPorts=${onPorts} />`}
          ${open && mayTurn && html`<${Lies} board=${board} />`}
          ${open && mayPlace && board.analogue && html`<${Zero} id=${id} />`}
        </details>`}
      </div>
    </li>
  `;
}

/** What a board that is away read last, and how old that is: it went when its fault began. @param {{ id: string }} props */
function Past({ id }) {
  useSeconds();
  const fault = useIncidents().find(({ kind, board }) => kind === 'fault' && board === id);
  return html`<p class="hint">${fault ? say('boards.past', { age: ageText(now() - fault.since) }) : say('boards.past-unknown')}</p>`;
}

/** @param {{ id: string, table?: number, seats: HallTable[] }} props */
function Place({ id, table, seats }) {
  /** @param {FormEvent} event */
  const bind = async (event) => {
    event.preventDefault();
    const to = Number(new FormData(event.currentTarget).get('table'));
    if (!Number.isInteger(to) || to < 1 || to > MOST_TABLES) {
      setNotice({ kind: 'refused', text: say('boards.no-table') });
      return;
    }
    const taken = seats.find((seat) => seat.table === to && seat.board && seat.board !== id);
    if (taken?.board && [id, taken.board].some(isPlayedOn) && !(await askSwap(table ?? to, to))) return;
    if (taken && table) actOn(`api/tables/${table}/swap`, { with: to }, say('done.swapped', { a: table, b: to }));
    else actOn(`api/tables/${to}/bind`, { board: id }, say('done.bound', { board: id, n: to }));
  };
  return html`
    <form class="inline" onSubmit=${bind} noValidate>
      <label>${say('boards.table')} <input name="table" type="number" min="1" max=${MOST_TABLES} required defaultValue=${table} /></label>
      <button>${say('boards.put')}</button>
      ${table && html`<button type="button" class="quiet" onClick=${() => actOn(`api/tables/${table}/unbind`, {}, say('done.unbound', { n: table }))}>${say('boards.take')}</button>`}
    </form>
    <p class="hint">${say('boards.swap-hint')}</p>
  `;
}

/** @param {string} id */
const isPlayedOn = (id) => {
  const board = boardById(id);
  return Boolean(board?.game) && board?.state !== 'ended';
};

/** @param {number} a @param {number} b */
const askSwap = (a, b) => confirm({ title: say('boards.swap-title', { a, b }), text: say('boards.swap-text'), action: say('boards.swap') });

/** @param {{ id: string, port?: BoardPort, onPorts: (now: any) => void }} props */
function Line({ id, port, onPorts }) {
  if (!port) return null;
  /** @param {FormEvent} event */
  const connect = (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const to = String(form.get('port')).trim();
    const kind = String(form.get('kind') ?? 'auto');
    actOn(`api/ports/${encodeURIComponent(id)}`, { port: to, kind }, say('done.connected', { board: id, port: to })).then(onPorts);
  };
  return html`
    <form class="inline wide" onSubmit=${connect}>
      <label>${say('boards.port')} <input name="port" required defaultValue=${port.port} autocomplete="off" spellcheck=${false} /></label>
      ${port.kind && html`<label>${say('boards.kind')} <select name="kind"><option value=${port.kind}>${port.kind}</option><option value="auto">${say('boards.kind-auto')}</option></select></label>`}
      <button>${say('boards.connect')}</button>
      ${!port.configured && html`<button type="button" class="quiet" onClick=${() => actOn(`api/ports/${encodeURIComponent(id)}/reset`, {}, say('done.reset', { board: id })).then(onPorts)}>${say('boards.reset')}</button>`}
    </form>
  `;
}

/** Sensors that measure take what they read now as their zero. @param {{ id: string }} props */
function Zero({ id }) {
  const calibrate = () => actOn(`api/ports/${encodeURIComponent(id)}/calibrate`, {}, say('done.calibrated', { board: id }));
  return html`
    <p class="inline"><button type="button" onClick=${calibrate}>${say('boards.calibrate')}</button></p>
    <p class="hint">${say('boards.calibrate-hint')}</p>
  `;
}

/** Whether all pieces stand on their own two ranks. @param {string} reading */
const isSetUp = (reading) => [...reading].every((symbol, n) => (symbol === '.') === (n >= 16 && n < 48));

/** What the sensors read now, or read last: discs for light, squares for dark, rings for what only is there; framed where the record has something else. @param {{ board: Shown }} props */
function Reading({ board }) {
  const { reading } = board;
  if (!reading) return html`<p class="hint">${say('boards.unread')}</p>`;
  // Set up for the next game nothing is in a wrong place, whatever the game before ended with.
  const differs = isSetUp(reading) ? [] : differsOf(board);
  const there = [...reading].filter((symbol) => symbol !== '.').length;
  const label = say('boards.reads', { n: there }) + (differs.length ? ` ${say('boards.differs', { squares: differs.join(', ') })}` : '');
  return html`
    <svg class="reading" viewBox="0 0 8 8" role="img" aria-label=${label}>
      ${[...reading].map((symbol, n) => {
        const [x, y] = [n % 8, Math.floor(n / 8)];
        const square = `${'abcdefgh'[x]}${8 - y}`;
        const light = symbol === 'L' || (/[A-Z]/.test(symbol) && symbol !== 'D');
        const dark = symbol === 'D' || /[a-z]/.test(symbol);
        return html`<rect class=${(x + y) % 2 ? 'dark' : 'light'} x=${x} y=${y} width="1" height="1" />
          ${symbol !== '.' && (dark ? html`<rect class="piece dark" x=${x + 0.24} y=${y + 0.24} width="0.52" height="0.52" />` : html`<circle class=${light ? 'piece light' : 'piece'} cx=${x + 0.5} cy=${y + 0.5} r="0.3" />`)}
          ${differs.includes(square) && html`<rect class="differs" x=${x + 0.06} y=${y + 0.06} width="0.88" height="0.88" />`}`;
      })}
    </svg>`;
}
