// @ts-check
// What was ordered and said in a game, with the time of day, and what of it was taken back.

/** @typedef {{ line: InputLine, time: string | null, undone: { who: string, time: string | null } | null }} Given */

/** Where kings are put to say who won. */
export const CENTRE = new Set(['d4', 'e4', 'd5', 'e5']);
/** How far the board's time may be from the day's. */
const SLACK_MS = 60_000;

/**
 * The lines of a script.
 * @param {string | null} script
 * @returns {InputLine[]}
 */
export const linesOf = (script) => (script ? script.trim().split('\n').map((line) => JSON.parse(line)) : []);

/**
 * What was ordered and said, in its order: what has effect, and of what has not what was taken back.
 * @param {GameDocument} game
 * @param {InputLine[]} lines of its script, where it is shown
 * @returns {Given[]}
 */
export function givenOf(game, lines) {
  if (!game.view) return [];
  const timeOf = dayTimeOf(game, lines);
  const undone = new Map(lines.flatMap((line) => (line.event === 'arbiter' && line.action === 'take-back' ? [[line.order, line]] : [])));
  const lost = lines.filter((line) => nameOf(line) && undone.has(nameOf(line)));
  // Of what was given in one moment the script has the order.
  const places = new Map(lines.map((line, n) => [nameOf(line), n]));
  /** @param {InputLine} line */
  const placeOf = (line) => places.get(nameOf(line)) ?? 0;
  return [...game.view.orders.filter((line) => !undone.has(nameOf(line))), ...lost].sort((a, b) => a.at - b.at || placeOf(a) - placeOf(b)).map((line) => {
    const back = undone.get(nameOf(line));
    return { line, time: timeOf(line.at), undone: back ? { who: authorOf(back), time: timeOf(back.at) } : null };
  });
}

/** The name of an order; that of a taking back is the name of another. @param {InputLine} line */
const nameOf = (line) => ('order' in line && !(line.event === 'arbiter' && line.action === 'take-back') && line.order) || '';

/** Who gave it. @param {InputLine} line */
export const authorOf = (line) => ('author' in line && line.author) || '';

/**
 * The time of day for the board's: both run alike from when the game was set up. Null where they did not, as when the board was off for a while, or is
 * simulated at another speed.
 * @param {GameDocument} game
 * @param {InputLine[]} lines
 * @returns {(at: number) => string | null}
 */
export function dayTimeOf({ started, ended, view }, lines) {
  const none = () => null;
  if (lines.length === 0 || !view) return none;
  const shift = new Date(started).getTime() - lines[0].at;
  const last = lines[lines.length - 1].at + shift;
  const off = ended ? Math.min(...endsOf(view, lines).map((at) => Math.abs(at + shift - new Date(ended).getTime()))) : last - Date.now();
  if (off > SLACK_MS) return none;
  return (at) => new Date(at + shift).toLocaleTimeString(document.documentElement.lang, { timeStyle: 'medium', hourCycle: 'h23' });
}

/**
 * When a game can have got its result, as the board's clock has it.
 * @param {import('./protocol.mjs').View} view
 * @param {InputLine[]} lines
 */
const endsOf = (view, lines) => [...view.plies.slice(-1), ...view.findings, ...lines.filter((line) => endsGame(line, view))].map(({ at }) => at);

/**
 * Whether a line can have brought the result that the game has.
 * @param {InputLine} line
 * @param {import('./protocol.mjs').View} view
 */
export function endsGame(line, view) {
  switch (view.result?.reason) {
    case 'resignation': return line.event === 'resign';
    case 'agreement': return line.event === 'draw' && line.step === 'accept';
    case 'threefold':
    case 'fifty-moves': return line.event === 'claim';
    case 'flag-fall': return line.event === 'flag-fall' || line.event === 'claim' || (line.event === 'arbiter' && line.action === 'result');
    case 'kings-placed': return line.event === 'place' && CENTRE.has(line.square);
    case 'forfeit-illegal-moves': return line.event === 'arbiter' && (line.action === 'uphold' || line.action === 'report' || line.action === 'result');
    default: return line.event === 'arbiter' && (line.action === 'result' || line.action === 'annul');
  }
}
