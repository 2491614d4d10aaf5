// @ts-check
// One incident in one line: table, what, how sure, whose clock, how old.
import { html } from '../app/html.mjs';
import { toIncident } from '../app/route.mjs';
import { isOverdue, isPlayed, isSentHere, now } from '../state/incidents.mjs';
import { observersOf, useObserved } from '../state/observed.mjs';
import { proposedOn } from '../state/offences.mjs';
import { roomOf } from '../state/room.mjs';
import { boardById } from '../state/store.mjs';
import { openOf, signOf, standText, titleOf } from '../words/incidents.mjs';
import { say } from '../words/language.mjs';
import { earlierRound } from '../words/place.mjs';
import { ObservedMark } from '../floor/observed.mjs';
import { Clock } from '../parts/clock.mjs';
import { Tag } from '../parts/tag.mjs';
import { useOnItsWay } from '../state/outbox.mjs';

/**
 * At a hub with the hall; of a game of an earlier round with that.
 * @param {{ incident: Incident, hall?: string }} props
 */
export function Row({ incident, hall }) {
  const round = earlierRound(incident);
  const board = boardById(incident.board);
  const waits = useOnItsWay(incident.id)?.late;
  // What a hub knows of another hall says nothing of that.
  const observers = observersOf(useObserved(), hall === undefined && isPlayed(incident) ? incident.table : null);
  const clock = board && incident.at_hand && board.game === incident.game ? board : null;
  return html`
    <li class=${`incident is-${signOf(incident).kind} state-${incident.state}${incident.past ? ' past' : ''}${isOverdue(incident) ? ' overdue' : ''}${isSentHere(incident) ? ' sent-here' : ''}`} data-incident=${incident.id}>
      <a href=${`${hall === undefined ? '' : roomOf(hall)}${toIncident(incident.id)}`}>
        <b class=${`table-number${incident.table === null ? ' of-board' : ''}`}>${incident.table ?? incident.board}</b>
        <span class="what"><strong>${titleOf(incident)}</strong>${incident.proposed && proposedOn(clock).length > 0 && html` <span class="hint">${say('result.rests')}</span>`}
          <span class="whom"><${Tag} ...${signOf(incident)} /> ${hall !== undefined && html`<span class="pair">${hall}</span>`}${round && html`<span class="pair">${say('desk.round', { n: round })}</span>`}<${Pair} incident=${incident} /><${ObservedMark} observers=${observers} named /></span></span>
        <span class="when">${clock && html`<i class=${`stone ${clock.turn}`} aria-hidden="true"></i><${Clock} board=${clock} colour=${clock.turn} coarse />`}
          <span class="stand">${waits ? say('waiting.kept') : isOverdue(incident) ? say('incident.unseen', { age: standText(incident, now()) }) : standText(incident, now())}</span></span>
      </a>
    </li>
  `;
}

/**
 * Both players, each with half of the place where both do not fit; the one whom it is about is bold.
 * @param {{ incident: Incident }} props
 */
function Pair({ incident }) {
  const { white, black } = incident;
  if (!white && !black) return null;
  // Whom the title is about.
  const about = (openOf(incident)[0] ?? incident.findings[0])?.by;
  return html`<span class="pair of-two"><span>${about === 'white' ? html`<b>${white}</b>` : white}</span> – <span>${about === 'black' ? html`<b>${black}</b>` : black}</span></span>`;
}
