// @ts-check
// A file of the daemon's. One that is not there is said to be not there, on the page one is on.
import { html } from '../app/html.mjs';
import { setNotice } from '../state/notice.mjs';
import { say } from '../words/language.mjs';
import { refusalSentence } from '../words/refusals.mjs';

/** @param {{ href: string, name: string, text: string, kind?: string }} props */
export function Download({ href, name, text, kind }) {
  return html`<a class=${kind} href=${href} download=${name} onClick=${(/** @type {Event} */ event) => take(event, href, name)}>${text}</a>`;
}

/**
 * @param {Event} event
 * @param {string} href
 * @param {string} name
 */
async function take(event, href, name) {
  event.preventDefault();
  try {
    const answer = await fetch(href);
    if (!answer.ok) {
      setNotice({ kind: 'refused', text: refusalSentence(await answer.json().catch(() => null), answer.status) });
      return;
    }
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await answer.blob());
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  } catch {
    setNotice({ kind: 'refused', text: say('notice.unreachable') });
  }
}
