// @ts-check
// What the console says, in one language. The words stand in one table a language: `en.mjs`, `fr.mjs`, with parts beside it.
import { notify, useTopic } from '../state/topics.mjs';
import de from './de.mjs';
import en from './en.mjs';
import fr from './fr.mjs';

/** A table for each language that rulings may be in. @type {Record<Language, Words>} */
const TABLES = { en, fr, de };
const KEPT = 'arbiter-language';
/** Languages: tag, and what they call themselves. */
export const LANGUAGES = Object.entries(TABLES).map(([tag, words]) => [tag, String(words.language)]);

/** @type {string | null} */
let ofEvent = null;
let chosen = kept();
let language = /** @type {Language} */ ('en');
let plural = new Intl.PluralRules('en');
choose();

/** The arbiter's own choice goes before the event's, the event's before the browser's. */
function choose() {
  const wishes = [chosen, ofEvent, ...(globalThis.navigator?.languages ?? []).map((tag) => tag.slice(0, 2)), 'en'];
  language = /** @type {Language} */ (wishes.find((wish) => Object.hasOwn(TABLES, wish ?? '')));
  plural = new Intl.PluralRules(language);
  if (globalThis.document) document.documentElement.lang = language;
  notify('language');
}

/** The language in which the daemon says what is found. */
export const eventLanguage = () => ofEvent ?? 'en';

function kept() {
  try {
    return globalThis.localStorage?.getItem(KEPT) ?? null;
  } catch {
    return null;
  }
}

/**
 * The language of the event, as the daemon tells it; null when it has chosen none.
 * @param {string | null} event
 */
export function setEventLanguage(event) {
  if (event === ofEvent) return;
  ofEvent = event;
  choose();
}

/**
 * The arbiter's own choice, kept in this browser.
 * @param {string} wish
 */
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
 * @param {Word} key
 * @param {Places} [places]
 */
export function say(key, places = {}) {
  const words = TABLES[language][key] ?? key;
  const phrase = Array.isArray(words) ? words[plural.select(places.n ?? 0) === 'one' ? 0 : 1] : words;
  return typeset(phrase.replace(/\{([a-z-]+)\}/gi, (whole, name) => String(place(name, places) ?? whole)));
}

/**
 * The words for `key` in every language: what was written down in another one is known by them.
 * @param {Word} key
 */
export const inEvery = (key) => Object.values(TABLES).map((words) => String(words[key]));

/**
 * Whether there are words for `key`.
 * @param {string} key
 * @returns {key is Word}
 */
export const has = (key) => Object.hasOwn(TABLES[language], key);

/**
 * @param {string} name
 * @param {Places} places
 */
function place(name, places) {
  const player = /^(to-|of-)?(by|other)$/i.exec(name);
  if (!player || !(player[2].toLowerCase() in places)) return places[name];
  const word = `player.${player[1] ?? ''}${places[player[2].toLowerCase()]}`;
  // `other` is a colour, or another line of a file.
  if (!has(word)) return places[name];
  const words = String(TABLES[language][word]);
  return player[2][0] === player[2][0].toUpperCase() ? capital(words) : words;
}

/** @param {string} text */
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/**
 * What is said of something: `Table 2: Illegal move`.
 * @param {string} title
 * @param {string} text
 */
export const titled = (title, text) => say('titled', { title, text });

// French spaces before high signs and inside guillemets do not break.
/** @param {string} text */
function typeset(text) {
  return language === 'fr' ? text.replace(/ ([:;!?»])/g, '\u00a0$1').replaceAll('« ', '«\u00a0') : text;
}
