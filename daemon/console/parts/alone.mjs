// @ts-check
// What has to be found out before it is asked or done, and is begun once however often it is pressed for.

/** What is being found out. @type {Set<string>} */
const begun = new Set();

/** As long as it is not known it is not begun again. @param {string} what @param {() => Promise<unknown>} does */
export async function alone(what, does) {
  if (begun.has(what)) return;
  begun.add(what);
  try {
    await does();
  } finally {
    begun.delete(what);
  }
}
