// @ts-check
// Which incidents one wants to see; *Next* keeps to them.
import { notify, useTopic } from '../state/topics.mjs';

/** @type {Record<string, (incident: Incident) => boolean>} */
const FILTERS = {
  all: () => true,
  certain: (incident) => incident.certainty === 'certain',
  questions: (incident) => ['doubt', 'missed', 'proposed', 'claim'].includes(incident.kind),
  faults: (incident) => incident.kind === 'fault',
};
let chosen = 'all';
/** @type {string | null} */
let tables = null;

/** @param {string} name */
export function chooseFilter(name) {
  chosen = name;
  notify('filter');
}

/**
 * The filters there are, and the chosen one.
 * @param {string | null | undefined} own tables such as `1-10`
 */
export function useFilters(own) {
  useTopic('filter');
  tables = own ?? tables;
  /** @type {typeof FILTERS} */
  const filters = { ...FILTERS, ...(tables && { mine: within(tables) }) };
  return { filters, chosen, is: filters[chosen] ?? FILTERS.all };
}

/**
 * @param {string} text
 * @returns {(incident: Incident) => boolean}
 */
function within(text) {
  const [first, last] = text.split('-').map(Number);
  return ({ table }) => table !== null && table >= first && table <= (last ?? first);
}
