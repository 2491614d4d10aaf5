// Views that a round under way does not show, and what is open on some: nothing that the rules of accessibility object to, nothing wider than the page, no word
// left open; light and dark, on a small phone and at a desk.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { more, open } from './moreviews.mjs';
import { objections } from './sound.mjs';

let hall;
before(async () => { hall = await more(); });
after(() => hall?.close());

for (const [width, height, colorScheme] of [[320, 640, 'light'], [320, 640, 'dark'], [1440, 900, 'light'], [1440, 900, 'dark']]) {
  test(`nothing is objected to at ${width} px, ${colorScheme}`, { timeout: 240_000 }, async () => {
    const wrong = [];
    for (const view of hall.views) {
      const page = await open(view, { viewport: { width, height }, colorScheme }, 'en');
      for (const objection of await objections(page)) wrong.push(`${view[0]}: ${objection}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) wrong.push(`${view[0]}: ${wide} px too wide`);
      wrong.push(...page.complaints.map((text) => `${view[0]}: ${text}`));
      await page.close();
    }
    assert.deepEqual(wrong, []);
  });
}

test('every language fits a small phone, and leaves no word open', { timeout: 240_000 }, async () => {
  const wrong = [];
  for (const language of ['fr', 'de']) {
    for (const view of hall.views) {
      const page = await open(view, { width: 320, height: 640 }, language);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) wrong.push(`${view[0]} in ${language}: ${wide} px too wide`);
      const [gap] = (await page.evaluate(() => document.body.innerHTML)).match(/\{[a-z-]+\}|\bundefined\b|\bNaN\b|\[object/) ?? [];
      if (gap) wrong.push(`${view[0]} in ${language}: ${gap}`);
      await page.close();
    }
  }
  assert.deepEqual(wrong, []);
});
