// @ts-check
// What was played at a ply, where the record has something else: what would still fit is shown before it is entered.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { basisOf, played, sendOrder } from '../state/orders.mjs';
import { useTrial } from '../state/trial.mjs';
import { codeTitle, doubtTitle } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { fenBefore, localSan, moveName, moveNumber, numbered } from '../words/pieces.mjs';
import { Icon } from '../parts/icon.mjs';
import { SayMove } from './saymove.mjs';

/**
 * The ply that is shown, or the last one, is meant.
 * @param {{ board: Shown, history: LookBack }} props
 */
export function Played({ board, history }) {
  const last = board.plies.length;
  const [open, setOpen] = useState(false);
  const [move, setMove] = useState('');
  const [next, setNext] = useState(false);
  // What has been begun is said of the same half-move, though more are played meanwhile.
  const [begun, setBegun] = useState(0);
  const ply = begun && begun <= last + 1 ? begun : next ? last + 1 : Math.max(1, history.shown ?? last);
  useEffect(() => setBegun(0), [open, next, history.shown, board.game]);
  useEffect(() => setMove(''), [ply]);
  const fen = fenBefore(board, ply);
  const order = open && move ? played(ply, move) : null;
  const tried = useTrial(board, order);
  const name = move ? `${moveNumber(board, ply)} ${moveName(fen, move)}` : '';
  const enter = async () => {
    if (order && await sendOrder(board.id, order, say('done.reading', { move: name }), basisOf(board))) {
      setMove('');
      setBegun(0);
    }
  };
  /** @param {string} uci */
  const begin = (uci) => {
    setBegun(ply);
    setMove(uci);
  };
  return html`
    <details class="more played" open=${open} onToggle=${(/** @type {Event & { currentTarget: HTMLDetailsElement }} */ event) => setOpen(event.currentTarget.open)}>
      <summary>${say('played.title')}</summary>
      ${open && html`
        <p>${ply <= last ? say('played.at', { move: numbered(board, ply) }) : say('played.next', { number: moveNumber(board, ply) })}
          ${last > 0 && html` <button type="button" class="quiet" onClick=${() => setNext(!next)}>${say(next ? 'played.earlier' : 'played.after')}</button>`}</p>
        <p class="hint">${say('played.hint')}</p>
        <${SayMove} key=${ply} fen=${fen} value=${move} onSay=${begin} />
        ${move && html`<${WhatFits} board=${board} ply=${ply} tried=${tried} />`}
        <button class="strong" disabled=${!tried?.trial} onClick=${enter}><${Icon} name="pencil" /> ${move ? say('played.enter-move', { move: name }) : say('played.enter')}</button>`}
    </details>
  `;
}

/** Each kind once, with all its squares. @param {Doubt[]} doubts */
function doubtsText(doubts) {
  const kinds = [...new Set(doubts.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const squares = [...new Set(doubts.flatMap((doubt) => (doubt.kind === kind ? doubt.squares : [])))];
    return `${doubtTitle(kind)}${squares.length > 0 ? ` (${squares.join(', ')})` : ''}`;
  }).join(', ');
}

/** How the record would read. @param {{ board: Shown, ply: number, tried: import('../state/trial.mjs').Tried | null }} props */
function WhatFits({ board, ply, tried }) {
  if (!tried) return html`<p class="hint">${say('trial.asking')}</p>`;
  if (!tried.trial) return html`<p class="problem" role="alert">${tried.refused}</p>`;
  const { view } = tried.trial;
  const before = board.plies.slice(ply - 1);
  const rest = view.plies.slice(ply - 1);
  const same = rest.filter((one, n) => n > 0 && before[n]?.uci === one.uci).length;
  const open = view.findings.filter(({ status, id }) => status === 'open' && !board.findings.some((known) => known.id === id && known.status === 'open'));
  return html`
    <div class="trial" aria-live="polite">
      <h3>${say('trial.record')}</h3>
      <p class="line-of-moves">${rest.slice(0, 12).map((one, n) => html`<span class=${before[n]?.uci === one.uci ? '' : 'changed'}>${moveNumber(view, ply + n).endsWith('.') || n === 0 ? `${moveNumber(view, ply + n)} ` : ''}${localSan(one.san)}${one.doubtful ? html` <span class="hint">(${say('moves.in-doubt')})</span>` : ''}</span> `)}${rest.length > 12 ? ' …' : ''}</p>
      <p class="hint">${before.length > 1 ? say('trial.same', { n: same, of: before.length - 1 }) : ''}</p>
      ${open.length > 0 && html`<p>${say('trial.found', { what: open.map(({ code }) => codeTitle(code)).join(', ') })}</p>`}
      ${view.doubts.length > 0 && html`<p>${say('trial.doubts', { what: doubtsText(view.doubts) })}</p>`}
    </div>
  `;
}
