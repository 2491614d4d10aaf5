// @ts-check
// What was added to the clocks of a table since they were told last: what they show is not what they told.

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
    const by = one.player === white.number ? 'white' : one.player === black?.number ? 'black' : null;
    if (!one.time || !by) continue;
    const ms = one.time.seconds * 1_000;
    if (one.time.of === 'opponent') added[by === 'white' ? 'black' : 'white'] += ms;
    else added[by] -= ms;
  }
  return added;
}
