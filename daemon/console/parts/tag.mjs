// @ts-check
// A need as a small sign: shape, word and colour all say which of the three it is.
import { html } from '../app/html.mjs';
import { Icon } from './icon.mjs';

/** @type {Record<Kind, import('./icon.mjs').IconName>} */
const ICONS = { irregularity: 'irregularity', doubt: 'doubt', fault: 'fault', restore: 'restore', proposed: 'pencil', ruled: 'check' };

/** @param {{ kind: Kind, word: string, certainty?: Certainty }} props */
export function Tag({ kind, word, certainty }) {
  return html`
    <span class=${`tag tag-${kind}${certainty ? ` is-${certainty}` : ''}`}>
      <${Icon} name=${ICONS[kind]} /><span>${word}</span>
    </span>
  `;
}
