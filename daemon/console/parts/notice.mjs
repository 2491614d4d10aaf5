// @ts-check
// The message at the foot of the page.
import { html } from '../app/html.mjs';
import { setNotice, useNotice } from '../state/notice.mjs';
import { say } from '../words/language.mjs';
import { Icon } from './icon.mjs';

export function Notice() {
  const notice = useNotice();
  return html`
    <div class="notice-place" role="status" aria-live="assertive">
      ${notice && html`
        <div class=${`notice notice-${notice.kind}`}>
          <${Icon} name=${notice.kind === 'done' ? 'check' : 'cross'} />
          <span>${notice.text}</span>
          <button class="quiet" aria-label=${say('close.message')} onClick=${() => setNotice(null)}>${say('close')}</button>
        </div>
      `}
    </div>
  `;
}
