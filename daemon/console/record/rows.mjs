// @ts-check
// A report as a table that spreadsheets read: a line for each table.
import { codeTitle } from '../words/findings.mjs';
import { say, titled } from '../words/language.mjs';
import { penaltyWithReason } from '../words/penalties.mjs';
import { observedLine } from '../floor/observed.mjs';
import { faultsLine } from './faults.mjs';
import { findingsOf, ordersOf } from './gather.mjs';
import { moveLine } from './boardmoves.mjs';
import { givenLine } from './protocol.mjs';
import { saidLine } from './resultsaid.mjs';
import { clocksText, dayTimeOf, timeOfDay } from './times.mjs';
import { fromText, whoIs } from './whence.mjs';

/** @typedef {import('./gather.mjs').Played} Played */
/** @typedef {import('./gather.mjs').Floor} Floor */
/** @typedef {EventDocument['penalties'][number]} Penalty */

/**
 * Each order stands with who gave it, each fault of its board with its time, each penalty with its player. Whoever has a penalty in a round without a game there has a line of his own.
 * @param {Played[]} all
 * @param {Round[]} rounds
 * @param {Pick<Floor, 'changed' | 'observed' | 'faults'>} floor
 * @param {EventDocument} event
 */
export function rowsOf(all, rounds, { changed, observed, faults }, event) {
  const head = [say('bar.round'), say('grid.table'), say('new.white'), say('new.black'), say('games.result'), say('grid.from'), say('stand.confirmed'), say('report.upheld'), say('report.orders'), say('said.changed'), say('report.faults'), say('observed.title'), say('report.penalties')];
  /** @param {number} player */
  const name = (player) => event.players.find(({ number }) => number === player)?.name ?? String(player);
  const penalties = event.penalties.filter((/** @type {Penalty} */ one) => rounds.some(({ round }) => round === one.round));
  /** @param {Penalty} one */
  const line = (one) => titled([one.at && timeOfDay(one.at), name(one.player)].filter(Boolean).join(' '), penaltyWithReason(one));
  /** @param {Played} one @param {Penalty} penalty */
  const isOf = ({ pairing, round }, penalty) => penalty.round === round && (pairing.white.number === penalty.player || pairing.black?.number === penalty.player);
  const rows = all.map((one) => {
    const { pairing, round } = one;
    const here = event.board_moves.filter((/** @type {BoardMove} */ move) => move.round === round && move.table === pairing.table);
    const given = [...ordersOf([one]).map((order) => ({ at: order.given.wall, text: ofGame(order, givenLine(order.given, order.game?.view, order.isUnnamed)) })), ...here.map((/** @type {BoardMove} */ move) => ({ at: move.at, text: moveLine(move) }))];
    return [round, pairing.table, pairing.white.name, pairing.black?.name, pairing.result ?? (pairing.postponed ? say('stand.postponed') : null), fromText(pairing, /** @type {Round} */ (rounds.find((one) => one.round === round)), one.game), pairing.confirmed ? 1 : 0,
      findingsOf([one], 'upheld').map((found) => ofGame(found, foundLine(pairing, found.game, found.finding))).join('; '),
      given.sort((a, b) => a.at - b.at).map(({ text }) => text).join('; '),
      changed.filter((one) => one.round === round && one.said.table === pairing.table).map(({ said }) => saidLine(said)).join('; '),
      faultsLine(faults.filter((fault) => fault.table !== null && fault.table === pairing.table && (!fault.hall || fault.hall === pairing.in_hall?.hall) && (fault.round ?? round) === round)),
      observedLine(observed.filter((one) => one.round === round && one.table === pairing.table)),
      penalties.filter((penalty) => isOf(one, penalty)).map(line).join('; ')];
  });
  const without = penalties.filter((penalty) => !all.some((one) => isOf(one, penalty)));
  return [head, ...rows, ...without.map((one) => [one.round, null, name(one.player), ...Array(9).fill(null), line(one)])];
}

/** A line, and whether it is of a game that does not count. @param {{ isNone: boolean }} of @param {string} line */
const ofGame = ({ isNone }, line) => (isNone ? `${line} [${say('report.annulled')}]` : line);

/** A finding on one line, with the time of day and both clocks. @param {Pairing} pairing @param {GameDocument} game @param {Finding} finding */
const foundLine = (pairing, game, finding) => [`${codeTitle(finding.code)} (${whoIs(pairing, finding.by)})`, dayTimeOf(game, finding), game.view && clocksText(game.view, finding)].filter(Boolean).join(', ');
