// @ts-check
// Somebody else is asked to go: one of those who are known, such as the arbiter of that sector.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { useEventFile } from '../state/event.mjs';
import { useIsArbiter } from '../state/floor.mjs';
import { isAt, peopleOf, sayOf, useIncidents } from '../state/incidents.mjs';
import { useMe } from '../state/me.mjs';
import { isHere } from '../state/name.mjs';
import { say } from '../words/language.mjs';

/** Who may be asked, those first whose tables it is at. @param {Incident} incident @returns {{ name: string, tables: string | null }[]} */
function useAsked(incident) {
  const isRequired = useMe()?.required ?? false;
  const seen = peopleOf(useIncidents());
  const { told } = useEventFile(isRequired ? '/api/people/arbiters' : null, undefined, '');
  const arbiters = /** @type {{ name: string, tables: string | null }[]} */ (told ?? []);
  const all = arbiters.length > 0 ? arbiters : seen.map((name) => ({ name, tables: null }));
  /** @param {{ tables: string | null }} one */
  const isHis = ({ tables }) => tables !== null && isAt(incident, tables);
  return all.filter(({ name }) => !isHere(name)).sort((a, b) => Number(isHis(b)) - Number(isHis(a)));
}

/** @param {{ incident: Incident }} props */
export function SendTo({ incident }) {
  const isArbiter = useIsArbiter();
  const [open, setOpen] = useState(false);
  if (!isArbiter) return null;
  return html`
    <details class="more send-to" open=${open} onToggle=${(/** @type {Event & { currentTarget: HTMLDetailsElement }} */ event) => setOpen(event.currentTarget.open)}>
      <summary>${say('send')}</summary>
      ${open && html`<${Whom} incident=${incident} onDone=${() => setOpen(false)} />`}
    </details>
  `;
}

/** @param {{ incident: Incident, onDone: () => void }} props */
function Whom({ incident, onDone }) {
  const asked = useAsked(incident);
  /** @param {string} to */
  const ask = async (to) => { if (await sayOf(incident, 'send', { to })) onDone(); };
  /** @param {FormEvent} submitted */
  const typed = (submitted) => {
    submitted.preventDefault();
    ask(String(new FormData(submitted.currentTarget).get('to')).trim());
  };
  return html`
    ${asked.length > 0 && html`<div class="choices" role="group" aria-label=${say('send')}>${asked.map(({ name, tables }) => html`
      <button type="button" onClick=${() => ask(name)}>${name}${tables && html` <small>${say('send.tables', { tables: tables.replace('-', '–') })}</small>`}</button>`)}</div>`}
    <form class="form" onSubmit=${typed}>
      <label><span>${say('handover.to')}</span><input name="to" required maxlength="40" autocomplete="off" /></label>
      <button>${say('send.do')}</button>
    </form>
  `;
}
