// What the console says, in one language. The words stand in one table a language: `en.mjs`, `fr.mjs`.
import { notify, useTopic } from '../state/topics.mjs';
import en from './en.mjs';
import fr from './fr.mjs';

const TABLES = { en, fr };
const KEPT = 'arbiter-language';
/** Languages: tag, and what they call themselves. */
export const LANGUAGES = [['en', 'English'], ['fr', 'Français']];

let ofEvent = null;
let chosen = kept();
let language = 'en';
choose();

/** The arbiter's own choice goes before the event's, the event's before the browser's. */
function choose() {
  const wishes = [chosen, ofEvent, ...(globalThis.navigator?.languages ?? []).map((tag) => tag.slice(0, 2)), 'en'];
  language = wishes.find((wish) => Object.hasOwn(TABLES, wish ?? ''));
  if (globalThis.document) document.documentElement.lang = language;
  notify('language');
}

function kept() {
  try {
    return globalThis.localStorage?.getItem(KEPT) ?? null;
  } catch {
    return null;
  }
}

/** The language of the event, as the daemon tells it; null when it has chosen none. */
export function setEventLanguage(event) {
  if (event === ofEvent) return;
  ofEvent = event;
  choose();
}

/** The arbiter's own choice, kept in this browser. */
export function setLanguage(wish) {
  chosen = wish;
  try {
    localStorage.setItem(KEPT, wish);
  } catch {
    // Without a store the choice lasts as long as the page.
  }
  choose();
}

export function useLanguage() {
  useTopic('language');
  return language;
}

/**
 * The words for `key`, with `{places}` filled in. Words may be a pair for one and for more: `places.n` decides.
 * `by` and `other` are colours; their places are `{by}`, `{By}`, `{to-by}` and `{of-by}`.
 */
export function say(key, places = {}) {
  const words = TABLES[language][key] ?? key;
  const phrase = Array.isArray(words) ? words[isOne(places.n) ? 0 : 1] : words;
  return typeset(phrase.replace(/\{([a-z-]+)\}/gi, (whole, name) => place(name, places) ?? whole));
}

/** Whether there are words for `key`. */
export const has = (key) => Object.hasOwn(TABLES[language], key);

const isOne = (n) => (language === 'fr' ? Math.abs(n) < 2 : n === 1);

function place(name, places) {
  const player = /^(to-|of-)?(by|other)$/i.exec(name);
  if (!player || !(player[2].toLowerCase() in places)) return places[name];
  const words = TABLES[language][`player.${player[1] ?? ''}${places[player[2].toLowerCase()]}`];
  return player[2][0] === player[2][0].toUpperCase() ? capital(words) : words;
}

export const capital = (text) => text[0].toUpperCase() + text.slice(1);

// French spaces before high signs and inside guillemets do not break.
function typeset(text) {
  return language === 'fr' ? text.replace(/ ([:;!?»])/g, '\u00a0$1').replaceAll('« ', '«\u00a0') : text;
}
