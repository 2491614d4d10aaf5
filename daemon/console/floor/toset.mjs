// @ts-check
// What both clocks of a game are to show, until somebody says that they do.
import { html } from '../app/html.mjs';
import { notify, useTopic } from '../state/topics.mjs';
import { keptText } from '../words/kept.mjs';
import { say, useLanguage } from '../words/language.mjs';
import { Icon } from '../parts/icon.mjs';

const KEPT = 'arbiter-to-be-set';

/** By game; also when the page is loaded again. @type {Map<string, import('../words/kept.mjs').Kept>} */
const toBeSet = new Map(stored());

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? '[]');
  } catch {
    return [];
  }
}

/**
 * @param {string} game
 * @param {import('../words/kept.mjs').Kept | null} text null once they do
 */
export function keepToBeSet(game, text) {
  if (text) toBeSet.set(game, text);
  else toBeSet.delete(game);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify([...toBeSet]));
  } catch {
    // Without a store it is said as long as the page lives.
  }
  notify(`to-be-set:${game}`);
}

/** @param {{ game: string }} props */
export function ToBeSet({ game }) {
  useTopic(`to-be-set:${game}`);
  useLanguage();
  const told = toBeSet.get(game);
  return told && html`<div class="need-panel set-clocks" role="status"><p>${keptText(told)}</p>
    <button onClick=${() => keepToBeSet(game, null)}><${Icon} name="check" /> ${say('step.clocks-set')}</button></div>`;
}
