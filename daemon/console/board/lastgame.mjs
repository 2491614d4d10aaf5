// @ts-check
// Between two games: the pieces of the last one stand there, or what is set up for the next, and it is said which is which.
import { html } from '../app/html.mjs';
import { toGame } from '../app/route.mjs';
import { isOver } from '../state/urgency.mjs';
import { phaseText } from '../words/findings.mjs';
import { capital, say } from '../words/language.mjs';
import { playerName } from '../words/players.mjs';
import { Icon } from '../parts/icon.mjs';
import { ToRecord } from '../parts/torecord.mjs';

/**
 * The game that is to be played on a board where the one at hand is over; null where there is none, or the one at hand goes on.
 * @param {Shown} board
 */
export const nextOn = (board) => board.unset ?? (isOver(board) ? board.next : null);

/** Who is to play there. @param {{ next: { white: string, black: string, round: string } }} props */
export function NextGame({ next: { white, black, round } }) {
  return html`
    <section class="panel next-game" aria-label=${say('next.title')}>
      <h2>${say('next.title')}</h2>
      <p><b>${white || say('new.white')} – ${black || say('new.black')}</b> <span class="hint">${placeOf(round)}</span></p>
      <p class="hint">${say('next.waits')}</p>
    </section>
  `;
}

/** A round as it is told, such as `3.12`. @param {string} round */
function placeOf(round) {
  const [number, table] = round.split('.').map(Number);
  return [number && say('desk.round', { n: number }), table && say('incident.table', { n: table })].filter(Boolean).join(', ');
}

/** Above all that is of the game before. @param {{ board: Shown, isConfirmed: boolean }} props */
export const LastGame = ({ board, isConfirmed }) => html`
  <section class="panel last-game" aria-label=${say('last.title')}>
    <h2>${say('last.title')}</h2>
    <p><b>${playerName(board, 'white')} – ${playerName(board, 'black')}</b> · ${phaseText(board)}${isConfirmed && html` <span class="stamp">${say('stand.confirmed')}</span>`}</p>
    ${board.rests_on_dismissed && html`<p class="hint fell"><${Icon} name="doubt" /> ${capital(say('offences.fell'))}</p>`}
    <p><${ToRecord} to=${toGame(board.game)} or=${null}>${say('games.game')} ${board.game}<//></p>
  </section>
`;
