// @ts-check
// The fields that say what somebody is.
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Field } from './door.mjs';

/** Roles that have tables, and whether they must: a screen without shows all of them, as the other roles do. @type {Record<string, boolean>} */
const OF_TABLES = { sector: true, display: false };

/** @param {{ roles: string[] }} props */
export function Role({ roles }) {
  const [role, setRole] = useState(roles[0]);
  const select = useRef(/** @type {HTMLSelectElement | null} */ (null));
  // Once it is sent the form is as in the beginning.
  useEffect(() => {
    const form = select.current?.form;
    const reset = () => setRole(roles[0]);
    form?.addEventListener('reset', reset);
    return () => form?.removeEventListener('reset', reset);
  }, []);
  return html`
    <label class="field"><span>${say('people.role')}</span>
      <select name="role" ref=${select} onChange=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => setRole(event.currentTarget.value)}>${roles.map((one) => html`<option value=${one} selected=${one === role}>${say(/** @type {Word} */ (`role.${one}`))}</option>`)}</select>
    </label>
    ${role in OF_TABLES && html`<${Field} key=${role} label='people.tables' name="tables" required=${OF_TABLES[role]} empty=${OF_TABLES[role] ? undefined : say('people.all-tables')} />`}
  `;
}

/** @param {{ of: { role: string, tables: string | null } }} props */
export const RoleText = ({ of }) => html`${say(/** @type {Word} */ (`role.${of.role}`))} ${of.tables ?? (of.role === 'display' ? say('people.all-tables') : '')}`;
