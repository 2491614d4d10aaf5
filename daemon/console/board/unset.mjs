// @ts-check
// Play in the game of a round from pieces that did not stand as at its start: it begins with what the arbiter says stood there, or stands there now.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { useSeatOf } from '../state/floor.mjs';
import { newGame, sendOrder } from '../state/orders.mjs';
import { say } from '../words/language.mjs';
import { boardPlace } from '../words/place.mjs';
import { placementOf, positionText } from '../words/pieces.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { Tag } from '../parts/tag.mjs';
import { PositionEditor, faultIn, tidied } from './editor.mjs';
import { mayStand, rightsOfGame } from './rights.mjs';

/** Where a game of a round begins that has no position of its own. */
const ARRAY = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** What the board reads, with White to move, and castling where kings and rooks stand for it; null where it sees no pieces. @param {Shown} board @param {string} start */
export function readOn(board, start) {
  if (board.sensor !== 'piece' || !board.reading) return null;
  const fen = `${placementOf(board.reading)} w - - 0 1`;
  const rights = rightsOfGame([start, ARRAY]).filter((right) => mayStand(fen, right));
  return fen.replace(' - ', ` ${rights.map(({ letter }) => letter).join('') || '-'} `);
}

/** What is drawn where nobody can tell what stands there. */
export const NO_PIECES = '8/8/8/8/8/8/8/8 w - - 0 1';

/**
 * A board as it is shown while it is not known which game is played there: with what it reads, or what stood there, and who is to play; of the game before nothing.
 * @param {Shown} board
 * @returns {Shown}
 */
export function asUnset(board) {
  const { unset } = board;
  if (!unset) return board;
  const { white, black, round } = unset;
  return {
    ...board, white, black, round, fen: readOn(board, ARRAY) ?? unset.stood ?? NO_PIECES, turn: 'white',
    plies: [], ply: 0, last: null, differs: [], restore: null, state: 'ended', result: null, result_text: null, held_back: null, rests_on_dismissed: null,
    findings: [], open: 0, doubts: [], asked: null, offences: null, obligation: null,
    white_ms: null, black_ms: null, running: null,
  };
}

/** Where the position that is drawn then is from: what is read now, or what was occupied when play began. @param {Shown} board @returns {Word} */
export const drawnFrom = ({ sensor }) => (sensor === 'piece' ? 'unset.reads' : 'unset.squares');

/** @param {{ board: Shown }} props */
export function UnsetPanel({ board }) {
  const { unset } = board;
  if (!unset) return null;
  const { stood } = unset;
  const fault = stood && faultIn(stood);
  return html`
    <section class="need-panel doubt unset" aria-label=${say('unset.title')}>
      <header>
        <${Tag} kind="doubt" word=${say('word.doubt')} />
        <h2>${say('unset.title')}</h2>
        <p class="sub">${unset.white} – ${unset.black} · ${say('desk.round', { n: Number(unset.round.split('.')[0]) })}</p>
      </header>
      <p>${say('unset.text')}</p>
      ${stood && html`
        <h3>${say('unset.stood')}</h3>
        <div class="below-board position"><${Chessboard} fen=${stood} label=${`${say('unset.stood')} ${positionText(stood)}`} /></div>
        ${board.sensor !== 'piece' && html`<p class="hint">${say('unset.named')}</p>`}
        <div class="buttons"><button class="strong" disabled=${Boolean(fault)} onClick=${() => begin(board, stood, true)}>${say('unset.begin-stood')}</button></div>
        <p class=${fault ? 'problem' : 'hint'}>${fault || say('unset.played')}</p>`}
      <${BeginSet} board=${board} round=${unset.round} />
    </section>
  `;
}

/** The game of a table's round begins with a position that is set here. @param {{ board: Shown, round: string }} props */
export function BeginSet({ board, round }) {
  const [open, setOpen] = useState(false);
  return html`
    <details class="more set-position" onToggle=${(/** @type {Event & { currentTarget: HTMLDetailsElement }} */ event) => setOpen(event.currentTarget.open)}>
      <summary>${say('unset.set', { round: round.split('.')[0] })}</summary>
      ${open && html`<${Editor} board=${board} />`}
    </details>
  `;
}

/** The same where its game waits, though nobody plays; nothing at any other table. @param {{ board: Shown, children?: unknown }} props */
export function OrBeginSet({ board, children }) {
  const seat = useSeatOf(board.id);
  if (board.unset) return null;
  return seat?.waits ? html`<${BeginSet} board=${board} round=${String(seat.round)} />` : children;
}

/** @param {{ board: Shown }} props */
function Editor({ board }) {
  const start = board.next?.start ?? ARRAY;
  const reads = readOn(board, start);
  const [fen, setFen] = useState(reads ?? board.unset?.stood ?? start);
  const rights = rightsOfGame([fen, start, ARRAY]);
  const whole = tidied(fen, rights, start);
  return html`
    <div class="choices">
      <button type="button" onClick=${() => setFen(start)}>${say('set.start')}</button>
      ${reads && html`<button type="button" onClick=${() => setFen(reads)}>${say('set.reads')}</button>`}
    </div>
    <${PositionEditor} fen=${whole} rights=${rights} name="unset" onSet=${setFen} />
    <button class="strong" disabled=${Boolean(faultIn(whole))} onClick=${() => begin(board, whole, false)}>${say('unset.begin')}</button>
  `;
}

/** @param {Shown} board @param {string} fen @param {boolean} played whether what the board has seen since it stood there is of the game */
async function begin(board, fen, played) {
  const by = fen.split(' ')[1] === 'b' ? 'black' : 'white';
  const sure = await confirm({
    title: say('unset.confirm-title', { place: boardPlace(board) }),
    text: [say('unset.confirm', { by }), positionText(fen), say(played ? 'unset.confirm-played' : 'unset.confirm-now')].join(' '),
    action: say('unset.begin'),
  });
  if (sure) sendOrder(board.id, newGame({ fen, ...(played && { played: true }) }), say('done.unset'));
}
