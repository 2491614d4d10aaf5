// @ts-check
// A phone brings a code: scanned, it stands in the address; else it is typed. Looking at the page uses nothing: that does the button.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Certificate } from './certificate.mjs';
import { Door, Field, Problem, Sent, show, takeFragment } from './door.mjs';
import { RoleText } from './roles.mjs';
import { Waiting } from './waiting.mjs';

const scanned = takeFragment();

function Pair() {
  const [petition, setPetition] = useState(/** @type {any} */ (null));
  const [over, setOver] = useState(/** @type {string | null} */ (null));
  const invitation = petition?.invitation;
  // A code works once: after that the next one is typed.
  const code = over === null ? scanned : '';
  /** @param {string} text */
  const end = (text) => {
    setPetition(null);
    setOver(text);
  };
  return html`
    <${Door} title='pair.title'>
      ${invitation && html`<p><strong>${invitation.name}</strong>, <${RoleText} of=${invitation} /></p>`}
      ${petition ? html`<${Waiting} petition=${petition} onOver=${end} />` : html`
        <${Problem} text=${over} />
        <p class="hint">${say(code ? 'pair.scanned' : 'pair.about')}</p>
        <${Sent} path="pair" action='pair.action' more=${code ? { code } : {}} done=${setPetition}>
          ${!code && html`<${Field} label='pair.code' name="code" />`}
        <//>
        <${Certificate} />
      `}
    <//>
  `;
}

show(Pair);
