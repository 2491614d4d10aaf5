// Input lines as a person reads them.
import { clockText } from '../state/clock.mjs';
import { capital, symbolName } from './pieces.mjs';

/** Board time as h:mm:ss.mmm, without leading empty parts. */
export function boardTime(ms) {
  const pad = (n, width) => String(n).padStart(width, '0');
  const [h, m, s] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1000) % 60];
  const tail = `${pad(m, h ? 2 : 1)}:${pad(s, 2)}.${pad(ms % 1000, 3)}`;
  return h ? `${h}:${tail}` : tail;
}

const clocks = (e) => (e.white_ms === undefined ? '' : ` (${clockText(e.white_ms)} – ${clockText(e.black_ms ?? null)})`);

const WORDS = {
  setup: (e) => `game ${e.game || ''} set up`,
  lift: (e) => `${e.square} became empty`,
  place: (e) => `${e.square} now holds ${symbolName(e.seen ?? '?')}`,
  snapshot: () => 'the whole board was read',
  press: (e) => `${capital(e.by)} pressed the clock${clocks(e)}`,
  adjust: (e) => `${capital(e.by)} announced an adjustment`,
  'flag-fall': (e) => `${capital(e.by)}’s flag fell`,
  stop: (e) => `${capital(e.by)} stopped the clocks`,
  claim: (e) => `${capital(e.by)} claimed ${e.kind.replaceAll('-', ' ')}${e.square ? ` on ${e.square}` : ''}`,
  draw: (e) => `${capital(e.by)}: draw ${e.step}`,
  resign: (e) => `${capital(e.by)} resigned`,
  arbiter: (e) => `the arbiter: ${e.action.replaceAll('-', ' ')}`,
  tick: () => 'time passed',
};

/** What one input line says. */
export const eventText = (event) => (WORDS[event.event] ?? (() => event.event))(event);

/** The square an input line is about, if it is about one. */
export const eventSquare = (event) => event.square ?? null;
