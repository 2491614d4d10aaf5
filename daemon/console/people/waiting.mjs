// @ts-check
// A device that waits to be let in: asks every two seconds.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Problem, ask, enter } from './door.mjs';

const AGAIN_MS = 2_000;
/** Nobody waits any more with this secret: he was turned away, or was not answered in time. */
const OVER = 410;

/** Nobody is asked whether these come in: they see, and order nothing. */
const COME_IN = ['viewer', 'display'];

/** @param {{ petition: { secret: string, squares: string, invitation?: { role: string } | null }, onOver: (text: string) => void }} props */
export function Waiting({ petition, onOver }) {
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    let isLeft = false;
    const timer = setInterval(async () => {
      const { status, error } = await ask('collect', { secret: petition.secret });
      if (isLeft) return;
      if (status === 200) enter();
      // Without the daemon, and whatever else it says, it goes on asking.
      if (status === OVER) onOver(String(error));
      else setProblem(error);
    }, AGAIN_MS);
    return () => {
      isLeft = true;
      clearInterval(timer);
    };
  }, [petition.secret]);
  const comesIn = petition.invitation && COME_IN.includes(petition.invitation.role);
  return html`
    <p>${say(comesIn ? 'pair.comes-in' : 'pair.waits')}</p>
    ${!comesIn && html`<p class="squares">${petition.squares}</p>`}
    <${Problem} text=${problem} />
  `;
}
