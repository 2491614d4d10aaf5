// @ts-check
// Starts the next game on a board.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toRound } from '../app/route.mjs';
import { useIsArbiter, useSeatOf } from '../state/floor.mjs';
import { goesOn, newGame, sendOrder } from '../state/orders.mjs';
import { confirm } from '../parts/confirm.mjs';
import { say } from '../words/language.mjs';
import { boardPlace, tableOf } from '../words/place.mjs';
import { PositionEditor, faultIn, tidied } from './editor.mjs';
import { rightsOfGame } from './rights.mjs';

const FIELDS = /** @type {const} */ (['white', 'black', 'round', 'chess960']);
const INITIAL = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** @param {{ board: Shown }} props */
export function NewGame({ board }) {
  const [fen, setFen] = useState('');
  const seat = useSeatOf(board.id);
  const mayRule = useIsArbiter();
  // A game that another took the place of would be cut off: nothing is begun before it is known.
  if (seat === undefined) return null;
  // The table's own game begins when its pieces are set up: one by name would take its place on the board, and be of no round.
  if (seat) {
    return html`<p class="hint no-new-game">${say(seat.waits ? 'new.of-round' : 'new.in-round', { table: seat.table, round: seat.round })} <a href=${toRound(seat.round)}>${say('desk.round', { n: seat.round })}</a></p>
      ${mayRule && isCutOff(seat, board) && html`<${CutOff} board=${board} game=${seat.game} />`}`;
  }
  const start = async (/** @type {FormEvent} */ event) => (await begin(event, board, fen.trim())) && setFen('');
  return html`
    <details class="more new-game">
      <summary>${say('new.title')}</summary>
      <form class="form" onSubmit=${start}>
        ${FIELDS.map((name) => html`
          <label><span>${say(`new.${name}`)}</span><input name=${name} autocomplete="off" placeholder=${say('new.configured')} /></label>`)}
        <${Start} fen=${fen} onSet=${setFen} />
        <button class="strong" disabled=${Boolean(fen && faultIn(whole(fen.trim())))}>${say('new.start')}</button>
      </form>
    </details>
  `;
}

/** @param {{ waits: boolean, game: string | null }} seat @param {Shown} board */
const isCutOff = (seat, board) => !seat.waits && seat.game && board.game && seat.game !== board.game && board.asked?.game !== seat.game && tableOf(board) === null;

/** The table's game was cut off by the one on the board. @param {{ board: Shown, game: string }} props */
const CutOff = ({ board, game }) => html`
  <p class="cut-off">${say('new.cut-off', { game })} <button class="strong" onClick=${() => sendOrder(board.id, goesOn(game), say('done.brought-back'))}>${say('new.bring-back')}</button></p>`;

/** Another position to start from: set up on a board, or typed. Empty is the initial one. @param {{ fen: string, onSet: (fen: string) => void }} props */
function Start({ fen, onSet }) {
  const [open, setOpen] = useState(false);
  // What is typed is drawn once it has all its ranks.
  const drawn = /^([^ /]+\/){7}[^ /]+/.test(fen.trim()) ? whole(fen.trim()) : INITIAL;
  const rights = rightsOfGame([drawn, INITIAL]);
  const shown = tidied(drawn, rights, drawn);
  /** @param {string} next */
  const set = (next) => onSet(tidied(next, rights, drawn) === INITIAL ? '' : tidied(next, rights, drawn));
  return html`
    <details class="more" onToggle=${(/** @type {Event & { currentTarget: HTMLDetailsElement }} */ event) => setOpen(event.currentTarget.open)}>
      <summary>${say('new.position')}</summary>
      ${open && html`
        <div class="choices"><button type="button" disabled=${fen === ''} onClick=${() => onSet('')}>${say('set.start')}</button></div>
        <${PositionEditor} fen=${shown} rights=${rights} name="new" onSet=${(/** @type {(fen: string) => string} */ change) => set(change(drawn))} />
        <details class="more"><summary>${say('new.typed')}</summary>
          <label><span>${say('new.fen')}</span><input value=${fen} autocomplete="off" placeholder=${say('new.initial')} onInput=${(/** @type {InputEvent & { currentTarget: HTMLInputElement }} */ event) => onSet(event.currentTarget.value)} /></label></details>`}
    </details>
  `;
}

/** A position of which only the beginning was typed. @param {string} fen */
function whole(fen) {
  const [placement, turn = 'w', rights = '-', passant = '-', half = '0', number = '1'] = fen.split(/ +/);
  return [placement, turn, rights, passant, half, number].join(' ');
}

/**
 * @param {FormEvent} event
 * @param {Shown} board
 * @param {string} fen
 */
async function begin(event, board, fen) {
  event.preventDefault();
  const form = event.currentTarget;
  const typed = new FormData(form);
  const filled = FIELDS.map((name) => [name, String(typed.get(name) ?? '').trim()]).concat([['fen', fen]]).filter(([, value]) => value);
  const sure = await confirm({
    title: say('new.confirm-title', { place: boardPlace(board) }),
    text: say('new.confirm-text'),
    action: say('new.action'),
    danger: board.state !== 'ended',
  });
  const isBegun = sure && await sendOrder(board.id, newGame(Object.fromEntries(filled)), say('done.new'));
  if (isBegun) form.reset();
  return isBegun;
}
