// @ts-check
// The name under which things are said and ordered where nobody is asked who he is: asked once on a device, and changed in the bar.
import { whoWasHere } from './me.mjs';
import { notify, useTopic } from './topics.mjs';
import { ask } from '../parts/ask.mjs';
import { say } from '../words/language.mjs';

const KEPT = 'arbiter-name';

/** What is kept; null where nobody was asked. Without a store it is known as long as the page lives. @type {string | null} */
let own = stored();

function stored() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

export const ownName = () => own ?? '';

/** Whether a name is that of whoever is here. @param {string | undefined} who */
export function isHere(who) {
  const me = whoWasHere();
  return Boolean(who) && who === (me?.required ? me.name : ownName());
}

export function useOwnName() {
  useTopic('name');
  return ownName();
}

/** @param {string} name */
export function setOwnName(name) {
  own = name;
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // Without a store it lasts as long as the page.
  }
  notify('name');
}

/** @type {Promise<boolean> | undefined} */
let asking;

/** Before the first order of a device: whoever gives it says who he is, or that he does not want to. Whether he has: who leaves the question gives no order. */
export function nameOnce() {
  asking ??= askOnce().finally(() => { asking = undefined; });
  return asking;
}

async function askOnce() {
  const me = whoWasHere();
  if (own !== null || !me || me.required) return true;
  const name = await askName(say('name.without'));
  if (name !== null) setOwnName(name);
  return name !== null;
}

/** Another name, or none. */
export async function changeName() {
  const name = await askName();
  if (name !== null) setOwnName(name);
}

/** @param {string} [none] */
const askName = (none) => ask({ title: say('name.title'), text: say('name.text'), label: say('inbox.name'), action: say('name.keep'), value: ownName(), autocomplete: 'name', longest: 40, optional: !none, none });
