// @ts-check
// The chief arbiter's desk: who waits, who is in, who has an account; and everybody's own password.
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { LanguageChoice } from '../parts/languagechoice.mjs';
import { subscribe } from '../state/topics.mjs';
import { say } from '../words/language.mjs';
import { Accounts } from './accounts.mjs';
import { Certificate } from './certificate.mjs';
import { Devices } from './devices.mjs';
import { Field, Sent, ask, enter, show } from './door.mjs';

function People() {
  document.title = say('people.title');
  const [me, setMe] = useState(/** @type {any} */ (null));
  const look = () => ask('me').then(({ body, error }) => error || setMe(body));
  /** @type {{ current: HTMLElement | null }} */
  const proof = useRef(null);
  useEffect(() => {
    look();
    // The password is asked for anew some minutes after it was given: whoever is refused meets the form, and need not look for it.
    return subscribe('proof', () => look().then(() => requestAnimationFrame(() => proof.current?.querySelector('input')?.focus())));
  }, []);
  if (!me) return null;
  if (!me.required) return html`<main class="desk"><p class="empty">${say('people.open')}</p></main>`;
  if (!me.role) return location.assign('/login.html'), null;
  const leave = () => ask('logout', {}).then(enter);
  const may = me.role === 'chief';
  return html`
    <main class="desk">
      <header class="row">
        <h1>${say('people.title')}</h1><span class="spacer"></span>
        <a href="/">${say('people.boards')}</a>
        <${LanguageChoice} />
        <button onClick=${leave}>${say('people.leave', { name: me.name })}</button>
      </header>
      ${may && !me.proved && me.account && html`
        <section ref=${proof}><h2>${say('people.prove')}</h2>
          <${Sent} path="prove" action='people.prove.action' row done=${look}>
            <${Field} label='people.password' name="password" type="password" autocomplete="current-password" />
          <//>
        </section>`}
      ${may && !me.account && html`<p class="hint">${say('refused.device-without-password')}</p>`}
      ${may && html`<${Devices} /><${Accounts} />`}
      ${me.account && html`
        <section><h2>${say('people.change')}</h2>
          <${Sent} path="password" action='people.change' row done=${look}>
            <${Field} label='people.password' name="current" type="password" autocomplete="current-password" />
            <${Field} label='people.new' name="new" type="password" autocomplete="new-password" />
          <//>
          <p class="hint">${say('people.rules')}</p>
        </section>`}
      <${Certificate} />
    </main>
  `;
}

show(People);
