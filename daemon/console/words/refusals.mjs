// @ts-check
// Why something was refused, in the reader's language: the daemon says which reason it is and what stands in its sentence.
import { eventText } from './evidence.mjs';
import { codeTitle, resultText } from './findings.mjs';
import { capital, has, say } from './language.mjs';
import { placeText } from './oddities.mjs';

/** What waits instead, as an order's refusal names it. */
const LISTS = ['findings', 'plies', 'orders'];
const MATTERS = ['restore', 'result', 'paused'];

/**
 * What a refused request was answered, for who reads it.
 * @param {Partial<Problem> | null} told
 * @param {number} [status] of an answer that says nothing
 */
export function refusalText(told, status = 0) {
  const { error = say('notice.status', { status }), why } = told ?? {};
  if (!why) return error;
  const kind = why.kind === 'ruled-already' ? `ruled-${why.with?.ruling}` : why.kind;
  const key = `refused.${kind}`;
  // Of a newer daemon.
  if (!has(key)) return error;
  // The number that a finding has says nothing to people.
  const text = say(kind === 'order-decided' && why.with?.code ? 'decided.finding' : key, placesOf(why));
  return kind.startsWith('order-') ? `${capital(text)}. ${openText(why)}` : text;
}

/**
 * The same where it stands alone.
 * @param {Partial<Problem> | null} told
 * @param {number} [status]
 */
export const refusalSentence = (told, status) => capital(refusalText(told, status));

/**
 * What a refused request was answered, a line for each place in its file that cannot be used.
 * @param {Problem} told
 * @param {number} status
 * @returns {string[]}
 */
export function refusalLines(told, status) {
  if (!told.faults?.length) return [refusalSentence(told, status)];
  // What cannot be done, though it can be read, says why once, and the line that asks for it.
  return told.faults.map((fault) => (told.why ? placeText(fault, refusalText(told, status)) : placeText(fault)));
}

/** @param {Reason} reason @returns {Record<string, string>} */
function placesOf({ with: told = {} }) {
  const { other, role, code, ...places } = told;
  return { ...places, ...(places.result && { result: resultText(places.result) }), ...(code && { title: codeTitle(/** @type {Code} */ (code)) }), ...(role && { role: say(/** @type {Word} */ (`role.${role}`)) }), ...(places.tables && { tables: places.tables.replace('-', '–') }), who: places.who ?? say('refused.somebody'), 'other-player': other ?? '', ...(places.seconds && { minutes: (Number(places.seconds) / 60).toLocaleString(document.documentElement.lang) }), ...(places.order && { what: orderText(places.order) }) };
}

/** @param {string} order as JSON */
function orderText(order) {
  try {
    return eventText(JSON.parse(order));
  } catch {
    return order;
  }
}

/** What is open instead. @param {Reason} reason */
function openText({ with: told = {} }) {
  const lists = LISTS.filter((name) => told[name]).map((name) => say(/** @type {Word} */ (`refused.open-${name}`), { list: listText(told[name]), n: told[name].split(' ').length }));
  const matters = MATTERS.filter((name) => told[name]).map((name) => say(/** @type {Word} */ (`refused.open-${name}`)));
  return [...lists, ...matters].join(' ') || say('refused.open-nothing');
}

/** @param {string} names */
const listText = (names) => new Intl.ListFormat(document.documentElement.lang).format(names.split(' '));

/**
 * The same of a ruling that says that an order was refused.
 * @param {RulingOf<'refused'>} ruling
 * @param {Finding[]} findings of its game
 */
export function refusedOrder({ text, why, about, open }, findings) {
  const meant = why === 'decided' ? findings.find(({ id }) => String(id) === about) : undefined;
  /** @type {Record<string, string>} */
  const told = { about, ...(meant && { code: meant.code }) };
  for (const name of LISTS) {
    const list = /** @type {Record<string, string[] | undefined>} */ (/** @type {unknown} */ (open))[name];
    if (list) told[name] = list.join(' ');
  }
  for (const name of MATTERS) if (/** @type {Record<string, unknown>} */ (/** @type {unknown} */ (open))[name]) told[name] = 'yes';
  return refusalText({ error: text, why: { kind: `order-${why}`, with: told } });
}
