// What nobody should find in a page: what axe objects to, and a page that is wider than its window.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe objects to in the page as it is: each rule with the first element that breaks it. Contrasts take as long as everything else together: whoever
 * looks at a state of a view that is looked at whole elsewhere leaves them to the long form.
 */
export async function objections(page, contrasts = true) {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe);
  // What is in order is not gathered: that takes longer than to look.
  return page.evaluate(async (enabled) => {
    const { violations } = await window.axe.run({ resultTypes: ['violations'], elementRef: false, preload: false, rules: { 'color-contrast': { enabled } } });
    return violations.map((found) => `${found.id} ${found.nodes[0].html}`);
  }, contrasts);
}

export async function sound(page, what) {
  assert.deepEqual(await objections(page, process.env.LONG_FORM === '1'), [], what);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${what}: ${wide} px too wide`);
}
