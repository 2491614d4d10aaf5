// @ts-check
// A list of moves, gathered by the piece that makes them.
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { byPiece, pieceName, targetName } from '../words/pieces.mjs';

const MANY = 14;

/** @param {{ fen: string, moves: string[] }} props */
export function MoveGroups({ fen, moves }) {
  if (moves.length === 0) return html`<p class="hint">${say('moves.no-left')}</p>`;
  return html`
    <ul class="move-groups">
      ${byPiece(fen, moves).map(({ from, piece, moves: own }) => html`
        <li><b>${say('moves.from', { piece: piece ? pieceName(piece) : say('piece.any'), square: from })}</b> ${say('moves.to', { moves: own.slice(0, MANY).map((uci) => targetName(fen, uci)).join(', ') })}
          ${own.length > MANY && html`<span class="hint"> ${say('moves.more', { n: own.length - MANY })}</span>`}</li>`)}
    </ul>
  `;
}
