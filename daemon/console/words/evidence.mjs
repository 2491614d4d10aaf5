// @ts-check
// Input lines as a person reads them.
import { clockText } from '../state/clock.mjs';
import { claimKind, codeTitle, namedFinding, resultText } from './findings.mjs';
import { say } from './language.mjs';
import { fenBefore, localSan, moveName, moveNumber, pieceName, symbolName } from './pieces.mjs';

/** The record that a line is of. @typedef {{ start_fen: string, plies: PlyRecord[], fen: string }} Recorded */

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
 * @param {InputLine[]} all
 * @param {Recorded} [record]
 * @returns {Places}
 */
function placesOf(e, all, record) {
  switch (e.event) {
    case 'place': return { piece: symbolName(e.seen ?? '?') };
    case 'press': return { clocks: clocks(e) };
    case 'claim': return { kind: [claimKind(e.kind), e.move && claimedMove(e, e.move, record), e.square].filter(Boolean).join(', ') };
    case 'arbiter': return { action: actionText(e, all, record) };
    case 'suspect': return { squares: e.squares.join(', ') };
    case 'mating': return { white: say(`mating.${e.white}`), black: say(`mating.${e.black}`) };
    default: return {};
  }
}

/** The move that is meant with a claim, in the position in which it was claimed; where no record is known, its squares. @param {LineOf<'claim'>} e @param {string} move @param {Recorded} [record] */
function claimedMove({ at }, move, record) {
  if (!record) return `${move.slice(0, 2)}–${move.slice(2)}`;
  const made = record.plies.findLastIndex((ply) => ply.at <= at) + 1;
  return `${moveNumber(record, made + 1)} ${moveName(fenBefore(record, made + 1), move)}`;
}

/**
 * @param {LineOf<'arbiter'>} e
 * @param {InputLine[]} all
 * @param {Recorded} [record]
 * @returns {string}
 */
function actionText(e, all, record) {
  if (e.action === 'played' || e.action === 'reading') return saidText(e, record);
  if (e.action === 'take-back') {
    const taken = all.find((one) => one !== e && 'order' in one && one.order === e.order && !(one.event === 'arbiter' && one.action === 'take-back'));
    return taken ? say('action.take-back-of', { what: taken.event === 'arbiter' ? actionText(taken, all, record) : eventText(taken, [], record) }) : say('action.take-back');
  }
  if (e.action === 'uphold' && e.for_record) return say('action.uphold-record', { id: e.id });
  const more = e.action === 'result' ? { result: resultText(e.result) } : e.action === 'report' ? { title: codeTitle(e.code) } : e.action === 'promotion' ? { piece: pieceName(e.piece) } : {};
  if (e.action === 'board-turned' && e.turned === 0) return say('action.board-not-turned');
  return say(`action.${e.action}`, { ...e, ...more });
}

/**
 * What was said to have been played, as a record has it: `8… b6`. Where that is not known, by the number of the half-move and its squares.
 * @param {{ action: 'played' | 'reading', ply: number, move: string }} said
 * @param {Recorded} [record]
 */
function saidText({ action, ply, move }, record) {
  // What is typed of a game that does not go so far has no position to be read in.
  if (!record || record.plies.length < ply - 1) return say(`action.${action}`, { ply, move: `${move.slice(0, 2)}–${move.slice(2)}` });
  const stands = record.plies[ply - 1];
  const name = stands?.uci === move && stands.san !== move ? localSan(stands.san) : moveName(fenBefore(record, ply), move);
  return say(`action.${action}-as`, { move: `${moveNumber(record, ply)} ${name}` });
}

/**
 * @param {InputLine} e
 * @returns {Word}
 */
function wordsOf(e) {
  if (e.event === 'draw') return `event.draw-${e.step}`;
  if (e.event === 'suspect' && e.squares.length === 0) return 'event.suspect-none';
  // So the daemon stops a game whose result somebody has entered.
  if (e.event === 'arbiter' && e.action === 'pause' && e.order?.startsWith('settled-')) return 'event.settled';
  return `event.${e.event}`;
}

/**
 * What one input line says.
 * @param {InputLine} e
 * @param {InputLine[]} [all] among which an order is that it takes back: its name says nothing to people
 * @param {Recorded} [record] of its game, where that is known
 */
export function eventText(e, all = [], record) {
  return say(wordsOf(e), { ...e, ...placesOf(e, all, record) });
}

/**
 * What an order says where findings have no numbers: a ruling names what it is on.
 * @param {InputLine} e
 * @param {Recorded & { findings: Finding[] }} [record] of its game, where that is known
 * @param {InputLine[]} [all]
 */
export function orderedText(e, record, all = []) {
  const id = e.event === 'arbiter' && (e.action === 'uphold' || e.action === 'dismiss') ? e.id : undefined;
  const finding = record?.findings.find((one) => one.id === id);
  if (!record || !finding) return eventText(e, all, record);
  const isUpheld = e.event === 'arbiter' && e.action === 'uphold';
  return say(isUpheld ? (e.for_record ? 'ruled.upheld-record' : 'ruled.upheld') : 'ruled.dismissed', { title: namedFinding(record, finding) });
}

/**
 * The square an input line is about, if it is about one.
 * @param {InputLine} event
 */
export const eventSquare = (event) => ('square' in event && event.square) || null;
