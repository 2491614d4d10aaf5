// Players as the configuration names them, or by colour.
import { capital } from './pieces.mjs';

export const playerName = (board, colour) => board[colour] || capital(colour);
