// @ts-check
// Speaks what needs the arbiter to screen readers, once for each new need.
import { useEffect, useState } from 'preact/hooks';
import { html } from './html.mjs';
import { subscribe } from '../state/topics.mjs';
import { needsArbiter } from '../state/urgency.mjs';
import { headline } from '../words/headline.mjs';
import { titled } from '../words/language.mjs';
import { boardPlace } from '../words/place.mjs';

export function Announcer() {
  const [text, setText] = useState('');
  useEffect(() => subscribe('urgency', (board) => {
    const need = needsArbiter(board) ? headline(board) : null;
    if (need) setText(titled(boardPlace(board), need.spoken));
  }), []);
  return html`<div class="spoken" role="status" aria-live="polite">${text}</div>`;
}
