// @ts-check
// Where the console asks who is there: who that is, and the way to people and devices.
import { useEffect, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { whoAmI } from '../state/me.mjs';
import { say } from '../words/language.mjs';

export function PeopleLink() {
  const [name, setName] = useState('');
  useEffect(() => {
    whoAmI().then((me) => setName(me?.required ? me.name : ''));
  }, []);
  return name && html`<a href="/people.html" title=${say('bar.people')}>${name}</a>`;
}
