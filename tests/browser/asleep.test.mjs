// A phone in the pocket: the page slept with the machine, and nothing told it that the line is gone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House } from './house.mjs';

const PHONE = { width: 390, height: 844 };
const NIGHT_MS = 8 * 60 * 60_000;

let house;
before(async () => { house = await House.open(1); });
after(() => house.close());

for (const [target, name] of [['document', 'visibilitychange'], ['document', 'resume'], ['window', 'pageshow']]) {
  test(`who slept says at once that nothing is live, and asks for a line anew: ${name}`, { timeout: 60_000 }, async () => {
    // Its modules one by one: the test asks them as the page does.
    const page = await house.device(PHONE);
    await page.goto(`${house.address}/?modules#/`);
    await page.locator('.line-live').waitFor();
    let lines = 0;
    page.on('websocket', () => { lines += 1; });
    await page.evaluate(async () => { window.line = (await import('/state/link.mjs')).link; });
    // It wakes where there is no net yet, so that what it says before it has a line can be seen.
    await page.context().setOffline(true);
    const woken = await page.evaluate(([on, event, slept]) => {
      const before = window.line.status;
      // While the machine sleeps the clock of the wall goes on, and the page's own may stand still.
      const now = Date.now;
      Date.now = () => now() + slept;
      (on === 'window' ? window : document).dispatchEvent(new Event(event));
      return [before, window.line.status];
    }, [target, name, NIGHT_MS]);
    assert.deepEqual(woken, ['live', 'lost']);
    await page.locator('.line-lost').waitFor();
    await page.context().setOffline(false);
    await page.locator('.line-live').waitFor();
    assert.ok(lines > 0, 'it is another line');
    await page.close();
  });
}

test('who only looked away for a moment keeps the line', { timeout: 60_000 }, async () => {
  const page = await house.page('#/', PHONE);
  await page.locator('.line-live').waitFor();
  let lines = 0;
  page.on('websocket', () => { lines += 1; });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.waitForTimeout(1_000);
  assert.equal(await page.locator('.line-live').count(), 1);
  assert.equal(lines, 0);
  await page.close();
});
