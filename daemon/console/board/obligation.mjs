// @ts-check
// What the touches oblige a player to, in words. No accusation: nothing has been broken yet.
import { html } from '../app/html.mjs';
import { Icon } from '../parts/icon.mjs';
import { articleText } from '../words/findings.mjs';
import { capital, say } from '../words/language.mjs';
import { pieceAt, thePiece } from '../words/pieces.mjs';
import { obligationOf } from './marks.mjs';
import { MoveGroups } from './movegroups.mjs';

/** @param {{ board: Shown }} props */
export function Obligation({ board }) {
  const obligation = obligationOf(board);
  if (!obligation) return null;
  const { by, moves } = obligation;
  return html`
    <section class="panel obligation" aria-label=${say('obligation')}>
      <h2><${Icon} name="hand" /> ${dutyText(board.fen, by, moves)}</h2>
      <p class="sub">${capital(articleText(obligation))}</p>
      <${MoveGroups} fen=${board.fen} moves=${moves} />
    </section>
  `;
}

/**
 * @param {string} fen
 * @param {Colour} by
 * @param {string[]} moves
 */
function dutyText(fen, by, moves) {
  const from = [...new Set(moves.map((uci) => uci.slice(0, 2)))];
  const to = [...new Set(moves.map((uci) => uci.slice(2, 4)))];
  const mover = pieceAt(fen, from[0]);
  const victim = to.length === 1 ? pieceAt(fen, to[0]) : null;
  if (moves.length === 0) return say('obligation.free', { by });
  if (victim) return say('obligation.take', { by, piece: thePiece(victim), square: to[0] });
  if (from.length === 1 && mover) return say('obligation.move', { by, piece: thePiece(mover), square: from[0] });
  return say('obligation.left', { by, n: moves.length });
}
