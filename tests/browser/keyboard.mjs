// Whoever has no pointer: what he cannot reach by Tab he cannot use.
import assert from 'node:assert/strict';

/** More than there are stops on any page. */
const STOPS = 150;

export async function reach(page, target) {
  await target.waitFor();
  for (let n = 0; n < STOPS; n += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`not reached by Tab: ${target}`);
}

/** Presses a button, opens what is folded, ticks a box. */
export async function use(page, target) {
  await reach(page, target);
  await page.keyboard.press(await target.evaluate((element) => (element.tagName === 'INPUT' ? ' ' : 'Enter')));
}

/** Chooses from a list by its arrows. */
export async function choose(page, target, text) {
  await reach(page, target);
  const steps = await target.evaluate((select, wanted) => [...select.options].findIndex(({ label }) => label === wanted) - select.selectedIndex, text);
  await page.keyboard.press('Space');
  for (let n = 0; n < Math.abs(steps); n += 1) await page.keyboard.press(steps > 0 ? 'ArrowDown' : 'ArrowUp');
  await page.keyboard.press('Enter');
}

/** Types into a field, in the place of what stands there. */
export async function type(page, target, text) {
  await reach(page, target);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}
