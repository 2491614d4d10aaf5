// Questions the evidence leaves open: doubts, and results only a human may declare.
import { html } from '../app/html.mjs';
import { promotion, result, sendOrder } from '../state/orders.mjs';
import { doubtTitle, resultReason, resultText } from '../words/findings.mjs';
import { PROMOTIONS, capital, fenBefore, moveName, moveNumber, pieceName } from '../words/pieces.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Tag } from '../parts/tag.mjs';

const SIGNS = { q: '♛', r: '♜', b: '♝', n: '♞' };

export function Doubts({ board, onPoint }) {
  return html`
    ${board.result?.proposed && html`<${ProposedResult} board=${board} />`}
    ${board.doubts.map((doubt) => html`<${Doubt} key=${`${doubt.ply}${doubt.kind}`} board=${board} doubt=${doubt} onPoint=${onPoint} />`)}
  `;
}

function Doubt({ board, doubt, onPoint }) {
  const point = () => onPoint(doubt.squares);
  return html`
    <section class="need-panel doubt" aria-label="Doubt" onMouseEnter=${point} onMouseLeave=${() => onPoint(null)}>
      <header>
        <${Tag} kind="doubt" word="Doubt" />
        <h2>${doubtTitle(doubt.kind)}</h2>
        <p class="sub">move ${moveNumber(board, doubt.ply)} · ${doubt.squares.join(', ')}</p>
      </header>
      <p>${doubt.text}</p>
      ${doubt.kind === 'promotion-piece'
        ? html`<${PromotionAnswer} board=${board} doubt=${doubt} />`
        : doubt.readings.length > 0 && html`<${Readings} board=${board} doubt=${doubt} />`}
    </section>
  `;
}

function Readings({ board, doubt }) {
  const fen = fenBefore(board, doubt.ply);
  return html`
    <h3>Accounts that fit</h3>
    <ul class="readings">${doubt.readings.map((moves) => html`
      <li>${moves.map((uci, n) => html`<span class="move-name">${n === 0 ? moveName(fen, uci) : `${uci.slice(0, 2)}–${uci.slice(2)}`}</span> `)}</li>`)}</ul>
    <p class="hint">Later play may settle this by itself.</p>
  `;
}

function PromotionAnswer({ board, doubt }) {
  const square = doubt.squares.find((name) => name[1] === '8' || name[1] === '1') ?? doubt.squares[0];
  const answer = (piece) => sendOrder(board.id, promotion(square, piece), `a ${pieceName(piece)} stands on ${square}.`);
  return html`
    <div class="promotion" role="group" aria-label=${`Piece on ${square}`}>
      ${PROMOTIONS.map((piece) => html`
        <button onClick=${() => answer(piece)}><span class="piece-sign" aria-hidden="true">${SIGNS[piece]}</span>${capital(pieceName(piece))}</button>`)}
    </div>
  `;
}

function ProposedResult({ board }) {
  const { result: proposed, reason } = board.result;
  return html`
    <section class="need-panel doubt" aria-label="Result to confirm">
      <header>
        <${Tag} kind="doubt" word="Result" />
        <h2>${resultText(proposed)}?</h2>
        <p class="sub">${resultReason(reason)}: only you can declare it</p>
      </header>
      <div class="buttons"><button class="strong" onClick=${() => declareResult(board, proposed)}>Confirm ${resultText(proposed)}</button></div>
    </section>
  `;
}

export async function declareResult(board, value) {
  const sure = await confirm({
    title: `Board ${board.id}: ${resultText(value)}?`,
    text: 'The game ends with this result. It is written to the journal and to the PGN.',
    action: `Declare ${resultText(value)}`,
  });
  if (sure) sendOrder(board.id, result(value), `result ${resultText(value)} entered.`);
}
