// @ts-check
// What is in doubt of a game whose pieces stand nowhere any more: answered all the same, as its record needs it.
import { html } from '../app/html.mjs';
import { toGame } from '../app/route.mjs';
import { ruleOn } from '../state/incidents.mjs';
import { promotion, reading, result } from '../state/orders.mjs';
import { doubtTitle, resultText } from '../words/findings.mjs';
import { capital, say } from '../words/language.mjs';
import { PROMOTIONS, pieceName } from '../words/pieces.mjs';
import { placeName } from '../words/place.mjs';
import { confirm } from '../parts/confirm.mjs';
import { EndAnswer } from '../board/doubts.mjs';
import { Tag } from '../parts/tag.mjs';
import { ToRecord } from '../parts/torecord.mjs';

/** @type {GameResult[]} */
const RESULTS = ['1-0', '1/2-1/2', '0-1'];

/**
 * Nobody is asked to look: the board's own question is left out. `board`: where its pieces were, whatever stands there now.
 * @param {{ incident: Incident, board: Shown | null }} props
 */
export const PastDoubts = ({ incident, board }) => incident.doubts.map((doubt) => html`
  <section key=${doubt.kind} class="need-panel doubt" aria-label=${say('word.doubt')}>
    <header>
      <${Tag} kind="doubt" word=${say('word.doubt')} />
      <h2>${doubtTitle(doubt.kind)}</h2>
      ${doubt.squares.length > 0 && html`<p class="sub">${doubt.squares.join(', ')}</p>`}
    </header>
    <${Answer} incident=${incident} board=${board} doubt=${doubt} />
    <p><${ToRecord} to=${toGame(incident.game)} or=${null}>${say('games.game')}<//></p>
  </section>`);

/** @param {{ incident: Incident, board: Shown | null, doubt: Doubt }} props */
function Answer({ incident, board, doubt }) {
  if (doubt.kind === 'promotion-piece') {
    const square = doubt.squares.find((name) => name[1] === '8' || name[1] === '1') ?? doubt.squares[0];
    return html`
      <p>${say('doubt.past-ask')}</p>
      <div class="buttons" role="group" aria-label=${say('doubt.piece-on', { square })}>${PROMOTIONS.map((letter) => {
        const piece = capital(pieceName(letter));
        return html`<button onClick=${() => ruleOn(incident, promotion(square, letter), ['done.promotion', { piece, square }])}>${piece}</button>`;
      })}</div>`;
  }
  // It still goes on where its board has not forgotten it.
  if (doubt.kind === 'game-ended' && board?.asked?.game === incident.game) {
    return html`<p>${doubt.text}</p><${EndAnswer} board=${board} table=${incident.table} game=${incident.game} />`;
  }
  if (doubt.kind === 'game-ended') {
    return html`
      <p>${doubt.text}</p>
      <div class="buttons" role="group" aria-label=${say('asked.label')}>${RESULTS.map((value) => html`
      <button onClick=${() => declare(incident, value)}>${resultText(value)}</button>`)}</div>`;
  }
  const firsts = [...new Set(doubt.readings.map(([first]) => first).filter(Boolean))];
  // Its pieces stand nowhere, and no moves are known to choose among: nobody has to find out any more.
  if (firsts.length === 0) return html`<p class="hint">${say('doubt.past')}</p>`;
  return html`
    <p>${say('doubt.past-ask')}</p>
    <div class="readings" role="group" aria-label=${say('doubt.readings')}>${firsts.map((uci) => {
      const move = `${uci.slice(0, 2)}–${uci.slice(2)}`;
      return html`<button onClick=${() => ruleOn(incident, reading(doubt.ply, uci), ['done.reading', { move }])}>${say('doubt.choose', { move })}</button>`;
    })}</div>`;
}

/**
 * @param {Incident} incident
 * @param {GameResult} value
 */
async function declare(incident, value) {
  const shown = resultText(value);
  const sure = await confirm({
    title: say('result.title', { place: placeName(incident), result: shown }),
    text: say('result.text'),
    action: say('result.declare', { result: shown }),
  });
  if (sure) ruleOn(incident, result(value), ['done.result', { result: shown }]);
}
