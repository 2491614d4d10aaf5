// @ts-check
// A phone brings a code: scanned, it stands in the address; else it is typed. Looking at the page uses nothing: that does the button.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Certificate } from './certificate.mjs';
import { Door, Field, Sent, show, takeFragment } from './door.mjs';
import { RoleText } from './roles.mjs';
import { Waiting } from './waiting.mjs';

const scanned = takeFragment();

function Pair() {
  const [petition, setPetition] = useState(/** @type {any} */ (null));
  const invitation = petition?.invitation;
  return html`
    <${Door} title='pair.title'>
      ${invitation && html`<p><strong>${invitation.name}</strong>, <${RoleText} of=${invitation} /></p>`}
      ${petition ? html`<${Waiting} petition=${petition} />` : html`
        <p class="hint">${say(scanned ? 'pair.scanned' : 'pair.about')}</p>
        <${Sent} path="pair" action='pair.action' more=${scanned ? { code: scanned } : {}} done=${setPetition}>
          ${!scanned && html`<${Field} label='pair.code' name="code" />`}
        <//>
        <${Certificate} />
      `}
    <//>
  `;
}

show(Pair);
