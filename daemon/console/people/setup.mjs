// @ts-check
// The first chief arbiter, by the link that the daemon has printed.
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Door, Field, Sent, enter, show, takeFragment } from './door.mjs';

const secret = takeFragment();

show(() => html`
  <${Door} title='setup.title'>
    <p class="hint">${say(secret ? 'setup.about' : 'setup.none')}</p>
    ${secret && html`
      <${Sent} path="setup" action='setup.action' more=${{ secret }} done=${enter}>
        <${Field} label='people.name' name="name" autocomplete="username" />
        <${Field} label='people.new' name="password" type="password" autocomplete="new-password" />
      <//>
      <p class="hint">${say('people.rules')}</p>
    `}
  <//>
`);
