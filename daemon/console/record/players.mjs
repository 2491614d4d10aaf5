// @ts-check
// Penalties of the event (Article 12.9), and a file of each player. Nothing is added up: only the regulations could say how.
import { html } from '../app/html.mjs';
import { toGame } from '../app/route.mjs';
import { addedSince } from '../floor/given.mjs';
import { PenaltyForm, penaltyLine, takePenaltyBack } from '../floor/penalty.mjs';
import { useEventFile } from '../state/event.mjs';
import { useAwaited } from '../state/floor.mjs';
import { useIsChief } from '../state/me.mjs';
import { boardOf } from '../state/tables.mjs';
import { codeTitle } from '../words/findings.mjs';
import { say, titled } from '../words/language.mjs';
import { breaksText } from '../floor/breaks.mjs';
import { NoteList } from '../floor/notes.mjs';
import { findingsOf } from './gather.mjs';
import { broughtText } from './brought.mjs';

/** @typedef {import('./gather.mjs').Played} Played */

/** What was entered in a hall is taken back there. @typedef {EventDocument['penalties'][number] & { from?: string }} Entered */

/** @param {{ event: EventDocument, round?: number }} props */
export function Penalties({ event, round }) {
  const shown = event.penalties.filter((/** @type {Entered} */ one) => !round || one.round === round);
  /** @param {number} number */
  const name = (number) => event.players.find((player) => player.number === number)?.name ?? number;
  const isChief = useIsChief();
  const of = round ?? event.rounds.at(-1)?.round ?? 1;
  const { told: played } = useEventFile(isChief && event.rounds.length > 0 ? `api/rounds/${of}` : null);
  // Of which boards games are awaited the round under way says, and no other that is reported.
  const underWay = event.rounds.findLast(({ stage }) => stage === 'under-way')?.round;
  useAwaited(of === underWay ? played : null);
  /** @param {number} number @returns {import('../floor/penalty.mjs').Seat | null} */
  const seatOf = (number) => {
    const pairing = /** @type {Round | null} */ (played)?.pairings.find(({ white, black }) => black && (white.number === number || black.number === number));
    const board = pairing?.game ? boardOf(pairing) : null;
    return pairing && board ? { board, colour: pairing.white.number === number ? 'white' : 'black', added: addedSince(board, event, of, pairing) } : null;
  };
  return html`
    <h2>${say('report.penalties')}</h2>
    ${shown.length === 0 ? html`<p>${say('report.none')}</p>` : html`<ul class="plain-list">${shown.map((/** @type {Entered} */ one) => html`<li><b>${name(one.player)}</b>, ${penaltyLine(one)}
      ${event.open && isChief && !one.from && html`<button class="no-print" onClick=${() => takePenaltyBack(one, name(one.player))}>${say('given.take-back')}</button>`}</li>`)}</ul>`}
    ${event.players.length > 0 && event.open && isChief && html`
      <details class="more no-print"><summary>${say('penalty.note')}</summary><${PenaltyForm} players=${event.players} round=${of} noted=${event.penalties} seatOf=${seatOf} /></details>`}
  `;
}

/** Every player of whom something was written down. @param {{ event: EventDocument, all: Played[], notes: Noted[], breaks: { round: number, isOver: boolean, breaks: Breaks[] }[] }} props */
export function PlayerFiles({ event, all, notes, breaks }) {
  const upheld = findingsOf(all, 'upheld');
  const files = event.players.map((player) => ({
    player,
    penalties: event.penalties.filter((one) => one.player === player.number),
    findings: upheld.filter(({ pairing, finding }) => (finding.by === 'white' && pairing.white.number === player.number) || (finding.by === 'black' && pairing.black?.number === player.number)),
    forfeits: all.filter(({ pairing }) => pairing.how === 'forfeit' && ((pairing.white.number === player.number && pairing.codes?.[0] === '-') || (pairing.black?.number === player.number && pairing.codes?.[1] === '-'))),
    // What is about his table is told there.
    noted: notes.filter(({ about }) => about.length === 1 && about[0].number === player.number),
    left: breaks.flatMap(({ round, isOver, breaks: all }) => all.filter((one) => one.player.number === player.number).map((one) => ({ round, isOver, one }))),
  })).filter(({ penalties, findings, forfeits, noted, left }) => penalties.length + findings.length + forfeits.length + noted.length + left.length > 0);
  if (files.length === 0) return null;
  return html`
    <h2>${say('report.players')}</h2>
    ${files.map(({ player, penalties, findings, forfeits, noted, left }) => html`
      <section class="player-file"><h3>${player.number} ${player.title} ${player.name}</h3>
        <ul class="plain-list">
          ${findings.map(({ round, from, isNone, game, finding }) => html`<li>${say('desk.round', { n: round })}: <a href=${from + toGame(game.id)}>${codeTitle(finding.code)}</a>${isNone ? ` (${say('report.annulled')})` : ''}${finding.penalty ? `. ${broughtText(game, finding)}` : ''}</li>`)}
          ${penalties.map((one) => html`<li>${penaltyLine(one)}</li>`)}
          ${forfeits.map(({ round }) => html`<li>${titled(say('desk.round', { n: round }), say('how.forfeit'))}</li>`)}
          ${left.map(({ round, isOver, one }) => html`<li>${titled(say('desk.round', { n: round }), breaksText(one, isOver))}</li>`)}
        </ul><${NoteList} notes=${noted} /></section>`)}
  `;
}
