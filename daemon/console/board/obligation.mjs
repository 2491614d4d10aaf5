// What the touches oblige a player to, in words. No accusation: nothing has been broken yet.
import { html } from '../app/html.mjs';
import { Icon } from '../parts/icon.mjs';
import { capital, pieceAt, pieceName } from '../words/pieces.mjs';
import { MoveGroups } from './movegroups.mjs';

export function Obligation({ board }) {
  if (!board.obligation) return null;
  const { by, article, moves } = board.obligation;
  return html`
    <section class="panel obligation" aria-label="Obligation">
      <h2><${Icon} name="hand" /> ${capital(by)} ${dutyText(board.fen, moves)}</h2>
      <p class="sub">Article ${article}</p>
      <${MoveGroups} fen=${board.fen} moves=${moves} />
    </section>
  `;
}

function dutyText(fen, moves) {
  const from = [...new Set(moves.map((uci) => uci.slice(0, 2)))];
  const to = [...new Set(moves.map((uci) => uci.slice(2, 4)))];
  const mover = pieceAt(fen, from[0]);
  const victim = to.length === 1 ? pieceAt(fen, to[0]) : null;
  if (moves.length === 0) return 'is free to move';
  if (victim) return `must take the ${pieceName(victim)} on ${to[0]}`;
  if (from.length === 1 && mover) return `must move the ${pieceName(mover)} on ${from[0]}`;
  return `has ${moves.length} moves left`;
}
