// @ts-check
// Devices: who waits to be let in, who is in, and codes for others.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { Scrolls } from '../parts/scrolls.mjs';
import { say } from '../words/language.mjs';
import { browserOf } from './browsers.mjs';
import { Field, Problem, Sent, ask } from './door.mjs';
import { Role, RoleText } from './roles.mjs';

const AGAIN_MS = 2_000;

/** `Chrome on Linux`; what nothing is known of, as it calls itself. @param {string} agent */
function browserText(agent) {
  const known = browserOf(agent);
  return known ? say('devices.browser', known) : agent;
}

export function Devices() {
  const [petitions, setPetitions] = useState(/** @type {any[]} */ ([]));
  const [sessions, setSessions] = useState(/** @type {any[]} */ ([]));
  const [code, setCode] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const look = async () => {
    const [asking, inside] = await Promise.all([ask('petitions'), ask('sessions')]);
    if (!asking.error) setPetitions(asking.body);
    if (!inside.error) setSessions(inside.body);
  };
  useEffect(() => {
    look();
    const timer = setInterval(look, AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  /** @param {string} path @param {unknown} body */
  const order = async (path, body) => {
    setProblem((await ask(path, body)).error);
    look();
  };
  return html`
    <section>
      <h2>${say('devices.title')}</h2>
      <${Problem} text=${problem} />
      ${petitions.map((petition) => html`
        <div class="asking" key=${petition.id}>
          <strong>${petition.invitation.name}</strong> <${RoleText} of=${petition.invitation} />
          <span>${say('devices.shows')} <span class="squares">${petition.squares}</span></span>
          <span class="hint">${petition.address}</span><span class="spacer"></span>
          <button class="strong" onClick=${() => order(`petitions/${petition.id}`, { allow: true })}>${say('devices.allow')}</button>
          <button onClick=${() => order(`petitions/${petition.id}`, { allow: false })}>${say('devices.deny')}</button>
        </div>`)}
      <${Scrolls} label=${say('devices.title')}><table>
        <tbody>${sessions.map((session) => html`
          <tr key=${session.id}>
            <td>${session.name}</td><td><${RoleText} of=${session} /></td><td>${session.address}</td>
            <td class="hint" title=${session.browser}>${browserText(session.browser)}</td><td>${new Date(session.seen * 1000).toLocaleTimeString(document.documentElement.lang, { hourCycle: 'h23' })}</td>
            <td><button onClick=${() => order(`sessions/${session.id}/revoke`, {})}>${say('devices.revoke')}</button></td>
          </tr>`)}</tbody>
      </table><//>
    </section>
    <section>
      <h2>${say('devices.add')}</h2>
      <${Sent} path="codes" action='devices.code' row done=${(/** @type {any} */ told, /** @type {any} */ invited) => setCode({ ...told, invited })}>
        <${Field} label='devices.name' name="name" />
        <${Role} roles=${['sector', 'operator', 'viewer', 'display', 'chief']} />
      <//>
      ${code && html`
        <div class="invited">
          <img src=${`data:image/svg+xml,${encodeURIComponent(code.svg)}`} alt=${say('devices.qr')} />
          <div><p><strong>${code.invited.name}</strong> <${RoleText} of=${code.invited} /></p><p>${say('devices.scan')}</p><p class="code">${code.code}</p><p class="hint">${say('devices.typed', { page: code.link.split('#')[0] })}</p></div>
        </div>`}
    </section>
    <section>
      <h2>${say('devices.screen')}</h2>
      <${Sent} path="screens" action='devices.allow' row done=${look}>
        <${Field} label='pair.code' name="code" />
        <${Field} label='devices.name' name="name" />
        <${Role} roles=${['display', 'viewer']} />
      <//>
    </section>
  `;
}
