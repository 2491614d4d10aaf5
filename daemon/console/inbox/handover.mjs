// @ts-check
// The end of a shift: what is open, and who goes to what one has said that one would go to.
import { html } from '../app/html.mjs';
import { actOn } from '../state/event.mjs';
import { needsSomebody, peopleOf, useIncidents } from '../state/incidents.mjs';
import { useIsArbiter } from '../state/floor.mjs';
import { useMe } from '../state/me.mjs';
import { useOwnName } from '../state/name.mjs';
import { titleOf } from '../words/incidents.mjs';
import { say, titled } from '../words/language.mjs';
import { placeName } from '../words/place.mjs';

/** How many of them are named; the others stand above. */
const NAMED = 12;

export function HandOver() {
  const me = useMe();
  const all = useIncidents();
  const isArbiter = useIsArbiter();
  if (!isArbiter) return null;
  const name = useOwnName();
  const own = me?.required ? me.name : name;
  const his = all.filter(({ going, state }) => state === 'going' && own !== '' && going?.who === own);
  const open = all.filter(needsSomebody);
  const others = peopleOf(all).filter((who) => who !== own);
  /** @param {FormEvent} submitted */
  const hand = async (submitted) => {
    submitted.preventDefault();
    const form = submitted.currentTarget;
    const to = String(new FormData(form).get('to')).trim();
    if (await actOn('api/incidents/hand-over', { to, author: own }, say('done.handed', { n: his.length, to }))) form.reset();
  };
  return html`
    <details class="more handover"><summary>${say('handover')}</summary>
      <${List} title=${say('handover.his', { n: his.length })} incidents=${his} />
      <${List} title=${say('handover.open', { n: open.length })} incidents=${open} />
      <form class="form" onSubmit=${hand}>
        <label><span>${say('handover.to')}</span><input name="to" required maxlength="40" autocomplete="off" list="others" /></label>
        <datalist id="others">${others.map((who) => html`<option value=${who} />`)}</datalist>
        <button disabled=${his.length === 0}>${say('handover.do', { n: his.length })}</button>
      </form>
      ${own === '' && html`<p class="hint">${say('handover.nobody')}</p>`}
    </details>
  `;
}

/** @param {{ title: string, incidents: Incident[] }} props */
const List = ({ title, incidents }) => html`
  <h2 class="part">${title}</h2>
  <ul class="plain-list">${incidents.slice(0, NAMED).map((incident) => html`<li key=${incident.id}>${titled(placeName(incident), titleOf(incident))}</li>`)}
    ${incidents.length > NAMED && html`<li>${say('handover.more', { n: incidents.length - NAMED })}</li>`}</ul>
`;
