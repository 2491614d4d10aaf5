// @ts-check
// What is to be so before a round starts. The boards tick it.
import { html } from '../app/html.mjs';
import { toBoard } from '../app/route.mjs';
import { clockText } from '../state/clock.mjs';
import { boardById } from '../state/store.mjs';
import { say } from '../words/language.mjs';
import { symbolAt } from '../state/reading.mjs';
import { colourOf, pieceAt } from '../words/pieces.mjs';
import { Icon } from '../parts/icon.mjs';

const ARRAY = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

/** The tables of a round whose boards answer, and on which its pieces do not stand yet. @param {Round} round */
export const notSetUp = ({ pairings, waiting, stage }) => pairings.flatMap(({ table, black, board: id }) => {
  const board = id && black ? boardById(id) : undefined;
  const is = table !== null && (stage === 'drawn' || waiting.includes(table));
  return board?.connected && is && !standsReady(board) ? [Number(table)] : [];
});

/** @param {{ round: Round, details: Details }} props */
export function Checklist({ round, details }) {
  const tables = round.pairings.filter((pairing) => pairing.table !== null && pairing.black);
  const boards = tables.flatMap((pairing) => {
    const board = pairing.board ? boardById(pairing.board) : undefined;
    return board ? [{ table: Number(pairing.table), board }] : [];
  });
  const bare = tables.filter((pairing) => !pairing.board).map((pairing) => Number(pairing.table));
  const base = Number(/^(?:\d+\/)?(\d+)/.exec(details.time_control)?.[1] ?? 0) * 1000;
  const idle = boards.filter(({ board, table }) => round.waiting.includes(table) || !board.game);
  const there = boards.filter(({ board }) => board.connected);
  const clocks = idle.filter(({ board }) => board.white_ms !== null);
  /** @param {(board: Shown) => boolean} is @param {typeof boards} among */
  const not = (is, among = boards) => among.filter(({ board }) => !is(board));
  /** @type {[Word, typeof boards, typeof boards, Places][]} */
  const items = [
    ['check.connected', not((board) => board.connected), boards, {}],
    ['check.sound', not((board) => !board.fault), boards, {}],
    ['check.position', not(standsReady, idle), idle, {}],
    ['check.turned', not((board) => !board.doubts.some((doubt) => doubt.kind === 'board-turned'), there), there, {}],
  ];
  if (base && clocks.length) items.push(['check.clocks', not((board) => board.white_ms === base && board.black_ms === base, clocks), clocks, { time: clockText(base) }]);
  return html`
    <section class="panel" aria-label=${say('check.title')}>
      <h2>${say('check.title')} <span class="count-of">${say('check.by-boards')}</span></h2>
      <ul class="check">
        ${items.filter(([, , among]) => among.length > 0).map(([word, left, among, places]) => html`
          <li class=${left.length ? 'todo' : 'done'}><${Icon} name=${left.length ? 'cross' : 'check'} />
            <div><span class="spoken">${say(left.length ? 'check.open' : 'check.done')}</span>${say(word, places)} <span class="hint">${say('check.of', { n: among.length - left.length, of: among.length })}</span>
              ${left.length > 0 && html`<span class="tables">${left.map(({ table, board }) => html` <a href=${toBoard(board.id)}>${table}</a>`)}</span>`}</div></li>`)}
        ${bare.length > 0 && html`<li class="info"><${Icon} name="pencil" /><div>${say('check.bare', { tables: bare.join(', '), n: bare.length })}</div></li>`}
        ${boards.length === 0 && html`<li class="info"><${Icon} name="pencil" /><div>${say('check.none')}</div></li>`}
      </ul>
    </section>
  `;
}

/**
 * Whether the position from which the game starts stands on the board, as far as its sensors tell.
 * @param {Shown} board
 */
function standsReady(board) {
  if (!board.reading) return false;
  // A game that was played may have begun with a position that was set: no other begins with that.
  const isUntouched = board.game && board.ply === 0 && board.state !== 'ended';
  const fen = board.next?.start || (isUntouched && board.start_fen) || ARRAY;
  for (let n = 0; n < 64; n += 1) {
    const square = `${'abcdefgh'[n % 8]}${8 - Math.floor(n / 8)}`;
    if (!fits(symbolAt(board.reading, square), pieceAt(fen, square))) return false;
  }
  return true;
}

/**
 * @param {string} symbol
 * @param {string | null} piece
 */
function fits(symbol, piece) {
  if (!piece || symbol === '.') return symbol === '.' && !piece;
  if (symbol === '?') return true;
  if (symbol === 'L' || symbol === 'D') return colourOf(piece) === (symbol === 'L' ? 'white' : 'black');
  return symbol === piece;
}
