// @ts-check
// To what clocks are to be set after rulings, of all that nobody has said to be done.

/** @typedef {NonNullable<IncidentRuling['dials']>} Dials */

/** @param {Incident} incident */
const waits = ({ steps }) => steps.some(({ step, done }) => step === 'clocks' && !done);

/**
 * The incidents of one game whose clocks nobody has said to be set, the earliest first.
 * @param {Incident[]} all
 * @param {Incident} incident
 */
export const clocksLeft = (all, incident) => [...all.filter(({ id, game }) => game === incident.game && id !== incident.id), incident]
  .filter((one) => waits(one) && one.rulings.some(({ dials }) => dials))
  .sort((a, b) => (a.ply ?? 0) - (b.ply ?? 0));

/**
 * What their rulings add to both clocks, and what these are to show, where all of them rest on the same moment.
 * @param {Incident[]} incidents
 * @returns {Dials | null}
 */
export function sumOf(incidents) {
  const all = incidents.flatMap(({ rulings }) => rulings.flatMap(({ dials }) => (dials ? [dials] : [])));
  if (all.length === 0) return null;
  const [{ white, black }] = all;
  const isOne = all.every((dials) => dials.white.from === white.from && dials.black.from === black.from);
  /** @param {Colour} colour */
  const sum = (colour) => {
    const add = all.reduce((ms, dials) => ms + dials[colour].add, 0);
    const from = isOne ? all[0][colour].from : null;
    return { from, add, to: from === null ? null : from + add };
  };
  return { white: sum('white'), black: sum('black') };
}
