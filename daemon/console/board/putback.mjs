// @ts-check
// The way back to before a move that is found fault with, where the board shows a result: once that position is ordered the game goes on, and the finding can be upheld.
import { html } from '../app/html.mjs';
import { useConfirmed } from '../state/floor.mjs';
import { say } from '../words/language.mjs';
import { fenBefore, moveNumber } from '../words/pieces.mjs';
import { Icon } from '../parts/icon.mjs';
import { orderRestore } from './restore.mjs';

/** A result that somebody has confirmed is taken back first. @param {{ board: Shown, finding: Finding }} props */
export function PutBack({ board, finding }) {
  const confirmed = useConfirmed(board.game, board.round);
  if (confirmed) return null;
  const number = moveNumber(board, finding.ply).replace(/[.…]+$/, '');
  return html`<button onClick=${() => orderRestore(board, fenBefore(board, finding.ply), say('restore.before', { number }))}><${Icon} name="restore" /> ${say('late.put-back', { number })}</button>`;
}
