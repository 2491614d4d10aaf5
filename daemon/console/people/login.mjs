// @ts-check
// The login.
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Certificate } from './certificate.mjs';
import { Door, Field, Sent, enter, show } from './door.mjs';

show(() => html`
  <${Door} title='login.title'>
    <${Sent} path="login" action='login.action' done=${enter}>
      <${Field} label='people.name' name="name" autocomplete="username" />
      <${Field} label='people.password' name="password" type="password" autocomplete="current-password" />
    <//>
    <p><a href="/pair.html">${say('login.pair')}</a> · <a href="/screen.html">${say('login.screen')}</a></p>
    <${Certificate} />
  <//>
`);
