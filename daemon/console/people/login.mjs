// @ts-check
// The login.
import { html } from '../app/html.mjs';
import { unsent } from '../state/keptorders.mjs';
import { say } from '../words/language.mjs';
import { Certificate } from './certificate.mjs';
import { Door, Field, Sent, enter, show } from './door.mjs';

/** Whoever was logged out while the line was gone has orders that were never given; before anybody has come in it is not said what was found. */
function Unsent() {
  const all = unsent();
  return all.length > 0 && html`
    <section class="waiting" role="alert">
      <p><strong>${say('login.unsent', { n: all.length })}</strong></p>
      <ul>${all.map(({ id, where, who }) => html`<li key=${id}>${[who, where].filter(Boolean).join(' · ') || say('waiting.an-order')}</li>`)}</ul>
    </section>`;
}

show(() => html`
  <${Door} title='login.title'>
    <${Unsent} />
    <${Sent} path="login" action='login.action' done=${enter}>
      <${Field} label='people.name' name="name" autocomplete="username" />
      <${Field} label='people.password' name="password" type="password" autocomplete="current-password" />
    <//>
    <p><a href="/pair.html">${say('login.pair')}</a> · <a href="/screen.html">${say('login.screen')}</a></p>
    <${Certificate} />
  <//>
`);
