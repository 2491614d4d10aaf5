// @ts-check
// The WebSocket to the daemon: connects, notices silence, and connects again with back-off.
import { link, setLink } from './link.mjs';
import { mayStay } from './me.mjs';
import { applyRuling, applyUpdate, keepBoards } from './store.mjs';
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

export function startLive() {
  connect();
  setInterval(checkSilence, 1_000);
  addEventListener('online', reconnectNow);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && reconnectNow());
}

function reconnectNow() {
  if (link.status === 'live' || socket?.readyState === WebSocket.CONNECTING) return;
  clearTimeout(retryTimer);
  connect();
}

function connect() {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  socket = new WebSocket(`${scheme}://${location.host}/api/live`);
  socket.onmessage = (message) => receive(JSON.parse(message.data));
  socket.onclose = lost;
}

/** @param {Message} message */
function receive(message) {
  link.heardAt = performance.now();
  retryMs = FIRST_RETRY_MS;
  if ('hall' in message) {
    setEventLanguage(message.hall.language ?? null);
    keepBoards(message.hall.boards);
    setLink({ status: 'live', version: message.hall.version, ahead: message.hall.now - Date.now() });
  } else if ('update' in message) {
    if (!applyUpdate(message)) socket?.close();
  } else if ('ruling' in message) {
    applyRuling(message);
  }
}

function lost() {
  if (link.status !== 'lost') setLink({ status: 'lost' });
  mayStay();
  clearTimeout(retryTimer);
  retryTimer = setTimeout(connect, retryMs * (0.75 + Math.random() / 2));
  retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
}

function checkSilence() {
  if (link.status === 'live' && performance.now() - link.heardAt > SILENCE_MS) {
    if (socket) {
      socket.onclose = null;
      socket.close();
    }
    lost();
  }
}
