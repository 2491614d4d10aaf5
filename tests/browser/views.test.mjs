// Every view: nothing that the rules of accessibility object to, nothing wider than the page, no word left open; in every language, light and dark, from
// a small phone to a wall, and with text at twice its size.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { LANGUAGES, lively, see } from './views.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let house;
let views;
before(async () => { ({ house, views } = await lively()); });
after(() => house.close());

const isNarrow = async (page, what) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${what}: ${wide} px too wide`);
};

for (const [width, height, colorScheme] of [[320, 640, 'light'], [1440, 900, 'dark']]) {
  test(`nothing is objected to at ${width} px, ${colorScheme}`, { timeout: 120_000 }, async () => {
    const page = await house.page('#/', { width, height });
    await page.emulateMedia({ colorScheme });
    for (const view of views) {
      await see(page, house, view, 'en');
      await page.locator('details').evaluateAll((all) => all.forEach((one) => { one.open = true; }));
      const { violations } = await page.evaluate(`${axe}; axe.run()`);
      assert.deepEqual(violations.map((found) => `${found.id} ${found.nodes[0].html}`), [], view[0]);
      await isNarrow(page, view[0]);
    }
    assert.deepEqual(page.complaints, []);
    await page.close();
  });
}

test('every language fits, and leaves no word open', { timeout: 120_000 }, async () => {
  for (const [width, height] of [[320, 640], [768, 1024]]) {
    const page = await house.page('#/', { width, height });
    for (const language of LANGUAGES) {
      for (const view of views) {
        await see(page, house, view, language);
        await isNarrow(page, `${view[0]} in ${language} at ${width} px`);
        assert.doesNotMatch(await page.evaluate(() => document.body.innerHTML), /\{[a-z-]+\}|\bundefined\b|\bNaN\b|\[object/, `${view[0]} in ${language}`);
      }
    }
    await page.close();
  }
});

test('text at twice its size, and a wall of 4K', { timeout: 120_000 }, async () => {
  for (const [width, height, zoom] of [[1280, 800, 2], [3840, 2160, 1]]) {
    const page = await house.page('#/', { width: width / zoom, height: height / zoom });
    if (zoom > 1) await page.addInitScript(() => addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '30px'; }));
    for (const view of views) {
      await see(page, house, view, 'de');
      await isNarrow(page, `${view[0]} at ${width} px, ${zoom} times`);
    }
    await page.close();
  }
});
