// @ts-check
// What a person should look at in a file of pairings, in the reader's language.
import { capital, has, say } from './language.mjs';

/** @param {Oddity} oddity */
export const oddityText = (oddity) => (oddity.odd === 'passed-over' ? placeText(oddity) : say(`odd.${oddity.odd}`, placesOf(oddity)));

/**
 * A place in a file, and what is wrong there.
 * @param {FilePlace} fault
 * @param {string} [text] of what is told by itself
 */
export function placeText(fault, text = faultText(fault)) {
  const { line, column, sheet, of_players: isOfPlayers } = fault;
  const where = sheet ? say('odd.row', { sheet, line, column }) : say('odd.line', { line, column });
  return capital(isOfPlayers ? say('odd.of-players', { where, text }) : say('odd.place', { where, text }));
}

/**
 * What is wrong at a place of a file. What a newer daemon tells is English.
 * @param {FilePlace} fault
 */
function faultText({ kind, with: told = {}, text }) {
  const key = `file.${kind}`;
  if (!has(key)) return text;
  /** @type {Record<string, string>} */
  const places = { ...told };
  const [field, kept, what] = [`field.${told.field}`, `kept.${told.kept}`, `file.${told.what}`];
  if (has(field)) places.field = say(field);
  if (has(kept)) places.kept = say(kept);
  if (has(what)) places.what = say(what, places);
  const said = say(key, places);
  // What another program says is in its own words, behind ours.
  return places.detail ? say('odd.detail', { text: said, detail: places.detail }) : said;
}

/**
 * Lists as text, and words for what is not there.
 * @param {Exclude<Oddity, { odd: 'passed-over' }>} oddity
 * @returns {Places}
 */
function placesOf(oddity) {
  const list = new Intl.ListFormat(document.documentElement.lang);
  switch (oddity.odd) {
    case 'absent':
    case 'other-points':
      return { n: oddity.players.length, players: list.format(oddity.players.map(String)) };
    case 'no-match':
      return { n: oddity.tables.length, tables: list.format(oddity.tables.map(String)) };
    case 'other-worth':
      return { n: oddity.rounds.length, rounds: list.format(oddity.rounds.map(String)) };
    case 'same-name':
      return { ...oddity, numbers: list.format(oddity.numbers.map(String)) };
    case 'by-name':
      return { ...oddity, differs: list.format(oddity.differs.map((what) => say(/** @type {Word} */ (`odd.differs-${what}`)))) };
    case 'other-earlier':
      return { ...oddity, stands: oddity.stands ?? say('odd.open') };
    case 'other-bye':
      return { ...oddity, stands: oddity.stands ?? say('odd.none') };
    case 'other-result':
      return { ...oddity, stands: oddity.confirmed ? say('odd.confirmed', { stands: oddity.stands }) : oddity.stands };
    default:
      return oddity;
  }
}
