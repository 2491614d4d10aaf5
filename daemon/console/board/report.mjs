// @ts-check
// What the arbiter saw himself, and no sensor: it enters the record, upheld at once.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { useBasis } from '../state/basis.mjs';
import { report, sendOrder } from '../state/orders.mjs';
import { codeTitle } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { boardPlace } from '../words/place.mjs';
import { COLOURS, playerName } from '../words/players.mjs';
import { confirm } from '../parts/confirm.mjs';
import { triedOut } from './changes.mjs';
import { SquareChoice } from './squares.mjs';

/**
 * What people see first, then the rest in the order of the Laws.
 * @type {Code[]}
 */
const CODES = [
  'illegal-move',
  'touch-move-own-piece', 'touch-move-opponent-piece', 'touch-move-both-colours', 'released-piece-moved-again',
  'castling-rook-first', 'castling-not-completed', 'promotion-choice-changed',
  'two-hands', 'clock-other-hand', 'clock-pressed-too-early', 'clock-stopped-without-reason',
  'moved-out-of-turn', 'opponent-touched-pieces-out-of-turn', 'adjust-out-of-turn',
  'colours-reversed', 'position-setup-wrong', 'board-orientation-wrong', 'displacement-found-later',
];

/** @param {{ board: Shown }} props */
export function Report({ board }) {
  // Who is to move when it is opened, until somebody chooses: play goes on meanwhile.
  const [by, setBy] = useState(/** @type {Colour | null} */ (board.turn));
  // Another arbiter may have seen the same, and report it meanwhile.
  const [basis, begin] = useBasis(board);
  const opened = () => {
    setBy(board.turn);
    begin();
  };
  return html`
    <details class="more report" onToggle=${(/** @type {any} */ { currentTarget }) => currentTarget.open && opened()}>
      <summary>${say('report.title')}</summary>
      <p class="hint">${say('report.hint')}</p>
      <form class="form two" aria-label=${say('report.title')} onSubmit=${(/** @type {FormEvent} */ event) => enter(event, board, basis).then(begin)}>
        <label class="wide"><span>${say('report.code')}</span>
          <select name="code">${CODES.map((code) => html`<option value=${code}>${codeTitle(code)}</option>`)}</select></label>
        <label><span>${say('words.by')}</span>
          <select name="by" value=${by ?? ''} onChange=${(/** @type {any} */ { currentTarget }) => setBy(currentTarget.value || null)}>${[...COLOURS, null].map((one) => html`
            <option value=${one ?? ''}>${one ? playerName(board, one) : say('report.nobody')}</option>`)}</select></label>
        <${SquareChoice} label=${say('claim.square')} name="square" fen=${board.fen} />
        <button>${say('report.enter')}</button>
      </form>
    </details>
  `;
}

/**
 * @param {FormEvent} event
 * @param {Shown} board
 * @param {string | undefined} basis what it was decided upon
 */
async function enter(event, board, basis) {
  event.preventDefault();
  const form = event.currentTarget;
  const given = [...new FormData(form)].filter(([, value]) => value);
  const { code, ...fields } = /** @type {{ code: Code, by?: Colour, square?: string }} */ (Object.fromEntries(given));
  const { view, late } = await triedOut(board, report(code, fields));
  const text = say('report.confirm-text', { title: codeTitle(code), by: fields.by ? playerName(board, fields.by) : say('report.nobody') });
  const again = isAgain(board, view ?? null, { code, by: fields.by ?? 'either' });
  const sure = await confirm({
    title: say(again ? 'report.again-title' : 'report.confirm-title', { place: boardPlace(board) }),
    text: again ? say('report.again-text', { text }) : text,
    action: say('report.enter'),
    late,
  });
  if (sure && await sendOrder(board.id, report(code, fields), say('done.report'), basis)) form.reset();
}

/**
 * Whether the same was upheld at the same move already, so that it would count a second time. Where nobody could tell in time which move that is, it is that of the position.
 * @param {Shown} board
 * @param {Trial['view'] | null} view the game as it would stand
 * @param {{ code: Code, by: Party }} reported
 */
function isAgain(board, view, { code, by }) {
  const isSame = (/** @type {Finding} */ one) => one.code === code && one.by === by;
  const known = new Set(board.findings.map(({ id }) => id));
  const plies = view ? view.findings.filter((one) => isSame(one) && !known.has(one.id)).map(({ ply }) => ply) : [board.plies.length, board.plies.length + 1];
  return board.findings.some((one) => isSame(one) && one.status === 'upheld' && plies.includes(one.ply));
}
