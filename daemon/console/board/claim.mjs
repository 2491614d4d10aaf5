// @ts-check
// A player's claim: the verdict, the positions and the count stand there before anything is entered.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { useBasis } from '../state/basis.mjs';
import { claim, sendOrder } from '../state/orders.mjs';
import { useTrial } from '../state/trial.mjs';
import { articleText, claimKind, penaltyText } from '../words/findings.mjs';
import { capital, eventLanguage, say, useLanguage } from '../words/language.mjs';
import { fenBefore, moveName, moveNumber, numbered, opponent } from '../words/pieces.mjs';
import { COLOURS, playerName } from '../words/players.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { Tag } from '../parts/tag.mjs';
import { rightsAfter } from './rights.mjs';
import { SayMove } from './saymove.mjs';
import { SquareChoice, afterMove } from './squares.mjs';

/** @type {ClaimKind[]} */
const KINDS = ['threefold', 'fifty-moves', 'touch-move', 'illegal-move', 'flag-fall'];
/** @type {Set<ClaimKind>} */
const OF_DRAWS = new Set(['threefold', 'fifty-moves']);

/** @param {{ board: Shown }} props */
export function Claim({ board }) {
  const [open, setOpen] = useState(false);
  // What is answered stands above all orders: whoever still sees the form would enter it twice.
  const done = () => {
    setOpen(false);
    document.querySelector('.side-needs')?.scrollIntoView();
  };
  return html`
    <details class="more claims" open=${open} onToggle=${(/** @type {Event & { currentTarget: HTMLDetailsElement }} */ event) => setOpen(event.currentTarget.open)}>
      <summary>${say('words.claims')}</summary>
      ${open && html`<${ClaimForm} board=${board} onDone=${done} />`}
    </details>
  `;
}

/** @param {{ board: Shown, onDone: () => void }} props */
function ClaimForm({ board, onDone }) {
  const [by, setBy] = useState(board.turn);
  const [kind, setKind] = useState(/** @type {ClaimKind} */ ('threefold'));
  const [intends, setIntends] = useState(false);
  const [move, setMove] = useState('');
  const [square, setSquare] = useState('');
  const isDraw = OF_DRAWS.has(kind);
  const fields = isDraw ? (intends && move ? { move } : {}) : (square ? { square } : {});
  const waits = isDraw && intends && !move;
  const order = waits ? null : claim(by, kind, fields);
  const tried = useTrial(board, order);
  // Another arbiter may enter the same claim meanwhile, or the claimant may press.
  const [basis, begin] = useBasis(board, true);
  /** What is chosen is chosen on what stands there now. @template T @param {(value: T) => void} set @returns {(value: T) => void} */
  const anew = (set) => (value) => {
    set(value);
    begin();
  };
  const enter = async () => {
    if (order && await sendOrder(board.id, order, say('done.claim'), basis)) onDone();
    else begin();
  };
  return html`
    <div class="claim-form">
      <div class="choices" role="group" aria-label=${say('words.by')}>${COLOURS.map((colour) => html`
        <button type="button" aria-pressed=${by === colour} onClick=${() => anew(setBy)(colour)}><i class=${`stone ${colour}`} aria-hidden="true"></i> ${playerName(board, colour)}</button>`)}</div>
      <div class="choices" role="group" aria-label=${say('words.claims')}>${KINDS.map((one) => html`
        <button type="button" aria-pressed=${kind === one} onClick=${() => anew(setKind)(one)}>${capital(claimKind(one))}</button>`)}</div>
      ${isDraw && html`<label class="check-label"><input type="checkbox" checked=${intends} onChange=${(/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => { setIntends(event.currentTarget.checked); setMove(''); }} /> ${say('claim.intends')}</label>`}
      ${isDraw && intends && html`<${SayMove} fen=${board.fen} value=${move} onSay=${anew(setMove)} />`}
      ${!isDraw && kind !== 'flag-fall' && html`<div class="form"><${SquareChoice} label=${say('claim.square')} value=${square} fen=${board.fen} onChoose=${setSquare} /></div>`}
      ${!waits && html`<${Verdict} board=${board} tried=${tried} isDraw=${isDraw} named=${isDraw && intends} />`}
      ${kind === 'threefold' && html`<${Positions} board=${board} move=${intends ? move : ''} />`}
      ${kind === 'fifty-moves' && html`<${Quiet} board=${board} />`}
      <button class="strong" disabled=${!tried?.trial} onClick=${enter}>${say('words.claim')}</button>
      <p class="hint">${say('claim.nothing-yet')}</p>
    </div>
  `;
}

/** What the daemon would say; `named`: a move was. @param {{ board: Shown, tried: import('../state/trial.mjs').Tried | null, isDraw: boolean, named: boolean }} props */
function Verdict({ board, tried, isDraw, named }) {
  const language = useLanguage();
  if (!tried) return html`<p class="hint">${say('trial.asking')}</p>`;
  if (!tried.trial) return html`<p class="problem" role="alert">${tried.refused}</p>`;
  const { said } = tried.trial;
  const answer = /** @type {RulingOf<'claim'> | undefined} */ (said.findLast((one) => one.ruling === 'claim'));
  const isRight = answer?.accepted;
  // What is claimed wrongly costs time (Article 9.5.3): to be seen before it is entered.
  const costs = said.flatMap((one) => (one.ruling === 'irregularity' ? penaltyText({ ...one, status: 'open' }) ?? [] : []));
  return html`
    <div class=${`verdict need-panel ${isRight ? 'is-right' : ''}`} aria-live="polite">
      <header><${Tag} kind="proposed" word=${say('word.claim')} />${isDraw && html`<h2>${say(isRight ? 'claim.right' : 'claim.wrong')}</h2>`}</header>
      ${answer && html`<p>${language === eventLanguage() ? answer.text : answerText(answer, answerOf(board, answer, said, named))}</p>`}
      ${costs.map((text) => html`<p class="penalty">${text}</p>`)}
    </div>
  `;
}

/**
 * What is answered, for whoever does not read the event's language: the daemon says it in no other.
 * @param {RulingOf<'claim'>} answer
 * @param {ReturnType<typeof answerOf>} which
 */
const answerText = (answer, which) => say(`verdict.${which}`, { by: answer.by, other: opponent(answer.by), article: articleText(answer) });

/**
 * Which answer it is, by what is found along with it.
 * @param {Shown} board
 * @param {RulingOf<'claim'>} answer
 * @param {Trial['said']} said
 * @param {boolean} named
 */
function answerOf(board, { by, kind, accepted }, said, named) {
  if (kind === 'flag-fall') return accepted ? 'flag-told' : 'flag-not-told';
  if (!OF_DRAWS.has(kind)) return accepted ? 'shown' : 'not-shown';
  if (accepted) return 'drawn';
  const found = said.flatMap((one) => (one.ruling === 'irregularity' ? [one] : []));
  if (found.some(({ code }) => code === 'draw-claim-after-touch')) return 'touched';
  if (board.turn !== by) return 'not-turn';
  // A move that is legal must be played (Article 9.5.3).
  if (named && found.some(({ code, required }) => code === 'incorrect-draw-claim' && !required)) return 'no-move';
  return kind === 'threefold' ? 'too-few-times' : 'too-few-moves';
}

/** What makes a position the same one: its pieces, who is to move, and what may be done in it (Article 9.2.3). @param {string} fen */
const sameness = (fen) => fen.split(' ').slice(0, 4).join(' ');

/** The same after a move. What two steps of a pawn let be captured has not stood before. @param {string} fen @param {string} move */
const samenessAfter = (fen, move) => [afterMove(fen, move).split(' ')[0], fen.split(' ')[1] === 'w' ? 'b' : 'w', rightsAfter(fen, move), '-'].join(' ');

/** The positions that are meant, side by side. @param {{ board: Shown, move: string }} props */
function Positions({ board, move }) {
  const wanted = move ? samenessAfter(board.fen, move) : sameness(board.fen);
  const [placement] = wanted.split(' ');
  const plies = Array.from({ length: board.plies.length + 1 }, (_, n) => n)
    .filter((n) => sameness(n === board.plies.length ? board.fen : fenBefore(board, n + 1)) === wanted);
  const all = [
    ...plies.map((n) => ({ fen: placement, title: n === 0 ? say('position.start') : say('position.after', { move: numbered(board, n) }) })),
    ...(move ? [{ fen: placement, title: say('claim.after-intended', { move: `${moveNumber(board, board.plies.length + 1)} ${moveName(board.fen, move)}` }) }] : []),
  ];
  return html`
    <h3>${say(move ? 'claim.would' : 'claim.stood', { n: all.length })}</h3>
    <ul class="occurrences">${all.map(({ fen, title }) => html`<li><${Chessboard} fen=${fen} label=${title} /><span class="hint">${title}</span></li>`)}</ul>
  `;
}

/** Moves since the last capture or move of a pawn. @param {{ board: Shown }} props */
function Quiet({ board }) {
  const half = Number(board.fen.split(' ')[4] ?? 0);
  const since = board.plies.length - half;
  return html`<p>${say('claim.quiet', { n: Math.floor(half / 2) })} ${since > 0 ? say('claim.since', { move: numbered(board, since) }) : ''}</p>`;
}
