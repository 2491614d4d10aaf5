// @ts-check
// One board large: the position, what needs the arbiter, the record, and what he can order.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toHall } from '../app/route.mjs';
import { useLink } from '../state/link.mjs';
import { boardById, useWholeBoard } from '../state/store.mjs';
import { useTexts } from '../state/texts.mjs';
import { subscribe } from '../state/topics.mjs';
import { openFindings } from '../state/urgency.mjs';
import { phaseText, rulesText } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { TableBreaks } from '../floor/breaks.mjs';
import { Notes } from '../floor/notes.mjs';
import { Icon } from '../parts/icon.mjs';
import { Doubts, ProposedResult } from './doubts.mjs';
import { Fault } from './fault.mjs';
import { Findings, dismissFinding, upholdFinding } from './findings.mjs';
import { Settled } from './settled.mjs';
import { Lately } from './lately.mjs';
import { useShownPly } from './history.mjs';
import { Moves } from './moves.mjs';
import { Obligation } from './obligation.mjs';
import { Orders } from './orders.mjs';
import { Position } from './position.mjs';
import { Restore } from './restore.mjs';
import { Sensors } from './sensors.mjs';

/** Of a board that is not there. */
const NOTHING = { findings: [], doubts: [], result_text: null };

/** @param {Finding} finding */
const isCertain = (finding) => finding.certainty === 'certain';

/** @param {{ id: string }} props */
export function Room({ id }) {
  const link = useLink();
  const told = useWholeBoard(id);
  const read = useTexts(told?.game ?? '', told ?? NOTHING);
  const board = told && /** @type {Shown} */ (read);
  const [marked, setMarked] = useState(/** @type {number | null} */ (null));
  const [pointed, setPointed] = useState(/** @type {string[] | null} */ (null));
  const history = useShownPly(board);
  const open = board ? openFindings(board) : [];
  const current = open.find((finding) => finding.id === marked) ?? open[0] ?? null;

  useEffect(() => subscribe('key', (said) => {
    if (said === 'uphold' && board && current) upholdFinding(board, current);
    if (said === 'dismiss' && board && current) dismissFinding(board, current);
  }), [board, current]);

  const ruling = { board, current, onMark: setMarked, onPoint: setPointed, onShow: history.show };
  // It is told in whole in a moment; without a line it is not.
  if (!board && boardById(id)) return link.status === 'live' ? null : html`<p class="empty">${say('hall.connecting')}</p>`;
  if (!board) return html`<p class="empty">${say('room.none', { board: id })} <a href=${toHall()}>${say('bar.all')}</a></p>`;
  return html`
    <div class="room-head">
      <a class="back" href=${toHall()}><${Icon} name="back" /> ${say('bar.all')}</a>
      <h1>${id}${board.name && board.name !== id ? ` · ${board.name}` : ''}</h1>
      <p class=${`phase${board.result?.proposed ? ' proposed' : ''}`}><strong>${phaseText(board)}</strong><span class="game-name">${board.game}</span></p>
      ${board.laws && html`<p class="rules" title=${say('laws.title')}>${rulesText(board)}</p>`}
    </div>
    <div class="room">
      <${Position} board=${board} history=${history} finding=${current} pointed=${pointed} />
      <div class="side-needs">
        <${ProposedResult} board=${board} />
        <${Findings} findings=${open.filter(isCertain)} ...${ruling} />
        <${Restore} board=${board} />
        <${Doubts} board=${board} onPoint=${setPointed} />
        <${Fault} board=${board} />
        <${Findings} findings=${open.filter((finding) => !isCertain(finding))} ...${ruling} />
        <${Obligation} board=${board} />
        <${Settled} board=${board} />
        <${Sensors} board=${board} />
        <${Lately} id=${id} />
      </div>
      <div class="side-game">
        <${Moves} board=${board} history=${history} />
        <${TableBreaks} game=${board.game} />
        <${Orders} board=${board} history=${history} />
        <${Notes} about=${{ game: board.game }} />
      </div>
    </div>
  `;
}
