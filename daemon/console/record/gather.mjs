// @ts-check
// What a report is made of: the games of its rounds, a few at a time.
import { roomOf } from '../state/room.mjs';
import { readable } from '../state/texts.mjs';
import { say } from '../words/language.mjs';
import { givenOf, isDismissal } from './given.mjs';
import { isChange } from './resultsaid.mjs';

const AT_ONCE = 6;

/** `from`: below which address its pages are; empty here, and at a hub where a hall has it. `kept`: the game as it is kept, in no reader's language; `annulled`: those of the pairing that were none, in their order. @typedef {{ pairing: Pairing, round: number, from: string, id: string | null, isNone: boolean, annulled: Played[], game: GameDocument | null, kept: GameDocument | null, given: import('./given.mjs').Given[] }} Played */

/** Whose word is read: these pages', or those of a hall of a hub. @typedef {{ hall: string | null, from: string, event: EventDocument }} Source */

/** Something that a report is made of was not read: without it, it would say that there was none. `message` names it. */
export class Unread extends Error {}

/** What whoever reads is not shown, or is not there, is none; nothing else is. */
const NONE = [403, 404];

/**
 * @param {string} path
 * @param {() => string} what is read
 * @param {any} [none]
 * @returns {Promise<any>}
 */
export async function read(path, what, none = []) {
  const answer = await fetch(path).catch(() => null);
  if (answer && NONE.includes(answer.status)) return none;
  const told = answer?.ok ? await answer.json().catch(() => undefined) : undefined;
  if (told === undefined) throw new Unread(what());
  return told;
}

/** @param {Source} source @param {string} what of it */
const ofHall = ({ hall }, what) => (hall === null ? what : `${hall}: ${what}`);

/**
 * Where all that belongs to an event is read: here, and at a hub in each hall that plays it.
 * @param {EventDocument} event
 * @param {HallOfHub[]} halls
 * @returns {Promise<Source[]>}
 */
export async function sourcesOf(event, halls) {
  const all = await Promise.all(halls.map(async ({ name }) => ({ hall: name, from: roomOf(name), event: await read(`${roomOf(name)}api/event`, () => name, null) })));
  return [{ hall: null, from: '', event }, ...all.filter((one) => one.event?.details.name === event.details.name)];
}

/**
 * The event with what was ruled in the halls: each of that says where.
 * @param {Source[]} sources
 */
export function eventOf([{ event }, ...halls]) {
  /** @template T @param {(event: EventDocument) => T[]} of */
  const all = (of) => [...of(event), ...halls.flatMap((one) => of(one.event).map((it) => ({ ...it, from: one.from })))];
  return { ...event, penalties: all(({ penalties }) => penalties), halts: all(({ halts }) => halts), times: all(({ times }) => times), board_moves: all(({ board_moves: moves }) => moves ?? []) };
}

/** A pairing whose game is not read yet. @param {Round} round @param {Pairing} pairing @returns {Played} */
function toBeRead({ round }, pairing) {
  const { game: id, annulled_games: annulled } = pairing.in_hall ?? pairing;
  const from = pairing.in_hall ? roomOf(pairing.in_hall.hall) : '';
  const one = { pairing, round, from, isNone: false, annulled: [], game: null, kept: null, given: [] };
  return { ...one, id, annulled: annulled.map((none) => ({ ...one, id: none, isNone: true })) };
}

/** Those that were annulled before the one that counts. @param {Played[]} all */
export const withAnnulled = (all) => all.flatMap((one) => [...one.annulled, one]);

/**
 * Every pairing of these rounds, with its games.
 * @param {Round[]} rounds
 * @param {string} language of whoever reads it
 * @param {(done: number, of: number) => void} tell
 * @returns {Promise<Played[]>}
 */
export async function gather(rounds, language, tell) {
  const pairings = rounds.flatMap((round) => round.pairings.filter((pairing) => pairing.black).map((pairing) => toBeRead(round, pairing)));
  const all = withAnnulled(pairings);
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < all.length) {
      const one = all[next];
      next += 1;
      const what = () => `${say('desk.round', { n: one.round })}, ${say('incident.table', { n: Number(one.pairing.table) })}`;
      if (one.id) one.game = await read(`${one.from}api/games/${encodeURIComponent(one.id)}`, what, null);
      one.kept = one.game;
      if (one.game) one.given = givenOf(one.game);
      if (one.game?.view?.findings.length) one.game = await readable(one.game, language, one.from);
      done += 1;
      tell(done, all.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return pairings;
}

/** @typedef {{ notes: (Noted & { from?: string })[], breaks: { round: number, isOver: boolean, breaks: Breaks[] }[], faults: FaultOf[], observed: Observed[], changed: { round: number, said: ResultSaid }[], seal: { acts: number, sum: string } | null }} Floor */

/**
 * What arbiters noted, who was out of the hall, which games were observed, which results were changed, and what was wrong with boards, for those who are shown it; and the checksum of all acts.
 * @param {Round[]} rounds
 * @param {Source[]} sources
 * @returns {Promise<Floor>}
 */
export async function gatherFloor(rounds, sources) {
  /** @template T @param {(source: Source) => Promise<T[]>} of */
  const all = async (of) => (await Promise.all(sources.map(of))).flat();
  const breaks = await Promise.all(rounds.map(async ({ round, stage }) => ({ round, isOver: stage === 'closed', breaks: await all((source) => read(`${source.from}api/rounds/${round}/breaks`, () => ofHall(source, say('breaks')))) })));
  const said = await Promise.all(rounds.map((round) => all((source) => changedAt(source, round))));
  return {
    notes: await all(async (source) => (await read(`${source.from}api/notes`, () => ofHall(source, say('notes')))).map((/** @type {Noted} */ note) => ({ ...note, from: source.from }))),
    breaks,
    changed: said.flat(),
    faults: await all(faultsAt),
    observed: await all((source) => read(`${source.from}api/event/observed`, () => ofHall(source, say('observed.title')))),
    seal: await read('api/event/seal', () => say('report.checksum'), null),
  };
}

/** @typedef {BoardFault & { hall?: string }} FaultOf */

/** Faults of boards while its event lasted. Two halls may have boards of one name. @param {Source} source @returns {Promise<FaultOf[]>} */
async function faultsAt(source) {
  const { from, hall, event } = source;
  /** @type {FaultOf[]} */
  const faults = await read(`${from}api/faults`, () => ofHall(source, say('report.faults')));
  return faults.filter((fault) => fault.event === event.number).map((fault) => (hall === null ? fault : { ...fault, hall, board: `${hall} ${fault.board}` }));
}

/** Results that were changed. What a hall says comes to its hub as well: there it is told once, as the hall says it. @param {Source} source @param {Round} round */
async function changedAt(source, { round, pairings }) {
  const { from, hall } = source;
  /** @type {ResultSaid[]} */
  const said = await read(`${from}api/rounds/${round}/results`, () => ofHall(source, say('said.changed')));
  /** @param {ResultSaid} one */
  const isTold = ({ table }) => (pairings.find((pairing) => pairing.table === table)?.in_hall?.hall ?? null) === hall;
  return said.filter((one) => isTold(one) && isChange(one)).map((one) => ({ round, said: one }));
}

/**
 * What a checksum of these games is of: the same, whoever reads them in which language.
 * @param {Played[]} all
 */
export const keptOf = (all) => withAnnulled(all).map(({ pairing, round, from, kept }) => ({ pairing, round, from, game: kept }));

/**
 * The findings of games with one status, with where they were made.
 * @param {Played[]} all
 * @param {Finding['status']} status
 */
export const findingsOf = (all, status) => withAnnulled(all).flatMap(({ pairing, round, from, isNone, game }) =>
  (game?.view?.findings ?? []).filter((finding) => finding.status === status).map((finding) => ({ pairing, round, from, isNone, game: /** @type {GameDocument} */ (game), finding })));

/**
 * Whether it is a ruling that was taken back, on what was dismissed then: nobody is named for that.
 * @param {import('./given.mjs').Given} given
 * @param {GameDocument | null} game
 */
function namesDismissed({ line, undone }, game) {
  if (!undone || line.event !== 'arbiter' || line.action !== 'uphold') return false;
  return game?.view?.findings.find(({ id }) => id === line.id)?.status === 'dismissed';
}

/**
 * What arbiters ordered and players said, game by game. What was dismissed is told by its number only: nobody is named for it, nor for what had been upheld of it (`isUnnamed`): that was ruled, and its table and what it was stand with it.
 * @param {Played[]} all
 */
export const ordersOf = (all) => withAnnulled(all).flatMap(({ pairing, round, isNone, game, given }) => given.filter((one) => !isDismissal(one.line)).map((one) => ({ pairing, round, isNone, isUnnamed: namesDismissed(one, game), game, given: one })));

/**
 * A table as a file that spreadsheets read.
 * @param {unknown[][]} rows
 */
export function csvOf(rows) {
  /** @param {unknown} cell */
  const field = (cell) => {
    const text = String(cell ?? '');
    // What a spreadsheet would take for a formula is a text.
    const plain = /^[=+\-@\t]/.test(text) && !/^[+\-]\/[+\-]$|^-?\d+([.,]\d+)?$/.test(text) ? `'${text}` : text;
    return /[",\n;]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  };
  return `\ufeff${rows.map((row) => row.map(field).join(',')).join('\r\n')}\r\n`;
}

/**
 * Gives a text away as a file.
 * @param {string} name
 * @param {string} text
 */
export function save(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
