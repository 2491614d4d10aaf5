// @ts-check
// The WebSocket to the daemon: connects, notices silence, and connects again with back-off.
import { applyIncident, changeIncident, keepIncidents, settleIncident } from './incidents.mjs';
import { link, setLink, silence } from './link.mjs';
import { mayStay } from './me.mjs';
import { notify, subscribe } from './topics.mjs';
import { applyRuling, applyUpdate, keepBoards } from './store.mjs';
import { wish } from './watch.mjs';
import { setEventLanguage } from '../words/language.mjs';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
// The daemon sends a beat every 5 s; two missing beats are a dead line.
const SILENCE_MS = 12_000;

/** @type {WebSocket | undefined} */
let socket;
let retryMs = FIRST_RETRY_MS;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retryTimer;
/** When a line was last asked for, on the clock of the wall. */
let askedOn = 0;

export function startLive() {
  connect();
  setInterval(checkSilence, 1_000);
  subscribe('watch', () => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(wish())));
  addEventListener('online', wake);
  addEventListener('pageshow', wake);
  document.addEventListener('resume', wake);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake());
}

/** Whoever takes the phone out of the pocket sees at once that what is shown is old, and is not kept waiting for the next attempt. */
function wake() {
  checkSilence();
  const isAsked = socket && socket.readyState <= WebSocket.OPEN && Date.now() - askedOn <= SILENCE_MS;
  if (link.status === 'live' || isAsked) return;
  clearTimeout(retryTimer);
  connect();
}

/** What the line before still says is said of a time that is over. */
function leave() {
  if (!socket) return;
  socket.onopen = socket.onmessage = socket.onclose = null;
  socket.close();
}

function connect() {
  leave();
  askedOn = Date.now();
  // Beside the page: a hub serves the pages of its halls below its own.
  const { rest, watch } = wish();
  const url = new URL(`api/live?${new URLSearchParams({ rest, watch: watch.join(',') })}`, document.baseURI);
  socket = new WebSocket(url.href.replace(/^http/, 'ws'));
  const asked = JSON.stringify({ rest, watch });
  // The page may have changed while the line was opened.
  socket.onopen = () => JSON.stringify(wish()) !== asked && socket?.send(JSON.stringify(wish()));
  socket.onmessage = (message) => receive(JSON.parse(message.data));
  socket.onclose = lost;
}

/** @param {Message} message */
function receive(message) {
  link.heardAt = performance.now();
  link.heardOn = Date.now();
  retryMs = FIRST_RETRY_MS;
  if ('hall' in message) {
    setEventLanguage(message.hall.language ?? null);
    keepBoards(message.hall.boards);
    notify('hall');
    setLink({ status: 'live', version: message.hall.version, ahead: message.hall.now - Date.now(), unseen: message.hall.unseen });
  } else if ('update' in message) {
    if (!applyUpdate(message)) socket?.close();
  } else if ('ruling' in message) {
    applyRuling(message);
  } else if ('event' in message) {
    notify('event', message.event.act);
  } else if ('incidents' in message) {
    keepIncidents(/** @type {Incident[]} */ (message.incidents));
  } else if ('incident' in message) {
    applyIncident(/** @type {Incident} */ (message.incident));
  } else if ('changed' in message) {
    changeIncident(/** @type {Partial<Incident> & { id: string }} */ (/** @type {unknown} */ (message.changed)));
  } else if ('settled' in message) {
    settleIncident(message.settled);
  }
  // First the hall is told, and at once what waits, to whom it is for.
  if (!link.isTold && !('hall' in message)) setLink({ isTold: true });
}

function lost() {
  if (link.status !== 'lost') setLink({ status: 'lost' });
  mayStay();
  clearTimeout(retryTimer);
  retryTimer = setTimeout(connect, retryMs * (0.75 + Math.random() / 2));
  retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
}

function checkSilence() {
  if (link.status !== 'live' || silence() <= SILENCE_MS) return;
  leave();
  lost();
}
