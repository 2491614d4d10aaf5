// @ts-check
// One board large: the position, what needs the arbiter, the record, and what he can order.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toHall } from '../app/route.mjs';
import { useConfirmed } from '../state/floor.mjs';
import { useLink } from '../state/link.mjs';
import { leftOn } from '../state/offences.mjs';
import { useRightsAt } from '../state/rights.mjs';
import { boardById, useWholeBoard } from '../state/store.mjs';
import { entered } from '../state/tables.mjs';
import { useTexts } from '../state/texts.mjs';
import { subscribe } from '../state/topics.mjs';
import { openFindings } from '../state/urgency.mjs';
import { phaseText, rulesText } from '../words/findings.mjs';
import { capital, say } from '../words/language.mjs';
import { boardAndTable } from '../words/place.mjs';
import { TableBreaks } from '../floor/breaks.mjs';
import { Notes } from '../floor/notes.mjs';
import { TableObserved } from '../floor/observed.mjs';
import { useGoOn } from '../parts/focus.mjs';
import { Icon } from '../parts/icon.mjs';
import { Checklist } from './checklist.mjs';
import { Doubts, ProposedResult } from './doubts.mjs';
import { Fault } from './fault.mjs';
import { Findings, dismissFinding, upholdFinding, useRuledHere } from './findings.mjs';
import { Settled } from './settled.mjs';
import { LastGame, NextGame, nextOn } from './lastgame.mjs';
import { Lately } from './lately.mjs';
import { useShownPly } from './history.mjs';
import { Moves } from './moves.mjs';
import { Obligation } from './obligation.mjs';
import { Orders } from './orders.mjs';
import { Position } from './position.mjs';
import { Restore } from './restore.mjs';
import { Sensors } from './sensors.mjs';
import { Swapped } from './swapped.mjs';
import { UnsetPanel, asUnset } from './unset.mjs';

/** @typedef {import('../state/rights.mjs').Rights} Rights */

/** Of a board that is not there. */
const NOTHING = { findings: [], doubts: [], result_text: null };

/** What comes next once something is ruled on. */
const AFTER_RULING = ['.to-do .steps:has(> .first)', '.need-panel.irregularity', '.need-panel.proposed', 'h1'];

/** @param {Finding} finding */
const isCertain = (finding) => finding.certainty === 'certain';

/**
 * A result that somebody has confirmed stands, whatever the board has seen: nobody plays any more.
 * @param {Shown} board
 * @param {string} [result]
 * @returns {Shown}
 */
function withResult(board, result) {
  if (!result) return board;
  const said = /** @type {GameResult} */ (entered(result));
  const reason = board.result?.result === said ? board.result.reason : null;
  return { ...board, state: 'ended', result: /** @type {Shown['result']} */ ({ ...board.result, result: said, reason, proposed: false }) };
}

/** What is at tables of others is seen, and ordered by them. @param {{ rights: Rights | null }} props */
function NotHis({ rights }) {
  if (!rights || rights.rules) return null;
  const { elsewhere } = rights;
  return html`<p class="hint">${elsewhere
    ? say('incident.foreign', { table: say('incident.table', { n: elsewhere.table }), tables: elsewhere.tables.replace('-', '–') })
    : say('incident.not-his')}</p>`;
}

/** What only an arbiter of the table may answer. @param {{ rights: Rights | null, children?: unknown }} props */
const Offered = ({ rights, children }) => html`<fieldset class="others" disabled=${!rights?.rules}>${children}</fieldset>`;

/** @param {{ id: string }} props */
export function Room({ id }) {
  const link = useLink();
  const told = useWholeBoard(id);
  const read = useTexts(told?.game ?? '', told ?? NOTHING);
  const rights = useRightsAt(id);
  const may = rights?.rules ?? false;
  const confirmed = useConfirmed(told?.game ?? '', told?.round);
  const board = told && withResult(/** @type {Shown} */ (read), confirmed?.result);
  const [marked, setMarked] = useState(/** @type {number | null} */ (null));
  const [pointed, setPointed] = useState(/** @type {string[] | null} */ (null));
  const history = useShownPly(board);
  const open = board ? openFindings(board) : [];
  const current = open.find((finding) => finding.id === marked) ?? open[0] ?? null;

  useGoOn(open.map((finding) => finding.id), useRuledHere(told?.game), AFTER_RULING);
  useEffect(() => subscribe('key', (said) => {
    if (said === 'uphold' && board && current && may) upholdFinding(board, current);
    if (said === 'dismiss' && board && current && may) dismissFinding(board, current);
  }), [board, current, may]);

  const ruling = { board, current, may, onMark: setMarked, onPoint: setPointed, onShow: history.show };
  // Which boards there are is told first, each in whole in a moment; without a line it is not.
  if (!board && (boardById(id) || !link.version)) return link.status === 'live' ? null : html`<p class="empty">${say('hall.connecting')}</p>`;
  if (!board) return html`<p class="empty">${say('room.none', { board: id })} <a href=${toHall()}>${say('bar.all')}</a></p>`;
  // What was found in the game before is not drawn over what stands there now.
  const isUnset = Boolean(board.unset) && history.shown === null;
  const next = nextOn(board);
  const left = next ? 0 : leftOn(board);
  return html`
    <div class="room-head">
      <a class="back" href=${toHall()}><${Icon} name="back" /> ${say('bar.all')}</a>
      <h1>${boardAndTable(id, board)}${board.name && board.name !== id ? ` · ${board.name}` : ''}</h1>
      <p class=${`phase${board.result?.proposed ? ' proposed' : ''}`}><strong>${next ? say('next.phase', { round: next.round.split('.')[0] }) : phaseText(board)}</strong>${confirmed && !next && html`<span class="stamp">${say('stand.confirmed')}</span>`}${board.rests_on_dismissed && !next && html`<span class="hint fell"><${Icon} name="doubt" /> ${capital(say('offences.fell'))}</span>`}${left > 0 && html`<span class="hint fell"><${Icon} name="doubt" /> ${capital(say('offences.rests-unruled', { n: left }))}</span>`}${!next && html`<span class="game-name">${board.game}</span>`}</p>
      ${board.laws && html`<p class="rules" title=${say('laws.title')}>${rulesText(board)}</p>`}
    </div>
    <div class="room">
      <${Position} board=${isUnset ? asUnset(board) : board} history=${history} finding=${isUnset ? null : current} pointed=${pointed} />
      <div class="side-needs">
        <${NotHis} rights=${rights} />
        ${next && html`<${NextGame} next=${next} /><${LastGame} board=${board} isConfirmed=${Boolean(confirmed)} />`}
        <${Swapped} board=${board} />
        <${Checklist} board=${board} may=${may} />
        <${Findings} findings=${open.filter(isCertain)} ...${ruling} />
        <${Offered} rights=${rights}><${UnsetPanel} board=${board} /><//>
        <${Offered} rights=${rights}><${ProposedResult} board=${board} isFirst=${!open.some(isCertain)} /><//>
        <${Offered} rights=${rights}><${Restore} board=${board} /><${Doubts} board=${board} onPoint=${setPointed} /><//>
        <${Fault} board=${board} />
        <${Findings} findings=${open.filter((finding) => !isCertain(finding))} ...${ruling} />
        <${Obligation} board=${board} />
        <${Settled} board=${board} />
        <${Sensors} board=${board} />
        <${Lately} board=${board} />
      </div>
      <div class="side-game">
        <${Moves} board=${board} history=${history} isLast=${Boolean(next)} />
        <${Offered} rights=${rights}><${TableObserved} game=${board.game} of=${board.round} /><${TableBreaks} game=${board.game} /><//>
        ${rights?.pauses && html`<${Orders} board=${board} history=${history} rights=${rights} confirmed=${confirmed} isLast=${Boolean(next)} />`}
        <${Offered} rights=${rights}><${Notes} about=${{ game: board.game }} /><//>
      </div>
    </div>
  `;
}
