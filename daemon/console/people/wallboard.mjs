// @ts-check
// One board on a wall.
import { html } from '../app/html.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { clockText } from '../state/clock.mjs';
import { capital, say } from '../words/language.mjs';
import { localSan, shownSquares } from '../words/pieces.mjs';
import { boardAndTable, boardPlace, tableOf } from '../words/place.mjs';
import { resultText } from '../words/findings.mjs';

/** @param {{ id: string, board: any }} props */
export function WallBoard({ id, board }) {
  // The round has begun, and the game before is at hand yet.
  if (board.next) return html`<${Next} id=${id} board=${board} next=${board.next} />`;
  const { last } = board;
  // A loss that is only proposed is a matter of the arbiter's, also where nobody has to log in.
  const result = board.result?.proposed ? null : board.result?.result;
  return html`
    <figure>
      <${Chessboard} fen=${board.fen} lastMove=${last && shownSquares(last)} label=${positionOf(id, board)} />
      <figcaption>
        ${/** @type {Colour[]} */ (['white', 'black']).map((colour) => html`<span class="players"><i class=${`stone ${colour}`} aria-hidden="true"></i> <b>${board[colour] || capital(say(`player.${colour}`))}</b>
          <span class="time">${typeof board[`${colour}_ms`] === 'number' ? clockText(board[`${colour}_ms`]) : ''}</span></span>`)}
        <span class="last">${boardAndTable(board.name || id, board)} · ${result ? resultText(result) : last ? html`<i class=${`stone ${mover(board)}`} aria-hidden="true"></i> ${localSan(last.san)}` : begins(board)}</span>
      </figcaption>
    </figure>
  `;
}

const INITIAL = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** Who is to play here now: nothing is known of their game. @param {{ id: string, board: any, next: NextOnBoard }} props */
function Next({ id, board, next }) {
  return html`
    <figure class="not-begun">
      <${Chessboard} fen=${next.start ?? INITIAL} label=${positionOf(id, next)} />
      <figcaption>
        ${/** @type {Colour[]} */ (['white', 'black']).map((colour) => html`<span class="players"><i class=${`stone ${colour}`} aria-hidden="true"></i> <b>${next[colour] || capital(say(`player.${colour}`))}</b></span>`)}
        <span class="last">${boardAndTable(board.name || id, next)} · ${begins(next)}</span>
      </figcaption>
    </figure>
  `;
}

/** @param {string} id @param {{ round: string }} of */
const positionOf = (id, { round }) => say('card.position', { place: boardPlace({ id, round }) });

/** Nothing was played yet; of a game of a round that is named. @param {{ round: string }} of */
const begins = (of) => (tableOf(of) === null ? say('moves.none') : say('wall.waits', { n: Number(of.round.split('.')[0]) }));

/** Who made the last move; its number is nobody's business here (Article 12.6). @param {any} board */
const mover = ({ ply, start_fen: start }) => ((ply + (start?.split(' ')[1] === 'b' ? 1 : 0)) % 2 === 1 ? 'white' : 'black');
