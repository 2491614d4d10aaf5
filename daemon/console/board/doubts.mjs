// @ts-check
// Questions the evidence leaves open: doubts, and results only a human may declare.
import { html } from '../app/html.mjs';
import { annul, basisOf, goesOn, promotion, reading, report, result, sendOrder } from '../state/orders.mjs';
import { doubtKept, doubtTitle, restsText, resultReason, resultText } from '../words/findings.mjs';
import { proposedOn } from '../state/offences.mjs';
import { isAnnulled } from '../state/urgency.mjs';
import { capital, say } from '../words/language.mjs';
import { PROMOTIONS, fenBefore, moveName, moveNumber, pieceName, placementOf } from '../words/pieces.mjs';
import { boardPlace, placeName } from '../words/place.mjs';
import { ask } from '../parts/ask.mjs';
import { confirm } from '../parts/confirm.mjs';
import { actOn } from '../state/event.mjs';
import { ownName } from '../state/name.mjs';
import { clockText, isRunning, remaining } from '../state/clock.mjs';
import { recordedIn } from '../state/reading.mjs';
import { Tag } from '../parts/tag.mjs';
import { COLOURS, playerName } from '../words/players.mjs';
import { AwayBefore } from './away.mjs';
import { LiesSo } from './lies.mjs';
import { orderRestore } from './restore.mjs';
import { castleText } from './editor.mjs';
import { SetPosition } from './setposition.mjs';
import { rightsIn, rightsKept, rightsOfGame } from './rights.mjs';

/** @type {Record<string, Record<string, string>>} */
const SIGNS = { white: { q: '♕', r: '♖', b: '♗', n: '♘' }, black: { q: '♛', r: '♜', b: '♝', n: '♞' } };
/** @type {GameResult[]} */
const RESULTS = ['1-0', '1/2-1/2', '0-1'];

/**
 * What an order answers that is asked at a turn of a game, or how that has ended: the name of the incident, and what is asked.
 * @param {string} game
 * @param {number | 'end'} turn
 * @param {Doubt['kind']} kind
 * @param {number | null} [table]
 */
const answering = (game, turn, kind, table) => ({ incident: `${game}.${turn}`, title: doubtKept(kind), game, table });

/**
 * Where it is: a game that is of no round has a table all the same where its board stands at one. One that is not at hand has its name.
 * @param {Shown} board
 * @param {number | null} [table]
 * @param {string} [game]
 */
const placeOf = (board, table, game = board.game) => [table ? placeName({ table, board: board.id }) : boardPlace(board), game !== board.game && game].filter(Boolean).join(', ');

/**
 * All that is asked at a board, of the game before as well; or what is asked by one incident, and nothing that another one asks.
 * @param {{ board: Shown, table?: number | null, incident?: Incident, onPoint: (squares: string[] | null) => void }} props
 */
export function Doubts({ board, table, incident, onPoint }) {
  const isAsked = board.asked && (!incident || board.asked.game === incident.game);
  const doubts = isAnnulled(board) ? [] : incident ? board.doubts.filter((doubt) => isOf(doubt, incident, board)) : board.doubts;
  return html`
    ${isAsked && html`<${Asked} board=${board} table=${table} asked=${board.asked} />`}
    ${doubts.map((doubt) => html`<${Doubt} key=${`${doubt.ply}${doubt.kind}`} board=${board} table=${table} doubt=${doubt} onPoint=${onPoint} />`)}
  `;
}

/** @param {Doubt} doubt @param {Incident} incident @param {Shown} board */
const isOf = (doubt, incident, board) => board.game === incident.game && incident.doubts.some(({ kind, ply }) => kind === doubt.kind && ply === doubt.ply);

/** @param {{ board: Shown, table?: number | null, doubt: Doubt, onPoint: (squares: string[] | null) => void }} props */
function Doubt({ board, table, doubt, onPoint }) {
  const point = () => onPoint(doubt.squares);
  // How a game has ended is asked of no move.
  const where = doubt.kind === 'game-ended' ? '' : say('move-of', { number: moveNumber(board, doubt.ply).replace(/[.…]+$/, '') });
  return html`
    <section class="need-panel doubt" aria-label=${say('word.doubt')} onMouseEnter=${point} onMouseLeave=${() => onPoint(null)}>
      <header>
        <${Tag} kind="doubt" word=${say('word.doubt')} />
        <h2>${doubtTitle(doubt.kind)}</h2>
        ${(where || doubt.squares.length > 0) && html`<p class="sub">${[where, doubt.squares.join(', ')].filter(Boolean).join(' · ')}</p>`}
      </header>
      <p>${doubt.text}</p>
      <${AwayBefore} board=${board} doubt=${doubt} />
      ${doubt.kind === 'promotion-piece' && html`<${PromotionAnswer} board=${board} doubt=${doubt} />`}
      ${doubt.kind === 'board-turned' && html`<div class="buttons">${doubt.squares.map((corner) => html`<${LiesSo} board=${board} corner=${corner} />`)}</div>`}
      ${doubt.kind === 'pieces-exchanged' && html`<${ExchangeAnswer} board=${board} doubt=${doubt} />`}
      ${(doubt.kind === 'position-unknown' || (doubt.kind === 'thread-lost' && board.sensor === 'piece')) && board.reading && html`<${PositionAnswer} board=${board} />`}
      ${doubt.kind === 'thread-lost' && html`<${SetPosition} board=${board} />`}
      ${doubt.kind === 'game-ended' && html`<${EndAnswer} board=${board} table=${table} game=${board.game} />`}
      ${doubt.kind !== 'promotion-piece' && doubt.readings.length > 0 && html`<${Readings} board=${board} doubt=${doubt} />`}
    </section>
  `;
}

/**
 * The first moves of the accounts that fit, each a button: to choose one is to say what was played.
 * @param {{ board: Shown, doubt: Doubt }} props
 */
function Readings({ board, doubt }) {
  const fen = fenBefore(board, doubt.ply);
  const firsts = [...new Set(doubt.readings.map(([first]) => first).filter(Boolean))];
  /**
   * @param {string} uci
   * @param {string} move
   */
  const choose = (uci, move) => sendOrder(board.id, reading(doubt.ply, uci), ['done.reading', { move }], basisOf(board), answering(board.game, doubt.ply, doubt.kind));
  return html`
    <h3>${say('doubt.readings')}</h3>
    <div class="readings" role="group" aria-label=${say('doubt.readings')}>
      ${firsts.map((uci) => {
        const move = moveName(fen, uci);
        return html`<button onClick=${() => choose(uci, move)}>${say('doubt.choose', { move })}</button>`;
      })}
    </div>
    <p class="hint">${say('doubt.later')}</p>
  `;
}

/**
 * How the pieces stood at the start: what the arbiter found when he looked.
 * @param {{ board: Shown, doubt: Doubt }} props
 */
function ExchangeAnswer({ board, doubt }) {
  const by = fenBefore(board, doubt.ply).split(' ')[1] === 'b' ? 'black' : 'white';
  const found = () => sendOrder(board.id, report('position-setup-wrong', {}), say('done.exchanged'), basisOf(board));
  const denied = () => sendOrder(board.id, report('illegal-move', { by }), say('done.not-exchanged'), basisOf(board));
  return html`
    <div class="buttons">
      <button onClick=${found}>${say('doubt.exchanged')}</button>
      <button onClick=${denied}>${say('doubt.not-exchanged')}</button>
    </div>
  `;
}

/**
 * The position that the board reads: whose move it is only a person knows. Who may castle is as the record still has it, where king and rook stand so.
 * @param {{ board: Shown }} props
 */
function PositionAnswer({ board }) {
  const read = placementOf(board.reading ?? '');
  const rights = rightsKept(read, { known: board.state === 'waiting' ? null : board.fen, rights: rightsOfGame([board.fen, board.start_fen]) });
  /** @param {Colour} by */
  const order = (by) => orderRestore(board, `${read} ${by[0]} ${rights} - 0 1`, say('doubt.read-position', { by }));
  return html`
    <div class="buttons">${COLOURS.map((by) => html`<button onClick=${() => order(by)}>${capital(say('doubt.read-position', { by }))}</button>`)}</div>
    <p class="hint">${say(rights === '-' ? 'doubt.castling' : 'doubt.castling-kept', { rights: rightsIn(`${read} w ${rights}`).map(castleText).join(', ') })}</p>
  `;
}

/**
 * The game before the one at hand, which has no result.
 * @param {{ board: Shown, table?: number | null, asked: NonNullable<Shown['asked']> }} props
 */
function Asked({ board, table, asked }) {
  return html`
    <section class="need-panel doubt asked" aria-label=${say('asked.label')}>
      <header>
        <${Tag} kind="doubt" word=${say('word.doubt')} />
        <h2>${doubtTitle('game-ended')}</h2>
        <p class="sub">${say('asked.before', { game: asked.game, n: asked.ply })}</p>
      </header>
      <p>${asked.text}</p>
      <${EndAnswer} board=${board} table=${table} game=${asked.game} />
    </section>
  `;
}

/**
 * How it ended, or that it goes on.
 * @param {{ board: Shown, table?: number | null, game: string }} props
 */
export function EndAnswer({ board, table, game }) {
  return html`
    <div class="buttons" role="group" aria-label=${say('asked.label')}>
      ${RESULTS.map((value) => html`<button onClick=${() => declareResult(board, value, { game }, table)}>${resultText(value)}</button>`)}
      <button onClick=${() => annulGame(board, { game }, table)}>${say('orders.annul')}</button>
      <button onClick=${() => orderGoesOn(board, game, table)}>${say('asked.goes-on')}</button>
    </div>
  `;
}

/**
 * @param {Shown} board
 * @param {string} game
 * @param {number | null} [table]
 */
async function orderGoesOn(board, game, table) {
  const isNext = board.game !== game && board.ply > 0;
  const next = isNext ? say('asked.goes-on-next', { players: COLOURS.map((colour) => playerName(board, colour)).join(' – '), n: board.ply }) : say('asked.goes-on-text');
  const sure = await confirm({
    title: say('asked.goes-on-title', { place: placeOf(board, table, game) }),
    text: next,
    action: say('asked.goes-on'),
  });
  if (sure) sendOrder(board.id, goesOn(game), ['done.goes-on'], basisOf(board), answering(game, 'end', 'game-ended', table));
}

/** @param {{ board: Shown, doubt: Doubt }} props */
function PromotionAnswer({ board, doubt }) {
  const square = doubt.squares.find((name) => name[1] === '8' || name[1] === '1') ?? doubt.squares[0];
  const signs = SIGNS[square.endsWith('8') ? 'white' : 'black'];
  /** @param {Promotion} letter */
  const answer = (letter) => {
    const piece = capital(pieceName(letter));
    sendOrder(board.id, promotion(square, letter), ['done.promotion', { piece, square }], basisOf(board), answering(board.game, doubt.ply, doubt.kind));
  };
  return html`
    <div class="promotion" role="group" aria-label=${say('doubt.piece-on', { square })}>
      ${PROMOTIONS.map((piece) => html`
        <button onClick=${() => answer(piece)}><span class="piece-sign" aria-hidden="true">${signs[piece]}</span>${capital(pieceName(piece))}</button>`)}
    </div>
  `;
}

/** Results of which a person may see that they are none: the kings were no sign, the clock was set anew. @type {Set<ResultReason>} */
export const MAY_BE_NONE = new Set(['kings-placed', 'flag-fall']);

/** Whose flag is said to have fallen; of a game that is drawn for it, whose clock shows nothing left. @param {Shown} board @param {GameResult} value @returns {Colour} */
export function fallenOf(board, value) {
  if (value === '1-0') return 'black';
  return value === '0-1' || board.white_ms === 0 ? 'white' : 'black';
}

/** What the clock shows to a player, as far as it tells. @param {Shown} board @param {Colour} by */
export function clockShows(board, by) {
  const left = remaining(board, by);
  return left === null ? '' : say(isRunning(board, by) ? 'flag.shows' : 'flag.showed', { time: clockText(left), name: playerName(board, by) });
}

/**
 * A result that waits for the arbiter; where nobody knows it, he chooses. `isFirst`: nothing comes before it.
 * @param {{ board: Shown, isFirst: boolean }} props
 */
export function ProposedResult({ board, isFirst }) {
  if (!board.result?.proposed) return null;
  const { result: proposed, reason } = board.result;
  const open = proposed === '*';
  const rests = restsText(board, proposedOn(board));
  const isBack = reason === 'kings-placed' && isSignBack(board);
  return html`
    <section class="need-panel proposed" aria-label=${say('result.confirm-label')}>
      <header>
        <${Tag} kind="proposed" word=${say('word.proposed')} />
        <h2>${open ? capital(resultReason(reason)) : `${resultText(proposed)}?`}</h2>
        <p class="sub">${say('result.only-you', { reason: resultReason(reason) })}</p>
      </header>
      ${(board.result_text || rests) && html`<p>${board.result_text}${rests}</p>`}
      ${reason === 'flag-fall' && html`<p class="hint">${clockShows(board, fallenOf(board, proposed))}</p>`}
      ${isBack && html`<p class="sign-back">${say(board.differs.length > 0 ? 'sign.went-on' : 'sign.back')}</p>`}
      <div class="buttons">${(open ? RESULTS : [proposed]).map((value) => html`
        <button class=${open || !isFirst || isBack ? null : 'strong'} onClick=${() => declareResult(board, value)}>${say('result.declare', { result: resultText(value) })}</button>`)}
        ${MAY_BE_NONE.has(reason) && html`<button class=${isFirst && isBack ? 'strong' : null} onClick=${() => orderNoResult(board)}>${say('sign.none')}</button>`}</div>
    </section>
  `;
}

/** Whether both kings stand again where the record has them. @param {Shown} board */
function isSignBack({ reading, fen }) {
  if (!reading) return false;
  const kings = [...recordedIn(fen)].flatMap((piece, n) => (piece.toLowerCase() === 'k' ? [n] : []));
  return kings.every((n) => reading[n] !== '.');
}

/** Whether a result that is proposed is none, as the arbiter sees it. @param {string} place */
export const confirmNoResult = (place) => confirm({ title: say('sign.title', { place }), text: say('sign.text'), action: say('sign.none') });

/** The kings were no sign, or were put back: the game has no result. @param {Shown} board */
async function orderNoResult(board) {
  const sure = await confirmNoResult(boardPlace(board));
  return sure && sendOrder(board.id, result('*'), say('done.no-result'), basisOf(board));
}

/** Who plays the game that is meant, where the one before is asked about as well. @param {Shown} board @param {string} [game] */
const pairText = (board, game = board.game) => (board.asked && game === board.game ? `${COLOURS.map((colour) => playerName(board, colour)).join(' – ')}. ` : '');

/**
 * @param {Shown} board
 * @param {{ game?: string }} about
 * @param {number | null} [table]
 */
export async function annulGame(board, about = {}, table) {
  const reason = await ask({
    title: say('annul.title', { place: placeOf(board, table, about.game) }),
    text: `${pairText(board, about.game)}${say('annul.text')}`,
    label: say('annul.why'),
    action: say('orders.annul'),
    optional: true,
  });
  if (reason === null) return;
  const isTaken = await sendOrder(board.id, annul(about), ['done.annul'], basisOf(board), about.game ? answering(about.game, 'end', 'game-ended', table) : undefined);
  // Why stands in the protocol and in the reports, as what else an arbiter notes; of what was refused nothing does.
  if (isTaken && reason) actOn('api/notes', { game: about.game ?? board.game, text: say('annul.note', { reason }), author: ownName() }, '', `${boardPlace(board)}: ${say('annul.note', { reason })}`);
}

/**
 * @param {Shown} board
 * @param {GameResult} value
 * @param {{ game?: string }} about
 * @param {number | null} [table]
 */
export async function declareResult(board, value, about = {}, table) {
  const shown = resultText(value);
  // One that is entered against what the game itself shows says so.
  const seen = !about.game || about.game === board.game ? board.result : null;
  const against = seen?.reason && seen.result !== '*' && seen.result !== value ? say('result.against', { result: resultText(seen.result), reason: resultReason(seen.reason) }) : '';
  const rests = seen?.result === value ? restsText(board, proposedOn(board)) : '';
  const sure = await confirm({
    title: say('result.title', { place: placeOf(board, table, about.game), result: shown }),
    text: `${pairText(board, about.game)}${against} ${say('result.text')}${rests}`.trim(),
    action: say('result.declare', { result: shown }),
  });
  if (sure) sendOrder(board.id, result(value, about), ['done.result', { result: shown }], basisOf(board), about.game ? answering(about.game, 'end', 'game-ended', table) : undefined);
}
