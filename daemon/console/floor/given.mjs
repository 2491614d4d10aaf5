// @ts-check
// What was added to the clocks of a table since they were told last: what they show is not what they told.

/** A penalty of time says so as clocks have it: `+2:00` for the opponent, `−2:00` for the player himself. */
const OF_TIME = /([+−])(\d+):(\d\d)/;

/**
 * Milliseconds for each player, as ordered: whoever gave it has set the clocks.
 * @param {Shown} board
 * @param {EventDocument} event
 * @param {number} round
 * @param {Pairing} pairing
 * @returns {Record<Colour, number>}
 */
export function addedSince({ clock_at: told }, event, round, { table, white, black }) {
  const added = { white: 0, black: 0 };
  /** @param {{ round: number, at?: string }} one */
  const isSince = (one) => one.round === round && typeof told === 'number' && Date.parse(one.at ?? '') > told;
  for (const one of event.times.filter((time) => time.table === table && isSince(time))) {
    added.white += one.seconds * 1_000;
    added.black += one.seconds * 1_000;
  }
  for (const one of event.penalties.filter(isSince)) {
    const [, sign, minutes, seconds] = OF_TIME.exec(one.what) ?? [];
    const by = one.player === white.number ? 'white' : one.player === black?.number ? 'black' : null;
    if (!sign || !by) continue;
    const ms = (Number(minutes) * 60 + Number(seconds)) * 1_000;
    if (sign === '+') added[by === 'white' ? 'black' : 'white'] += ms;
    else added[by] -= ms;
  }
  return added;
}
