// @ts-check
// The PIN of a paired device: chosen the first time, then given.
import { html } from '../app/html.mjs';
import { whoAmI } from '../state/me.mjs';
import { say } from '../words/language.mjs';
import { Door, Field, Sent, enter, show } from './door.mjs';

const me = await whoAmI();
if (!me?.pin) enter();

show(() => html`
  <${Door} title='pin.title'>
    <p>${say(me?.pin === 'choose' ? 'pin.choose' : 'pin.give')}</p>
    <${Sent} path="pin" action='pin.action' done=${enter}>
      <${Field} label='pin.title' name="pin" type="password" autocomplete="off" />
    <//>
  <//>
`);
