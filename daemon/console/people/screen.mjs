// @ts-check
// A screen on the wall shows a code, which the chief arbiter types. Nobody stands beside it: a code that has lapsed is followed by another.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Door, Problem, ask, show } from './door.mjs';
import { Waiting } from './waiting.mjs';

/** So soon it is tried again where nobody answers, and where it is refused: passwords are counted with it. */
const [SILENT_MS, REFUSED_MS] = [2_000, 20_000];

function Screen() {
  const [petition, setPetition] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    if (petition) return undefined;
    let isLeft = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const request = async () => {
      const { status, body, error } = await ask('screen', {});
      if (isLeft) return;
      setProblem(error);
      if (error) timer = setTimeout(request, status === 0 ? SILENT_MS : REFUSED_MS);
      else setPetition(body);
    };
    request();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [petition]);
  return html`
    <${Door} title='screen.title'>
      <p class="hint">${say('screen.about')}</p>
      ${petition && html`<p class="code">${petition.code}</p><${Waiting} petition=${petition} onOver=${() => setPetition(null)} />`}
      <${Problem} text=${problem} />
    <//>
  `;
}

show(Screen);
