// At 200 % on a desk, and at 400 % or on the smallest phone: what can be done is seen, and the page beside it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';

const SHORT = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';
/** What a page of 1280 x 800 has at 200 %, one of 1280 x 1024 at 400 %, and a small phone. */
const SIZES = [[640, 400], [320, 256], [320, 568]];

let house;
before(async () => { house = await House.open(1, 'language = "de"\n'); });
after(() => house.close());

test('an incident is ruled on at 200 % and on 320 px', { timeout: 120_000 }, async () => {
  await house.play('b01', SHORT, ['--breach', 'illegal-move@7', '--speed', '8', '--seed', '3']);
  const one = await until(async () => (await house.json('/api/incidents')).find(({ kind }) => kind === 'irregularity'), 'an incident', 60_000);
  for (const [width, height] of SIZES) {
    for (const place of [`#/incident/${one.id}`, '#/inbox']) {
      const page = await house.page(place, { width, height });
      const dock = page.locator('.dock');
      await dock.waitFor();
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/zoom-${place.startsWith('#/inbox') ? 'inbox' : 'incident'}-${width}x${height}.png` });
      const seen = await dock.evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        const buttons = [...one.querySelectorAll('button')].map((button) => button.getBoundingClientRect());
        return { share: (bottom - top) / innerHeight, isThere: buttons.length > 0 && buttons.every((box) => box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth), small: Math.min(...buttons.map((box) => box.height)) };
      });
      const what = `${place} at ${width} x ${height}: ${JSON.stringify(seen)}`;
      assert.ok(seen.isThere, `${what}: all its buttons are seen`);
      assert.ok(seen.share < 0.45, `${what}: the page is seen`);
      assert.ok(seen.small >= 44, `${what}: a thumb hits them`);
      await sound(page, what);
      // The end of the page is not below it.
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      const covered = await page.evaluate(() => document.querySelector('main > :nth-last-child(1 of :not(.dock))').getBoundingClientRect().bottom - document.querySelector('.dock').getBoundingClientRect().top);
      assert.ok(covered <= 0, `${what}: ${covered} px are covered`);
      await page.close();
    }
  }
  const page = await house.page(`#/incident/${one.id}`, { width: 640, height: 400 });
  await page.locator('.dock .rule .strong').click();
  await page.locator('.steps').waitFor();
  await page.close();
});
