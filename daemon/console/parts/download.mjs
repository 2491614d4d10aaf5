// @ts-check
// A file of the daemon's. One that is not there is said to be not there, on the page one is on.
import { html } from '../app/html.mjs';
import { setNotice } from '../state/notice.mjs';
import { say } from '../words/language.mjs';
import { refusalSentence } from '../words/refusals.mjs';

/** @param {{ href: string, name: string, text: string, kind?: string, of?: string | null }} props `of`: what was read there already, and is given out as it was read: a checksum of it stands on the page */
export function Download({ href, name, text, kind, of }) {
  return html`<a class=${kind} href=${href} download=${name} onClick=${(/** @type {Event} */ event) => take(event, href, name, of)}>${text}</a>`;
}

/**
 * @param {Event} event
 * @param {string} href
 * @param {string} name
 * @param {string | null} [of]
 */
async function take(event, href, name, of) {
  event.preventDefault();
  if (of) {
    save(new Blob([of], { type: 'application/x-ndjson' }), name);
    return;
  }
  try {
    const answer = await fetch(href);
    if (!answer.ok) {
      setNotice({ kind: 'refused', text: refusalSentence(await answer.json().catch(() => null), answer.status) });
      return;
    }
    save(await answer.blob(), name);
  } catch {
    setNotice({ kind: 'refused', text: say('notice.unreachable') });
  }
}

/** @param {Blob} file @param {string} name */
function save(file, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
