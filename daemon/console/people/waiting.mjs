// @ts-check
// A device that waits to be let in: asks every two seconds.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Problem, ask, enter } from './door.mjs';

const AGAIN_MS = 2_000;

/** Nobody is asked whether these come in: they see, and order nothing. */
const COME_IN = ['viewer', 'display'];

/** @param {{ petition: { secret: string, squares: string, invitation?: { role: string } | null } }} props */
export function Waiting({ petition }) {
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    const timer = setInterval(async () => {
      const { status, error } = await ask('collect', { secret: petition.secret });
      if (status === 200) enter();
      // Without the daemon it goes on asking.
      if (status >= 400) clearInterval(timer);
      setProblem(error);
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [petition.secret]);
  const comesIn = petition.invitation && COME_IN.includes(petition.invitation.role);
  return html`
    <p>${say(comesIn ? 'pair.comes-in' : 'pair.waits')}</p>
    ${!comesIn && html`<p class="squares">${petition.squares}</p>`}
    <${Problem} text=${problem} />
  `;
}
