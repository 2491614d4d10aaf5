// @ts-check
// Which incidents one wants to see; *Next* keeps to them.
import { isAt } from '../state/incidents.mjs';
import { notify, useTopic } from '../state/topics.mjs';

/** @type {Record<string, (incident: Incident) => boolean>} */
const FILTERS = {
  all: () => true,
  certain: (incident) => incident.certainty === 'certain',
  unsure: (incident) => incident.certainty === 'likely' || incident.certainty === 'possible',
  questions: (incident) => ['doubt', 'missed', 'proposed', 'claim'].includes(incident.kind),
  faults: (incident) => incident.kind === 'fault',
};
/** @type {string | null} */
let chosen = null;

/** @param {string} name */
export function chooseFilter(name) {
  chosen = name;
  notify('filter');
}

/**
 * The filters there are, and the chosen one: at first all, or what is at one's own tables.
 * @param {string | null | undefined} own tables such as `1-10`
 */
export function useFilters(own) {
  useTopic('filter');
  /** @type {typeof FILTERS} */
  const filters = { ...FILTERS, ...(own && { mine: (incident) => isAt(incident, own) }) };
  const shown = chosen && filters[chosen] ? chosen : own ? 'mine' : 'all';
  return { filters, chosen: shown, is: filters[shown] };
}
