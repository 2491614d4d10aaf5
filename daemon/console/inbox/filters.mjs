// @ts-check
// Which incidents one wants to see; *Next* keeps to them.
import { isAt, isSentHere } from '../state/incidents.mjs';
import { useSector } from '../state/sector.mjs';
import { notify, useTopic } from '../state/topics.mjs';

/** @type {Record<string, (incident: Incident) => boolean>} */
const FILTERS = {
  all: () => true,
  certain: (incident) => incident.certainty === 'certain',
  unsure: (incident) => incident.certainty === 'likely' || incident.certainty === 'possible',
  questions: (incident) => ['doubt', 'missed', 'unset', 'proposed', 'claim'].includes(incident.kind),
  faults: (incident) => incident.kind === 'fault',
};
/** @type {string | null} */
let chosen = null;

/** @param {string} name */
export function chooseFilter(name) {
  chosen = name;
  notify('filter');
}

/** The filters there are, and the chosen one: at first all, or what is at one's own tables, or at those chosen on this device: `tables`, such as `1-20`. */
export function useFilters() {
  useTopic('filter');
  const { own, chosen: here } = useSector();
  /** @type {typeof FILTERS} */
  const filters = { ...FILTERS, ...(own && { mine: (incident) => isAt(incident, own) || isSentHere(incident) }), ...(here && { sector: (incident) => isAt(incident, here) || isSentHere(incident) }) };
  const shown = chosen && filters[chosen] ? chosen : own ? 'mine' : here ? 'sector' : 'all';
  return { filters, chosen: shown, is: filters[shown], tables: here };
}
