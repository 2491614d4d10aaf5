// @ts-check
// Irregularities that wait for the arbiter, with what he needs to rule.
import { html } from '../app/html.mjs';
import { cancels, queenDue, restsOn, unruled, wasDeclaredLost, straightenedWord, wasPutRight, wouldCut } from '../state/offences.mjs';
import { basisOf, dismiss, sendOrder, uphold, upholdForRecord } from '../state/orders.mjs';
import { notify, useTopic } from '../state/topics.mjs';
import { isOver } from '../state/urgency.mjs';
import { articleText, certaintyText, codeTitle, moveOf, offencesText, party, penaltyText, restsText, resultText } from '../words/findings.mjs';
import { capital, say } from '../words/language.mjs';
import { fenBefore, moveNumber } from '../words/pieces.mjs';
import { boardPlace } from '../words/place.mjs';
import { alone, useAlone } from '../parts/alone.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Icon } from '../parts/icon.mjs';
import { Tag } from '../parts/tag.mjs';
import { followsText, goneBy, triedOut } from './changes.mjs';
import { Evidence } from './evidence.mjs';
import { LiesSo } from './lies.mjs';
import { MoveGroups } from './movegroups.mjs';
import { PutBack } from './putback.mjs';

/** @param {{ findings: Finding[], current: Finding | null } & Record<string, unknown>} props */
export function Findings({ findings, current, ...rest }) {
  return findings.map((finding) => html`<${OpenFinding} key=${finding.id} finding=${finding} marked=${finding === current} ...${rest} />`);
}

/** @param {{ board: Shown, finding: Finding, marked: boolean, may: boolean, onMark: (id: number) => void, onPoint: (squares: string[] | null) => void, onShow: (ply: number) => void }} props */
function OpenFinding({ board, finding, marked, may, onMark, onPoint, onShow }) {
  const mark = () => onMark(finding.id);
  const isPutRight = wasPutRight(finding, board);
  const over = isOver(board);
  const isLate = over && wouldCut(finding, board);
  const straightened = straightenedWord(finding, board);
  const busy = useAlone(rulingOn(board, finding));
  return html`
    <section class=${`need-panel irregularity is-${finding.certainty}${marked ? ' marked' : ''}`} data-finding=${finding.id}
      aria-label=${say('finding.label', { id: finding.id })} onFocusIn=${mark} onMouseEnter=${mark}>
      <header>
        <${Tag} kind="irregularity" word=${`${say('word.irregularity')} · ${certaintyText(finding.certainty)}`} certainty=${finding.certainty} />
        <h2>${codeTitle(finding.code)}</h2>
        <p class="sub">${party(finding.by)} · <${Citation} finding=${finding} /> · ${moveOf(board, finding)}</p>
      </header>
      ${finding.undone ? html`<p class="put-right"><${Icon} name="check" /> ${say('finding.undone')}</p><p class="hint">${say('finding.then', { text: finding.text })}</p>` : isPutRight
        ? html`<p class="put-right"><${Icon} name="check" /> ${say('finding.put-right')}</p><p class="hint">${say('finding.then', { text: finding.text })}</p>`
        : straightened
          ? html`<p class="put-right"><${Icon} name="check" /> ${say(straightened)}</p><p class="hint">${say('finding.then', { text: finding.text })}</p>`
          : html`<p>${finding.text}</p>`}
      ${over && html`<p class="hint after-end">${isLate ? say('late.cut', { number: moveNumber(board, finding.ply).replace(/[.…]+$/, '') }) : say('late.kept')}</p>`}
      ${!isPutRight && !finding.undone && !over && !finding.penalty?.then && !queenDue(finding, board) && finding.required && finding.ply <= board.plies.length + 1 && html`
        <div class="required"><h3>${say('finding.required')}</h3><${MoveGroups} fen=${fenBefore(board, finding.ply)} moves=${finding.required} /></div>`}
      <${Penalty} board=${board} finding=${finding} />
      ${!over && html`<${ClaimWindow} claim=${finding.claim} />`}
      <${Evidence} lines=${finding.evidence} record=${board} onPoint=${onPoint} />
      <div class="buttons">
        ${may && html`<button class="strong" aria-busy=${busy} onClick=${() => upholdFinding(board, finding)}><${Icon} name="check" /> ${say(isLate ? 'finding.uphold-record' : 'finding.uphold')}${marked && html` <kbd>u</kbd>`}</button>`}
        ${may && isLate && html`<${PutBack} board=${board} finding=${finding} />`}
        ${may && finding.code === 'board-orientation-wrong' && finding.squares.map((corner) => html`<${LiesSo} board=${board} corner=${corner} />`)}
        ${may && html`<button aria-busy=${busy} onClick=${() => dismissFinding(board, finding)}><${Icon} name="cross" /> ${say('finding.dismiss')}${marked && html` <kbd>d</kbd>`}</button>`}
        ${!finding.undone && html`<button class="quiet" onClick=${() => onShow(finding.ply - 1)}>${say('finding.before')}</button>`}
      </div>
    </section>
  `;
}

/**
 * The article; a number that nobody has read in the text of the edition is marked.
 * @param {{ finding: Finding }} props
 */
function Citation({ finding }) {
  const why = finding.article_unconfirmed ? say('article.unconfirmed-why') : null;
  return html`<span class=${why ? 'unconfirmed' : null} title=${why}>${capital(articleText(finding))}</span>`;
}

/**
 * What the Laws propose, and how many such offences count already.
 * @param {{ board: Shown, finding: Finding }} props
 */
function Penalty({ board, finding }) {
  const penalty = penaltyText(finding, isOver(board));
  if (!penalty) return null;
  const count = offencesText(board, finding.by, { of: 'finding.count', free: 'finding.count-free' });
  const open = unruled(board, finding.by).length;
  return html`<p class="penalty">${penalty}${restsText(board, restsOn(board, finding))}
    ${count && html` <span class="count-of">${count}${open ? ` (${say('offences.unruled', { n: open })})` : ''}</span>`}</p>`;
}

/**
 * Who may claim it, and until when; or that it is too late.
 * @param {{ claim: Finding["claim"] }} props
 */
function ClaimWindow({ claim }) {
  if (!claim) return null;
  const state = claim.open ? 'open' : 'closed';
  const { until } = claim;
  const [what, moves] = typeof until === 'string' ? [until, undefined] : [/** @type {const} */ ('moves'), until.moves];
  const key = claim.open ? /** @type {const} */ (`claim.until-${what}`) : 'claim.closed';
  return html`<p class=${`claim-window is-${state}`}><i aria-hidden="true"></i> ${say(key, { by: claim.by, moves })}</p>`;
}

/** @param {Finding} finding */
const described = (finding) => say('finding.described', {
  title: codeTitle(finding.code),
  by: finding.by,
  article: articleText(finding),
  certainty: certaintyText(finding.certainty),
});

/** What was ruled on last on this page. @type {{ game: string, finding: number } | null} */
let ruled = null;

/** The finding of a game that was ruled on last on this page. @param {string | undefined} game */
export function useRuledHere(game) {
  useTopic('ruled-here');
  return ruled?.game === game ? ruled?.finding : null;
}

/** @param {Shown} board @param {Finding} finding @param {Order} order @param {string} done @param {number} [confirmed] half-moves that go */
function rule(board, finding, order, done, confirmed) {
  ruled = { game: board.game, finding: finding.id };
  notify('ruled-here');
  return sendOrder(board.id, order, done, basisOf(board), undefined, confirmed);
}

/** What one ruling is, of which only one is begun at a time. @param {Shown} board @param {Finding} finding */
const rulingOn = ({ game }, { id }) => `${game} ${id}`;

/** @param {Shown} board @param {Finding} finding */
export const upholdFinding = (board, finding) => alone(rulingOn(board, finding), () => askUphold(board, finding));

/** @param {Shown} board @param {Finding} finding */
export const dismissFinding = (board, finding) => alone(rulingOn(board, finding), () => askDismiss(board, finding));

/**
 * @param {Shown} board
 * @param {Finding} finding
 */
async function askUphold(board, finding) {
  const over = isOver(board);
  if (over && wouldCut(finding, board)) return askForRecord(board, finding);
  const plays = finding.required && !finding.penalty?.then && !queenDue(finding, board);
  const tried = await triedOut(board, uphold(finding.id));
  const gone = goneBy(board, tried);
  const text = over ? 'late.uphold-text' : cancels(finding) ? 'finding.uphold-text-cancels' : finding.undone ? 'finding.uphold-text-undone' : wasPutRight(finding, board) ? 'finding.uphold-text-put-right' : plays ? 'finding.uphold-text-moves' : 'finding.uphold-text';
  const sure = await confirm({
    title: say('finding.uphold-title', { place: boardPlace(board) }),
    text: [say(text, { finding: described(finding) }), ...followsText(tried), ...(gone && finding.claim && !finding.claim.open ? [say('cut.late')] : [])].join(' '),
    action: say('finding.uphold'),
    danger: gone !== undefined,
    late: tried.late,
  });
  if (sure) rule(board, finding, uphold(finding.id), say('done.uphold'), gone);
}

/** What would take half-moves out of a game that has its result is upheld without consequence. @param {Shown} board @param {Finding} finding */
async function askForRecord(board, finding) {
  const sure = await confirm({
    title: say('finding.uphold-title', { place: boardPlace(board) }),
    text: say('late.record-text', { finding: described(finding) }),
    action: say('finding.uphold-record'),
  });
  if (sure) rule(board, finding, upholdForRecord(finding.id), say('done.uphold'));
}

/**
 * @param {Shown} board
 * @param {Finding} finding
 */
async function askDismiss(board, finding) {
  const tried = await triedOut(board, dismiss(finding.id));
  const declared = wasDeclaredLost(finding, board) ? board.result : null;
  const stays = declared && say('follows.result-stays', { result: resultText(declared.result) });
  const sure = await confirm({
    title: say('finding.dismiss-title', { place: boardPlace(board) }),
    text: [say('finding.dismiss-text', { finding: described(finding) }), ...followsText(tried), stays].filter(Boolean).join(' '),
    action: say('finding.dismiss'),
    late: tried.late,
  });
  if (sure) rule(board, finding, dismiss(finding.id), say('done.dismiss'));
}
