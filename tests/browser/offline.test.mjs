// The console as an app: what it is called, and what it says where the daemon cannot be reached.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House } from './house.mjs';

let house;
before(async () => { house = await House.open(1); });
after(() => house.close());

test('without a daemon a page says so, and shows nothing old', { timeout: 60_000 }, async () => {
  const page = await house.page('#/inbox');
  await page.evaluate(() => navigator.serviceWorker.ready);
  const manifest = await house.json('/app.webmanifest');
  assert.deepEqual([manifest.start_url, manifest.display], ['./#/inbox', 'standalone']);
  assert.deepEqual(page.complaints, []);
  await house.killDaemon();
  await page.reload();
  await page.getByRole('heading', { name: 'Not connected' }).waitFor();
  assert.equal(await page.getByRole('heading').count(), 3, 'in every language');
  await house.startDaemon();
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.locator('.line-live').waitFor();
});
