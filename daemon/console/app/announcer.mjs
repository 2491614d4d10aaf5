// @ts-check
// Speaks what needs the arbiter to screen readers, once for each new need.
import { useEffect, useState } from 'preact/hooks';
import { html } from './html.mjs';
import { subscribe } from '../state/topics.mjs';
import { needsArbiter } from '../state/urgency.mjs';
import { headline } from '../words/headline.mjs';
import { titled, useLanguage } from '../words/language.mjs';
import { boardPlace } from '../words/place.mjs';

export function Announcer() {
  useLanguage();
  const [about, setAbout] = useState(/** @type {Shown | null} */ (null));
  useEffect(() => subscribe('urgency', (board) => {
    if (needsArbiter(board)) setAbout(board);
  }), []);
  // It stands as the board stood then, in the language of now.
  const need = about && headline(about);
  return html`<div class="spoken" role="status" aria-live="polite">${need && titled(boardPlace(about), need.spoken)}</div>`;
}
