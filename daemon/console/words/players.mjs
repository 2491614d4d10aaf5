// @ts-check
// Players as the configuration names them, or by colour.
import { capital, say } from './language.mjs';

/** @type {Colour[]} */
export const COLOURS = ['white', 'black'];

/**
 * @param {Shown} board
 * @param {Colour} colour
 */
export const playerName = (board, colour) => board[colour] || capital(say(`player.${colour}`));
