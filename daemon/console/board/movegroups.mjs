// A list of moves, gathered by the piece that makes them.
import { html } from '../app/html.mjs';
import { byPiece, pieceName, targetName } from '../words/pieces.mjs';

const MANY = 14;

export function MoveGroups({ fen, moves }) {
  if (moves.length === 0) return html`<p class="hint">No move is left.</p>`;
  return html`
    <ul class="move-groups">
      ${byPiece(fen, moves).map(({ from, piece, moves: own }) => html`
        <li><b>${piece ? pieceName(piece) : 'piece'} ${from}</b> to ${own.slice(0, MANY).map((uci) => targetName(fen, uci)).join(', ')}
          ${own.length > MANY && html`<span class="hint"> and ${own.length - MANY} more</span>`}</li>`)}
    </ul>
  `;
}
