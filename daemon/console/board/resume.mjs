// @ts-check
// A game that is stopped goes on; one that is postponed is played on from its round.
import { html } from '../app/html.mjs';
import { toRound } from '../app/route.mjs';
import { usePlayed } from '../state/floor.mjs';
import { basisOf, resume, sendOrder } from '../state/orders.mjs';
import { say } from '../words/language.mjs';

/** @param {{ board: Shown }} props */
export function Resume({ board }) {
  const { round, pairing } = usePlayed(board.game, board.round);
  if (round && pairing?.postponed) return html`<span>${say('orders.postponed')} <a href=${toRound(round.round)}>${say('desk.round', { n: round.round })}</a></span>`;
  return html`<button onClick=${() => sendOrder(board.id, resume(), say('done.resume'), basisOf(board))}>${say('orders.resume')}</button>`;
}
