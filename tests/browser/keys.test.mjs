// A ruling by keyboard alone: found, gone to, upheld, taken back; then the hall and the round.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from './house.mjs';
import { lively } from './views.mjs';

let house;
before(async () => { ({ house } = await lively()); });
after(() => house.close());

test('an incident is ruled on and the ruling taken back without a pointer', { timeout: 60_000 }, async () => {
  const page = await house.page('#/inbox');
  // A fault may be drawn before it.
  await page.locator('.incident').first().filter({ hasText: 'Illegal move' }).waitFor();
  await page.keyboard.press('j');
  assert.match(await page.evaluate(() => document.activeElement.textContent), /Illegal move/);
  await page.keyboard.press('Enter');
  await page.locator('.dock .rule').waitFor();
  const one = async () => (await house.json('/api/incidents')).find(({ kind, rulings }) => kind === 'irregularity' || rulings.length);
  await page.keyboard.press('g');
  await until(async () => (await one()).state === 'going', 'somebody goes');
  await page.keyboard.press('u');
  await page.locator('.ruled').waitFor();
  await page.locator('.notice', { hasText: /^(Board b01|Table \d+), .+ – .+: / }).waitFor();
  await page.keyboard.press('t');
  await page.locator('dialog.confirm[open]').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.dock .rule').waitFor();
  assert.equal((await one()).rulings.length, 0);
  await page.keyboard.press('Escape');
  await page.locator('.inbox-title').waitFor();
  await page.keyboard.press('3');
  await page.locator('.tile').first().waitFor();
  await page.keyboard.press('4');
  await page.locator('.results').waitFor();
  assert.deepEqual(page.complaints, []);
});
