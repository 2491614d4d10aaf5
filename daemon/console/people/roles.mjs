// @ts-check
// The fields that say what somebody is.
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Field } from './door.mjs';

/** @param {{ roles: string[] }} props */
export const Role = ({ roles }) => html`
  <label class="field"><span>${say('people.role')}</span>
    <select name="role">${roles.map((role) => html`<option value=${role}>${say(/** @type {Word} */ (`role.${role}`))}</option>`)}</select>
  </label>
  <${Field} label='people.tables' name="tables" required=${false} />
`;

/** @param {{ of: { role: string, tables: string | null } }} props */
export const RoleText = ({ of }) => html`${say(/** @type {Word} */ (`role.${of.role}`))} ${of.tables ?? ''}`;
