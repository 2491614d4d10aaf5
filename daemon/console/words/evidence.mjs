// Input lines as a person reads them.
import { clockText } from '../state/clock.mjs';
import { claimKind, codeTitle, resultText } from './findings.mjs';
import { has, say } from './language.mjs';
import { symbolName } from './pieces.mjs';

/** Board time as h:mm:ss.mmm, without leading empty parts. */
export function boardTime(ms) {
  const pad = (n, width) => String(n).padStart(width, '0');
  const [h, m, s] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  const tail = `${pad(m, h ? 2 : 1)}:${pad(s, 2)}.${pad(ms % 1000, 3)}`;
  return h ? `${h}:${tail}` : tail;
}

const clocks = (e) => (e.white_ms === undefined ? '' : ` (${clockText(e.white_ms)} – ${clockText(e.black_ms ?? null)})`);

/** What the places of a line's words hold, besides its own fields. */
const PLACES = {
  place: (e) => ({ piece: symbolName(e.seen ?? '?') }),
  press: (e) => ({ clocks: clocks(e) }),
  claim: (e) => ({ kind: [claimKind(e.kind), e.move, e.square].filter(Boolean).join(', ') }),
  arbiter: (e) => ({ action: actionText(e) }),
  mating: (e) => ({ white: say(`mating.${e.white}`), black: say(`mating.${e.black}`) }),
};

function actionText(e) {
  const key = `action.${e.action}`;
  if (!has(key)) return e.action.replaceAll('-', ' ');
  return say(key, { ...e, result: e.result && resultText(e.result), title: e.code && codeTitle(e.code) });
}

/** What one input line says. */
export function eventText(e) {
  const key = e.event === 'draw' ? `event.draw-${e.step}` : `event.${e.event}`;
  return has(key) ? say(key, { ...e, ...PLACES[e.event]?.(e) }) : e.event;
}

/** The square an input line is about, if it is about one. */
export const eventSquare = (event) => event.square ?? null;
