// @ts-check
// What a board reads, square by square.

/**
 * The symbol the sensors read on `square`, from 64 symbols a8..h8 ... h1.
 * @param {string} reading
 * @param {string} square
 */
export function symbolAt(reading, square) {
  return reading[(8 - Number(square[1])) * 8 + square.charCodeAt(0) - 97];
}

/**
 * Whose pieces alone stand otherwise than in the record; null where pieces of both do, or that is not known: such as of a board that is not shown in whole.
 * @param {Pick<Shown, 'differs' | 'reading' | 'fen'>} board
 * @returns {Colour | null}
 */
export function movedBy({ differs, reading, fen }) {
  if (!reading) return null;
  const recorded = recordedIn(fen);
  const colours = differs.flatMap((square) => {
    const [read, was] = [symbolAt(reading, square), symbolAt(recorded, square)];
    // What something was put upon may be missing for that.
    return [read === '.' ? was : read].map(colourOfSymbol);
  });
  const [first, ...others] = colours.filter((colour) => colour !== undefined);
  return first && others.every((colour) => colour === first) ? first : null;
}

/** The 64 squares of a position as a board would read them. @param {string} fen */
export const recordedIn = (fen) => fen.split(' ')[0].replaceAll('/', '').replace(/\d/g, (n) => '.'.repeat(Number(n)));

/** Of a piece, or of a light or dark one where only that is read; undefined where nothing is known. @param {string} symbol @returns {Colour | undefined} */
function colourOfSymbol(symbol) {
  if (symbol === 'L' || symbol === 'D') return symbol === 'L' ? 'white' : 'black';
  if (!/[prnbqk]/i.test(symbol)) return undefined;
  return symbol === symbol.toUpperCase() ? 'white' : 'black';
}

/**
 * On how many squares what is read would differ from the record, if the board lay turned further by so many degrees.
 * @param {Pick<Shown, 'reading' | 'fen'>} board
 * @param {number} further
 */
export function misfitsTurned({ reading, fen }, further) {
  const recorded = recordedIn(fen);
  let read = [...reading ?? ''];
  // By a quarter: on a1 is what is read on h1.
  for (let done = 0; done < further; done += 90) read = read.map((_, n) => read[(7 - (n % 8)) * 8 + Math.floor(n / 8)]);
  return read.filter((symbol, n) => !isRead(symbol, recorded[n])).length;
}

/** Whether a symbol may be what a piece, or none, reads as. @param {string} symbol @param {string} piece */
function isRead(symbol, piece) {
  if (symbol === '.' || piece === '.') return symbol === piece;
  if (symbol === 'L' || symbol === 'D') return colourOfSymbol(symbol) === colourOfSymbol(piece);
  return !/[prnbqk]/i.test(symbol) || symbol === piece;
}
