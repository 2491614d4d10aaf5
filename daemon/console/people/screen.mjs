// @ts-check
// A screen on the wall shows a code, which the chief arbiter types.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { Door, Problem, ask, show } from './door.mjs';
import { Waiting } from './waiting.mjs';

function Screen() {
  const [petition, setPetition] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    ask('screen', {}).then(({ body, error }) => error ? setProblem(error) : setPetition(body));
  }, []);
  return html`
    <${Door} title='screen.title'>
      <p class="hint">${say('screen.about')}</p>
      ${petition && html`<p class="code">${petition.code}</p><${Waiting} petition=${petition} />`}
      <${Problem} text=${problem} />
    <//>
  `;
}

show(Screen);
