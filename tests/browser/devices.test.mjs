// The boards themselves: what is typed of them stays while they play, and what changes a game is asked first.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8';

let house;
before(async () => { house = await House.open(2); });
after(() => house.close());

test('what is typed of a board stays while games go on; boards of games in play are asked about', { timeout: 90_000 }, async () => {
  await Promise.all(['b01', 'b02'].map((id) => house.play(id, MOVES, ['--speed', '3'])));
  await until(async () => (await house.board('b02')).ply > 0 && (await house.board('b01')).ply > 0, 'both play', 60_000);
  const page = await house.page('#/devices');
  const one = page.locator('[data-board="b01"]');
  await one.locator('summary', { hasText: 'Move, replace, turn' }).click();
  const [table, line] = [one.getByLabel('Table'), one.locator('[name=port]')];
  const is = await line.inputValue();
  await table.fill('2');
  await line.fill('/dev/ttyUSB7');
  const { ply } = await house.board('b01');
  await until(async () => (await house.board('b01')).ply > ply + 1, 'play goes on', 30_000);
  assert.deepEqual([await table.inputValue(), await line.inputValue()], ['2', '/dev/ttyUSB7']);
  await line.fill(is);

  const put = one.getByRole('button', { name: 'Put it there' });
  await put.click();
  const dialog = page.locator('dialog.confirm');
  await dialog.getByText('Exchange the boards of tables 1 and 2?').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const told = await house.json('/api/tables');
  assert.equal(told.find((seat) => seat.table === 1).board, 'b01', 'nothing is exchanged');
  await table.fill('9999999');
  await put.click();
  await page.getByText('A table has a number from 1 to 65535.').waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});
