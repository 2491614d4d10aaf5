// @ts-check
// The squares that name the certificate: what two people compare before one of them trusts it.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { ask } from './door.mjs';
import { say } from '../words/language.mjs';

export function Certificate() {
  const [squares, setSquares] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    ask('me').then(({ body }) => setSquares(body?.certificate ?? null));
  }, []);
  return squares && html`<p class="hint">${say('door.certificate')} <span class="squares">${squares}</span></p>`;
}
