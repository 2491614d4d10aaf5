// Players as the configuration names them, or by colour.
import { capital, say } from './language.mjs';

export const playerName = (board, colour) => board[colour] || capital(say(`player.${colour}`));
