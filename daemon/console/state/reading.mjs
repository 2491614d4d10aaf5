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
