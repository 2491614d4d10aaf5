// @ts-check
// What has to be found out before it is asked or done, and is begun once however often it is pressed for.
import { notify, useTopic } from '../state/topics.mjs';

/** What is being found out. @type {Set<string>} */
const begun = new Set();

/** As long as it is not known it is not begun again. @param {string} what @param {() => Promise<unknown>} does */
export async function alone(what, does) {
  if (begun.has(what)) return;
  begun.add(what);
  notify('alone');
  try {
    await does();
  } finally {
    begun.delete(what);
    notify('alone');
  }
}

/** Whether it is being found out: whoever has pressed for it sees that. @param {string} what */
export function useAlone(what) {
  useTopic('alone');
  return begun.has(what);
}
