// @ts-check
// To what clocks are to be set after rulings, of all that nobody has said to be done.

/** @typedef {NonNullable<IncidentRuling['dials']>} Dials */

/** @param {Incident} incident */
const waits = ({ steps }) => steps.some(({ step, done }) => step === 'clocks' && !done);

/** The rulings for which clocks are to be set, and nobody has said that they are. @param {Incident} incident */
export const timedOf = ({ rulings }) => rulings.filter(({ dials, clocks_set: isSet }) => dials && !isSet);

/**
 * The incidents of one game whose clocks nobody has said to be set, the earliest first.
 * @param {Incident[]} all
 * @param {Incident} incident
 */
export const clocksLeft = (all, incident) => [...all.filter(({ id, game }) => game === incident.game && id !== incident.id), incident]
  .filter((one) => waits(one) && timedOf(one).length > 0)
  .sort((a, b) => (a.ply ?? 0) - (b.ply ?? 0));

/**
 * What their rulings add to both clocks, and what these are to show, where all of them rest on the same moment. Where they do not, what the clocks were set for already is on them.
 * @param {Incident[]} incidents
 * @returns {Dials | null}
 */
export function sumOf(incidents) {
  const timed = incidents.flatMap(({ rulings }) => rulings.flatMap(({ dials, clocks_set: isSet }) => (dials ? [{ dials, isSet }] : [])));
  if (timed.length === 0) return null;
  const [{ dials: { white, black } }] = timed;
  const isOne = (white.from !== null || black.from !== null) && timed.every(({ dials }) => dials.white.from === white.from && dials.black.from === black.from);
  const isLeft = !isOne && timed.some(({ isSet }) => !isSet);
  const counted = timed.filter(({ isSet }) => !isLeft || !isSet);
  /** @param {Colour} colour */
  const sum = (colour) => {
    const add = counted.reduce((ms, { dials }) => ms + dials[colour].add, 0);
    const from = isOne ? timed[0].dials[colour].from : null;
    return { from, add, to: from === null ? null : from + add };
  };
  return { white: sum('white'), black: sum('black') };
}
