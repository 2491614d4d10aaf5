// @ts-check
// Accounts: who has a password.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Field, Problem, Sent, ask } from './door.mjs';
import { Scrolls } from '../parts/scrolls.mjs';
import { Role, RoleText } from './roles.mjs';

export function Accounts() {
  const [accounts, setAccounts] = useState(/** @type {any[]} */ ([]));
  const [fresh, setFresh] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const look = () => ask('accounts').then(({ body, error }) => error || setAccounts(body));
  useEffect(() => { look(); }, []);
  /** @param {string} name @param {string} what */
  const change = async (name, what) => {
    const { body, error } = await ask(`accounts/${encodeURIComponent(name)}/${what}`, {});
    setProblem(error);
    if (!error && what === 'reset') setFresh(body);
    look();
  };
  /** Whoever is in stays in, with the new ones. @param {string} name @param {FormEvent} event */
  const assign = async (name, event) => {
    event.preventDefault();
    const tables = new FormData(event.currentTarget).get('tables');
    const { error } = await ask(`accounts/${encodeURIComponent(name)}/tables`, { tables });
    setProblem(error);
    look();
  };
  return html`
    <section>
      <h2>${say('accounts.title')}</h2>
      <${Sent} path="accounts" action='accounts.add' row done=${(/** @type {any} */ body) => { setFresh(body); look(); }}>
        <${Field} label='people.name' name="name" />
        <${Role} roles=${['sector', 'operator', 'viewer', 'chief']} />
      <//>
      ${fresh?.password && html`<p class="asking">${say('accounts.fresh', { name: fresh.account })} <strong class="squares">${fresh.password}</strong></p>`}
      <${Problem} text=${problem} />
      <${Scrolls} label=${say('accounts.title')}><table><tbody>${accounts.map((account) => html`
        <tr key=${account.name}>
          <td>${account.name}</td><td><${RoleText} of=${account} />${account.role === 'sector' && !account.revoked && html`
            <form class="assign" onSubmit=${(/** @type {FormEvent} */ event) => assign(account.name, event)}>
              <input name="tables" size="7" required value=${account.tables} aria-label=${`${say('people.tables')}, ${account.name}`} /> <button>${say('accounts.assign')}</button>
            </form>`}</td>
          <td class="buttons">${account.revoked ? say('accounts.closed') : html`
            <button onClick=${() => change(account.name, 'reset')}>${say('accounts.reset')}</button>
            <button onClick=${() => change(account.name, 'revoke')}>${say('accounts.close')}</button>`}</td>
        </tr>`)}</tbody></table><//>
    </section>
  `;
}
