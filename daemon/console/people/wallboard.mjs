// @ts-check
// One board on a wall.
import { html } from '../app/html.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { clockText } from '../state/clock.mjs';
import { capital, say } from '../words/language.mjs';
import { localSan, shownSquares } from '../words/pieces.mjs';
import { boardAndTable, boardPlace } from '../words/place.mjs';
import { resultText } from '../words/findings.mjs';

/** @param {{ id: string, board: any }} props */
export function WallBoard({ id, board }) {
  const { last } = board;
  // A loss that is only proposed is a matter of the arbiter's, also where nobody has to log in.
  const result = board.result?.proposed ? null : board.result?.result;
  return html`
    <figure>
      <${Chessboard} fen=${board.fen} lastMove=${last && shownSquares(last)} label=${say('card.position', { place: boardPlace({ id, round: board.round }) })} />
      <figcaption>
        ${/** @type {Colour[]} */ (['white', 'black']).map((colour) => html`<span class="players"><i class=${`stone ${colour}`} aria-hidden="true"></i> <b>${board[colour] || capital(say(`player.${colour}`))}</b>
          <span class="time">${typeof board[`${colour}_ms`] === 'number' ? clockText(board[`${colour}_ms`]) : ''}</span></span>`)}
        <span class="last">${boardAndTable(board.name || id, board)} · ${result ? resultText(result) : last ? html`<i class=${`stone ${mover(board)}`} aria-hidden="true"></i> ${localSan(last.san)}` : say('moves.none')}</span>
      </figcaption>
    </figure>
  `;
}

/** Who made the last move; its number is nobody's business here (Article 12.6). @param {any} board */
const mover = ({ ply, start_fen: start }) => ((ply + (start?.split(' ')[1] === 'b' ? 1 : 0)) % 2 === 1 ? 'white' : 'black');
