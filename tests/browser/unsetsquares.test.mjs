// The same on a board that tells no pieces apart: what is drawn is said to be no more than its occupied squares.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { playedUnset } from './unsetround.mjs';

let house;
before(async () => {
  house = await House.open(1, 'name = "Harbour Open"\nlanguage = "en"\n');
  await playedUnset(house, 'occupancy');
});
after(() => house.close());

test('a board of squares draws the pieces that begin there, and says so', { timeout: 60_000 }, async () => {
  await until(async () => (await house.board('b01')).unset?.stood, 'it is told');
  const page = await house.page('#/', { width: 1280, height: 900 });
  const card = page.locator('.card[data-board="b01"]');
  await card.getByText('occupied squares when play began').waitFor();
  assert.doesNotMatch(await card.innerText(), /what the board reads/);
  await page.goto(`${house.address}/#/board/b01`);
  await page.locator('.need-panel.unset').getByText('The board tells no pieces apart').waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});
