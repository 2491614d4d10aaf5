// @ts-check
// Times in words, what both clocks showed, and when: on one sheet a time is written in one way.

import { exactText } from '../floor/sums.mjs';
import { say } from '../words/language.mjs';
import { COLOURS } from '../words/players.mjs';
import { stoppedIn } from './stops.mjs';

/** The time of day, as `09:05:03`. @param {string | number | Date} at */
export const timeOfDay = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** A day as files and events write it, such as `2026/12/03`, as `2026-12-03`. @param {string} day */
export const dayOf = (day) => day.replace(/^(\d{4})[./](\d\d)[./](\d\d)$/, '$1-$2-$3');

/** With its day, which is written as that of the game is. @param {Date} at */
export const momentOf = (at) => `${[at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')}, ${timeOfDay(at)}`;

/** From when to when: the day stands once where it is one. @param {number} since @param {number | null} until @param {string} open what is said where it lasts */
export function spanText(since, until, open) {
  const [from, to] = [since, until].map((at) => (at === null ? open : momentOf(new Date(at))));
  const [day] = from.split(', ');
  return `${from} – ${to.startsWith(`${day}, `) ? to.slice(day.length + 2) : to}`;
}

/** How long a game was stopped between its moves, in words; empty where it was not. @param {{ plies: PlyRecord[] }} view @param {import('./stops.mjs').Stop[]} stops */
export function stoppedText({ plies }, stops) {
  const ms = plies.length > 0 ? stoppedIn(stops, plies[0].at, plies[plies.length - 1].at) : 0;
  return ms > 0 ? say('plot.stopped', { time: spentText(ms) }) : '';
}

/** @param {number | null | undefined} ms */
export function spentText(ms) {
  if (ms === null || ms === undefined) return '';
  const [seconds, minutes] = [Math.round(ms / 1000) % 60, Math.floor(Math.round(ms / 1000) / 60)];
  const [h, m] = [Math.floor(minutes / 60), minutes % 60];
  return `${h ? `${h}:${String(m).padStart(2, '0')}` : m}:${String(seconds).padStart(2, '0')}`;
}

/**
 * What the clock of each player showed after his moves.
 * @param {{ plies: PlyRecord[], start_fen: string }} view
 */
export function clocksOf({ plies, start_fen: start }) {
  const first = start.split(' ')[1] === 'b' ? 1 : 0;
  /** @param {number} side */
  const of = (side) => plies.flatMap((ply, n) => ((n + first) % 2 === side && ply.clock_ms !== null ? [{ ply: n + 1, ms: ply.clock_ms }] : []));
  return { white: of(0), black: of(1) };
}

/**
 * What both clocks showed when something was found, in words: at the press that it rests on, else at the last ones before. `unknown` where no clock told.
 * @param {{ plies: PlyRecord[], start_fen: string }} view
 * @param {Finding} finding
 */
export function clocksText(view, { ply, evidence }) {
  const press = /** @type {LineOf<'press'> | undefined} */ (evidence.findLast((line) => line.event === 'press' && typeof line.white_ms === 'number'));
  const before = clocksOf({ ...view, plies: view.plies.slice(0, Math.max(0, ply - 1)) });
  const told = COLOURS.map((by) => ({ by, ms: press ? press[`${by}_ms`] ?? null : before[by].at(-1)?.ms ?? null }));
  if (told.every(({ ms }) => ms === null)) return say('record.no-clocks');
  const clocks = told.map(({ by, ms }) => say('penalty.clock', { by, time: ms === null ? say('record.unknown') : exactText(ms) })).join(', ');
  return say(press ? 'record.clocks' : 'record.clocks-before', { clocks });
}

/**
 * The time of day at which something was found; null where that is not known.
 * @param {GameDocument} game
 * @param {Finding} finding
 */
export function dayTimeOf({ found }, { id }) {
  const made = found.find((one) => one.id === id);
  return made ? timeOfDay(made.wall) : null;
}
