// @ts-check
// Who is there: where the console asks that, with the way to people and devices; else under the name that he has given himself here.
import { html } from '../app/html.mjs';
import { useMe } from '../state/me.mjs';
import { changeName, useOwnName } from '../state/name.mjs';
import { say } from '../words/language.mjs';

export function PeopleLink() {
  const me = useMe();
  const own = useOwnName();
  if (!me) return null;
  if (me.required) return me.name && html`<a href="/people.html" title=${say('bar.people')}>${me.name}</a>`;
  return html`<button class="quiet own" title=${say('name.title')} onClick=${changeName}>${own || say('name.none')}</button>`;
}
