// @ts-check
// What is wrong with a board, in the reader's language: the daemon says which fault it is and what stands in its sentence.
import { has, say } from './language.mjs';

const SENSORS = ['says', 'expected', 'game'];

/**
 * One line for all that is wrong; empty where nothing is. A daemon older than the page tells none.
 * @param {FaultText[]} [faults]
 */
export const faultText = (faults = []) => faults.map(oneFault).join('; ');

/**
 * The same as a title: what it means for the board, where its whole sentence begins with the path of a device or an address.
 * @param {FaultText[]} [faults]
 */
export const faultTitle = (faults = []) => faults.map(shortFault).join('; ');

/** @param {FaultText} fault */
function shortFault(fault) {
  const key = `fault-title.${fault.kind}`;
  return has(key) ? say(key) : oneFault(fault);
}

/** @param {FaultText} fault */
function oneFault({ kind, with: told = {}, text }) {
  const key = `broken.${kind}`;
  // Of a newer daemon, or of a board that nobody has heard of.
  if (!has(key)) return text;
  /** @type {Record<string, string | number>} */
  const places = { ...told };
  if (told.squares) places.squares = squaresText(told.squares);
  if (told.n) places.n = Number(told.n);
  for (const name of SENSORS) {
    const sensor = `broken.of-${told[name]}`;
    if (has(sensor)) places[name] = say(sensor);
  }
  return say(key, places);
}

/**
 * Squares: a digit is a rank, a letter a file, `*` all of them.
 * @param {string} squares
 */
function squaresText(squares) {
  if (squares === '*') return say('broken.all');
  const names = squares.split(' ').map((name) => {
    if (/^[1-8]$/.test(name)) return say('broken.rank', { name });
    return /^[a-h]$/.test(name) ? say('broken.file', { name }) : name;
  });
  return new Intl.ListFormat(document.documentElement.lang).format(names);
}
