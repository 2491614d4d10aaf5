// @ts-check
// Where nobody knows what was played: that the board was not there shortly before may be why.
import { html } from '../app/html.mjs';
import { useEventFile } from '../state/event.mjs';
import { now, useIncidents } from '../state/incidents.mjs';
import { say } from '../words/language.mjs';

/** Faults in which nothing is heard of a board. */
const AWAY = new Set(['unplugged', 'no-such-port', 'no-such-usb', 'not-reached', 'no-answer', 'silent', 'deaf', 'cannot-open']);
/** Questions that may rest on what nobody saw. @type {Set<Doubt['kind']>} */
const UNSEEN = new Set(['thread-lost', 'position-unknown', 'ambiguous-move', 'board-turned']);
/** What was longer ago has been played on from. */
const SHORTLY_MS = 15 * 60_000;

/** @param {number} at */
const hourOf = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/**
 * From when to when the board was away last before something was asked; null where it was not.
 * @param {BoardFault[]} faults
 * @param {string} board
 * @param {number} asked when, in milliseconds since 1970
 * @returns {{ from: number, to: number | null } | null}
 */
export function awayBefore(faults, board, asked) {
  const isMeant = (/** @type {BoardFault} */ fault) => fault.board === board && fault.what.some(({ kind }) => AWAY.has(kind)) && fault.since <= asked && (fault.until ?? asked) >= asked - SHORTLY_MS;
  const last = faults.findLast(isMeant);
  if (!last) return null;
  // One line is said to fail in several ways, one after the other.
  const joined = faults.filter((fault) => isMeant(fault) && fault.since <= (last.until ?? asked) && (fault.until ?? asked) >= last.since);
  const ends = joined.map(({ until }) => until);
  return { from: Math.min(...joined.map(({ since }) => since)), to: ends.includes(null) ? null : Math.max(...ends.map(Number)) };
}

/** @param {{ board: Shown, doubt: Doubt }} props */
export function AwayBefore({ board, doubt }) {
  const asked = useIncidents().find(({ id }) => id === `${board.game}.${doubt.ply}`)?.since ?? now();
  const isAsked = UNSEEN.has(doubt.kind);
  const { told } = useEventFile(isAsked ? 'api/faults' : null, undefined, 'open');
  const away = isAsked && told ? awayBefore(/** @type {BoardFault[]} */ (told), board.id, asked) : null;
  if (!away) return null;
  return html`<p class="hint away">${away.to === null ? say('doubt.away-still', { from: hourOf(away.from) }) : say('doubt.away', { from: hourOf(away.from), to: hourOf(away.to) })}</p>`;
}
