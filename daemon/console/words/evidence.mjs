// @ts-check
// Input lines as a person reads them.
import { clockText } from '../state/clock.mjs';
import { claimKind, codeTitle, resultText } from './findings.mjs';
import { say } from './language.mjs';
import { symbolName } from './pieces.mjs';

/**
 * Board time as h:mm:ss.mmm, without leading empty parts.
 * @param {number} ms
 */
export function boardTime(ms) {
  /**
   * @param {number} n
   * @param {number} width
   */
  const pad = (n, width) => String(n).padStart(width, '0');
  const [h, m, s] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  const tail = `${pad(m, h ? 2 : 1)}:${pad(s, 2)}.${pad(ms % 1000, 3)}`;
  return h ? `${h}:${tail}` : tail;
}

/** @param {LineOf<'press'>} e */
const clocks = (e) => (typeof e.white_ms !== 'number' ? '' : ` (${clockText(e.white_ms)} – ${clockText(e.black_ms ?? null)})`);

/**
 * What the places of a line's words hold, besides its own fields.
 * @param {InputLine} e
 * @returns {Places}
 */
function placesOf(e) {
  switch (e.event) {
    case 'place': return { piece: symbolName(e.seen ?? '?') };
    case 'press': return { clocks: clocks(e) };
    case 'claim': return { kind: [claimKind(e.kind), e.move, e.square].filter(Boolean).join(', ') };
    case 'arbiter': return { action: actionText(e) };
    case 'suspect': return { squares: e.squares.join(', ') };
    case 'mating': return { white: say(`mating.${e.white}`), black: say(`mating.${e.black}`) };
    default: return {};
  }
}

/** @param {LineOf<'arbiter'>} e */
function actionText(e) {
  const more = e.action === 'result' ? { result: resultText(e.result) } : e.action === 'report' ? { title: codeTitle(e.code) } : {};
  return say(`action.${e.action}`, { ...e, ...more });
}

/**
 * @param {InputLine} e
 * @returns {Word}
 */
function wordsOf(e) {
  if (e.event === 'draw') return `event.draw-${e.step}`;
  if (e.event === 'suspect' && e.squares.length === 0) return 'event.suspect-none';
  return `event.${e.event}`;
}

/**
 * What one input line says.
 * @param {InputLine} e
 */
export function eventText(e) {
  return say(wordsOf(e), { ...e, ...placesOf(e) });
}

/**
 * The square an input line is about, if it is about one.
 * @param {InputLine} event
 */
export const eventSquare = (event) => ('square' in event && event.square) || null;
