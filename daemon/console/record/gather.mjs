// @ts-check
// What a report is made of: the games of its rounds, a few at a time.
import { readable } from '../state/texts.mjs';
import { givenOf, isDismissal } from './given.mjs';
import { isChange } from './resultsaid.mjs';

const AT_ONCE = 6;

/** @typedef {{ pairing: Pairing, round: number, game: GameDocument | null, given: import('./given.mjs').Given[] }} Played */

/**
 * Every pairing of these rounds, with its game.
 * @param {Round[]} rounds
 * @param {string} language of whoever reads it
 * @param {(done: number, of: number) => void} tell
 * @returns {Promise<Played[]>}
 */
export async function gather(rounds, language, tell) {
  const all = rounds.flatMap((round) => round.pairings.filter((pairing) => pairing.black).map((pairing) => ({ pairing, round: round.round, game: /** @type {GameDocument | null} */ (null), given: /** @type {Played['given']} */ ([]) })));
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < all.length) {
      const one = all[next];
      next += 1;
      if (one.pairing.game) one.game = await fetch(`api/games/${encodeURIComponent(one.pairing.game)}`).then((answer) => (answer.ok ? answer.json() : null), () => null);
      if (one.game) one.given = givenOf(one.game);
      if (one.game?.view?.findings.length) one.game = await readable(one.game, language);
      done += 1;
      tell(done, all.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return all;
}

/** @typedef {{ notes: Noted[], breaks: { round: number, breaks: Breaks[] }[], faults: BoardFault[], observed: Observed[], changed: { round: number, said: ResultSaid }[], seal: { acts: number, sum: string } | null }} Floor */

/**
 * What arbiters noted, who was out of the hall, which games were observed, which results were changed, and what was wrong with boards, for those who are shown it; and the checksum of all acts.
 * @param {Round[]} rounds
 * @returns {Promise<Floor>}
 */
export async function gatherFloor(rounds) {
  /** @param {string} path @param {any} [none] @returns {Promise<any>} */
  const read = (path, none = []) => fetch(path).then((answer) => (answer.ok ? answer.json() : none), () => none);
  const breaks = await Promise.all(rounds.map(async ({ round }) => ({ round, breaks: await read(`api/rounds/${round}/breaks`) })));
  const said = await Promise.all(rounds.map(async ({ round }) => (await read(`api/rounds/${round}/results`)).filter(isChange).map((/** @type {ResultSaid} */ one) => ({ round, said: one }))));
  return { notes: await read('api/notes'), breaks, changed: said.flat(), faults: await read('api/faults'), observed: await read('api/event/observed'), seal: await read('api/event/seal', null) };
}

/**
 * The findings of games with one status, with where they were made.
 * @param {Played[]} all
 * @param {Finding['status']} status
 */
export const findingsOf = (all, status) => all.flatMap(({ pairing, round, game }) =>
  (game?.view?.findings ?? []).filter((finding) => finding.status === status).map((finding) => ({ pairing, round, game: /** @type {GameDocument} */ (game), finding })));

/**
 * What arbiters ordered and players said, game by game. What was dismissed is told by its number only: nobody is named for it.
 * @param {Played[]} all
 */
export const ordersOf = (all) => all.flatMap(({ pairing, round, game, given }) => given.filter(({ line }) => !isDismissal(line)).map((one) => ({ pairing, round, game, given: one })));

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
