// What a touched piece binds a player to is shown as long as it is his move, and named on no square that has become empty.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

let house;
let hands;
before(async () => {
  house = await House.open(1, 'name = "Harbour Open"\nlanguage = "en"\n', 'kind = "text"\nsensor = "piece"\n');
  hands = await house.hands('b01');
  await until(async () => (await house.board('b01')).connected, 'the board is there');
});
after(() => house.close());

test('an obligation goes with the move, though nobody presses the clock', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01', { width: 1280, height: 900 });
  const bound = page.locator('.obligation');
  await hands('wait 1000', 'e2e4', 'e7e5', 'wait 1000', '-g1', 'wait 400', '+g1N', 'wait 1000');
  await bound.getByText('g1', { exact: false }).first().waitFor();
  await page.locator('square.mark-obliged:visible').first().waitFor();
  await hands('g1f3-', 'wait 1500', 'b8c6-', 'wait 1500');
  await until(async () => (await house.board('b01')).fen.split(' ')[0].includes('5N2'), 'the move is in the record');
  await bound.waitFor({ state: 'detached' });
  assert.equal(await page.locator('square.mark-obliged:visible').count(), 0);
  assert.deepEqual(page.complaints, []);
  await page.close();
});
