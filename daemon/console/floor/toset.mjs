// @ts-check
// What both clocks of a game are to show, until somebody says that they do. A penalty that is taken back takes that with it, or is taken off the clocks again.
import { useEffect } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { addText } from '../state/clock.mjs';
import { notify, useTopic } from '../state/topics.mjs';
import { keptText } from '../words/kept.mjs';
import { say, useLanguage } from '../words/language.mjs';
import { Icon } from '../parts/icon.mjs';

const KEPT = 'arbiter-to-be-set';
/** So long the event may be told as it was before a penalty. */
const TOLD_MS = 5_000;

/** @typedef {import('../words/kept.mjs').Kept} Kept */
/** A penalty by which clocks are set, by when it was noted; `since`: when that was answered here, `known`: the event has told of it since. @typedef {{ player: number, at: string, since: number, known?: boolean }} Of */
/**
 * `set`: somebody has said so; `back`: the same is taken off again; `of`: for which penalty, where it is one; `within`: it is taken off the sum for that one, once that is set.
 * @typedef {{ text: Kept, set?: boolean, back?: Kept, of?: Of, within?: Of }} Item
 */

/** By game; also when the page is loaded again. @type {Map<string, Item[]>} */
const toBeSet = new Map(stored());

/** @returns {[string, Item[]][]} */
function stored() {
  try {
    const all = JSON.parse(sessionStorage.getItem(KEPT) ?? '[]');
    return all.filter((/** @type {[string, unknown]} */ [, items]) => Array.isArray(items) && items.every((item) => item?.text));
  } catch {
    return [];
  }
}

/** @param {string} game @param {Item[]} items */
function keep(game, items) {
  if (items.length > 0) toBeSet.set(game, items);
  else toBeSet.delete(game);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([...toBeSet]));
  } catch {
    // Without a store it is said as long as the page lives.
  }
  notify(`to-be-set:${game}`);
}

/** @param {string} game */
const itemsOf = (game) => toBeSet.get(game) ?? [];

/**
 * What stands there counts with what was given before.
 * @param {string} game
 * @param {Kept} text
 */
export const keepToBeSet = (game, text) => keep(game, [...itemsOf(game), { text }]);

/**
 * The same of a penalty of time, as the event has it since.
 * @param {string} game
 * @param {Kept} text
 * @param {EventDocument['penalties'][number]} penalty
 * @param {Colour} offender
 */
export function keepPenaltyToBeSet(game, text, { player, at, time }, offender) {
  const by = time?.of === 'opponent' ? { white: 'black', black: 'white' }[offender] : offender;
  const ms = (time?.seconds ?? 0) * 1_000;
  const add = time?.of === 'opponent' ? addText(ms).replace('+', '−') : addText(ms);
  keep(game, [...itemsOf(game), { text, ...(at && time && { of: { player, at, since: Date.now() }, back: ['back.penalty', { by, add }] }) }]);
}

/** @param {string} game */
const sayThatSet = (game) => keep(game, itemsOf(game).filter(({ of }) => of).map((item) => ({ ...item, set: true })));

/** @param {Of} one @param {Of | undefined} other */
const isOne = (one, other) => one.player === other?.player && one.at === other.at;

/**
 * Penalties that are there no more: what was not set yet need not be; what was, or what a later sum counts in, is taken off again.
 * @param {string} game
 * @param {EventDocument['penalties']} noted
 */
function forgetTakenBack(game, noted) {
  const isNoted = (/** @type {Of} */ of) => noted.some(({ player, at }) => player === of.player && at === of.at);
  const before = itemsOf(game);
  const items = before.map((item) => (item.of && !item.of.known && isNoted(item.of) ? { ...item, of: { ...item.of, known: true } } : item));
  const isGone = (/** @type {Item} */ { of }) => Boolean(of && !isNoted(of) && (of.known || Date.now() - of.since > TOLD_MS));
  if (items.every((item, n) => item === before[n] && !isGone(item))) return;
  const last = items.findLast(({ set, back, of }) => !set && (of || !back));
  // Nobody has set what that sum says, nor what it counts in.
  const isUnset = last !== undefined && isGone(last);
  keep(game, items.flatMap((item) => {
    if (item.within) return isUnset && isOne(item.within, last.of) ? [] : [item];
    if (!isGone(item)) return [item];
    if (item === last || !item.back || (isUnset && !item.set)) return [];
    return [{ text: item.back, back: item.back, ...(!item.set && last?.of && { within: last.of }) }];
  }));
}

/** What is to be done now: the latest sum, in which those before it are, and what is taken off again. @param {Item[]} items */
function shownOf(items) {
  const waits = items.filter(({ set }) => !set);
  const isBack = (/** @type {Item} */ { back, of }) => Boolean(back && !of);
  const sum = waits.findLast((item) => !isBack(item));
  return waits.filter((item) => item === sum || isBack(item));
}

/** `noted`: all penalties of the event, where they are known. @param {{ game: string, noted?: EventDocument['penalties'] }} props */
export function ToBeSet({ game, noted }) {
  useTopic(`to-be-set:${game}`);
  useLanguage();
  useEffect(() => { if (noted) forgetTakenBack(game, noted); }, [game, noted]);
  const shown = shownOf(itemsOf(game));
  if (shown.length === 0) return null;
  return html`<div class="need-panel set-clocks" role="status">${shown.map(({ text }) => html`<p>${keptText(text)}</p>`)}
    <button onClick=${() => sayThatSet(game)}><${Icon} name="check" /> ${say('step.clocks-set')}</button></div>`;
}
