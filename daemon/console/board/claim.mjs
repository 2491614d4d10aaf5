// @ts-check
// A player's claim: the verdict, the positions and the count stand there before anything is entered.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { claim, sendOrder } from '../state/orders.mjs';
import { useTrial } from '../state/trial.mjs';
import { claimKind } from '../words/findings.mjs';
import { capital, say } from '../words/language.mjs';
import { fenBefore, moveName, moveNumber, numbered } from '../words/pieces.mjs';
import { COLOURS, playerName } from '../words/players.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { Tag } from '../parts/tag.mjs';
import { SayMove } from './saymove.mjs';
import { SquareChoice, afterMove } from './squares.mjs';

/** @type {ClaimKind[]} */
const KINDS = ['threefold', 'fifty-moves', 'touch-move', 'illegal-move', 'flag-fall'];
/** @type {Set<ClaimKind>} */
const OF_DRAWS = new Set(['threefold', 'fifty-moves']);

/** @param {{ board: Shown }} props */
export function Claim({ board }) {
  const [open, setOpen] = useState(false);
  return html`
    <details class="more claims" onToggle=${(/** @type {Event & { currentTarget: HTMLDetailsElement }} */ event) => setOpen(event.currentTarget.open)}>
      <summary>${say('words.claims')}</summary>
      ${open && html`<${ClaimForm} board=${board} />`}
    </details>
  `;
}

/** @param {{ board: Shown }} props */
function ClaimForm({ board }) {
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
  const enter = async () => {
    if (order && await sendOrder(board.id, order, say('done.claim'))) setMove('');
  };
  return html`
    <div class="claim-form">
      <div class="choices" role="group" aria-label=${say('words.by')}>${COLOURS.map((colour) => html`
        <button type="button" aria-pressed=${by === colour} onClick=${() => setBy(colour)}><i class=${`stone ${colour}`} aria-hidden="true"></i> ${playerName(board, colour)}</button>`)}</div>
      <div class="choices" role="group" aria-label=${say('words.claims')}>${KINDS.map((one) => html`
        <button type="button" aria-pressed=${kind === one} onClick=${() => setKind(one)}>${capital(claimKind(one))}</button>`)}</div>
      ${isDraw && html`<label class="check-label"><input type="checkbox" checked=${intends} onChange=${(/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => { setIntends(event.currentTarget.checked); setMove(''); }} /> ${say('claim.intends')}</label>`}
      ${isDraw && intends && html`<${SayMove} fen=${board.fen} value=${move} onSay=${setMove} />`}
      ${!isDraw && kind !== 'flag-fall' && html`<div class="form"><${SquareChoice} label=${say('claim.square')} value=${square} fen=${board.fen} onChoose=${setSquare} /></div>`}
      ${!waits && html`<${Verdict} tried=${tried} isDraw=${isDraw} />`}
      ${kind === 'threefold' && html`<${Positions} board=${board} move=${intends ? move : ''} />`}
      ${kind === 'fifty-moves' && html`<${Quiet} board=${board} />`}
      <button class="strong" disabled=${!tried?.trial} onClick=${enter}>${say('words.claim')}</button>
      <p class="hint">${say('claim.nothing-yet')}</p>
    </div>
  `;
}

/** What the daemon would say. @param {{ tried: import('../state/trial.mjs').Tried | null, isDraw: boolean }} props */
function Verdict({ tried, isDraw }) {
  if (!tried) return html`<p class="hint">${say('trial.asking')}</p>`;
  if (!tried.trial) return html`<p class="problem" role="alert">${tried.refused}</p>`;
  const { said } = tried.trial;
  const answer = said.findLast((one) => one.ruling === 'claim');
  const isRight = answer?.ruling === 'claim' && answer.accepted;
  return html`
    <div class=${`verdict need-panel ${isRight ? 'is-right' : ''}`} aria-live="polite">
      <header><${Tag} kind="proposed" word=${say('word.claim')} />${isDraw && html`<h2>${say(isRight ? 'claim.right' : 'claim.wrong')}</h2>`}</header>
      ${answer && 'text' in answer && html`<p>${answer.text}</p>`}
    </div>
  `;
}

/** The positions that are meant, side by side. @param {{ board: Shown, move: string }} props */
function Positions({ board, move }) {
  const now = move ? afterMove(board.fen, move) : board.fen;
  const turn = move ? (board.turn === 'white' ? 'b' : 'w') : board.turn[0];
  const placement = now.split(' ')[0];
  const plies = Array.from({ length: board.plies.length + 1 }, (_, n) => n)
    .filter((n) => {
      const fen = n === board.plies.length ? board.fen : fenBefore(board, n + 1);
      return fen.split(' ')[0] === placement && fen.split(' ')[1] === turn;
    });
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
