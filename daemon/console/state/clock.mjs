// @ts-check
// Clocks tick here between two reports of the board's own clock.
import { useEffect, useReducer } from 'preact/hooks';
import { link } from './link.mjs';

const STOPPED = new Set(['ended', 'paused', 'waiting']);
/** Below this tenths are shown. */
const TENTHS_MS = 20_000;
const TICK_MS = 200;
const TICKS_A_SECOND = 1_000 / TICK_MS;
/** What ticks, and whether once a second is enough. @type {Map<() => void, boolean>} */
const tickers = new Map();
let ticks = 0;

// Clocks of many boards tick together, so that the page is drawn once a second for all of them.
setInterval(() => {
  ticks += 1;
  tickers.forEach((coarse, tick) => (!coarse || ticks % TICKS_A_SECOND === 0) && tick());
}, TICK_MS);

/**
 * Keeps the moment at which the running clock began to run: a later state must not start it again. It is the daemon's word, so that every page shows
 * the same, whenever it was opened.
 * @param {Board} board
 * @param {Shown | undefined} before
 */
export function anchorClocks(board, before) {
  const report = `${board.clock_told}/${board.game}`;
  if (before?.clocks.report === report) return before.clocks;
  const age = board.clock_told ? Math.max(0, Date.now() + link.ahead - board.clock_told) : 0;
  return { report, at: performance.now() - age };
}

/**
 * Of a board that is away nobody knows whether its clock runs: it stays at what was told last.
 * @param {Shown} board
 * @param {Colour} colour
 */
const hasTheClock = (board, colour) => board.connected && board.running?.[0] === colour[0];

/**
 * The moment from which the clock stands: it was stopped by hand, the game is paused or has ended; null while it runs, or nobody has told.
 * @param {Shown} board
 */
const stoodAt = (board) => board.clock_stands && board.clocks.at + Math.max(0, board.clock_stands - (board.clock_told ?? board.clock_stands));

/**
 * Whether a clock ticks on the screen: not while the connection is lost, for then nobody knows.
 * @param {Shown} board
 * @param {Colour} colour
 */
export const isRunning = (board, colour) => hasTheClock(board, colour) && !STOPPED.has(board.state) && link.status === 'live' && !board.clock_stands;

/**
 * Remaining milliseconds of `colour` now; null where no clock tells.
 * @param {Shown} board
 * @param {Colour} colour
 */
export function remaining(board, colour) {
  const reported = board[`${colour}_ms`];
  if (reported === null || reported === undefined) return null;
  const now = stoodAt(board) ?? (link.status === 'live' ? performance.now() : link.heardAt);
  // Of a game that stands nobody may have told since when.
  const isKnown = board.clock_stands || !STOPPED.has(board.state);
  const passed = hasTheClock(board, colour) && isKnown ? now - board.clocks.at : 0;
  return Math.max(0, reported - Math.max(0, passed));
}

/**
 * Renders the caller five times a second while `active`; once a second where that is enough and no tenths are shown.
 * @param {boolean} active
 * @param {boolean} coarse
 * @param {number | null} left milliseconds
 */
export function useTick(active, coarse, left) {
  const slow = coarse && (left ?? 0) > TENTHS_MS + 1_000;
  const [, refresh] = useReducer((/** @type {number} */ n) => n + 1, 0);
  useEffect(() => {
    if (!active) return undefined;
    const tick = () => refresh(undefined);
    tickers.set(tick, slow);
    return () => { tickers.delete(tick); };
  }, [active, slow]);
}

/**
 * 1:05:09, 5:09, and tenths below twenty seconds.
 * @param {number | null} ms
 */
export function clockText(ms) {
  if (ms === null) return '–';
  if (ms < TENTHS_MS) return `0:${(Math.floor(ms / 100) / 10).toFixed(1).padStart(4, '0')}`;
  const total = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const seconds = String(s).padStart(2, '0');
  return h > 0 ? `${h}:${String(m).padStart(2, '0')}:${seconds}` : `${m}:${seconds}`;
}

/** A time that is added, as clocks have it: +2:00. @param {number} ms */
export const addText = (ms) => `+${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;
