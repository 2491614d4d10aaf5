// What the arbiter saw himself: whom he means stays while play goes on, and what he takes back leaves nothing to be done.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

let house;
before(async () => {
  house = await House.open(1, 'language = "en"\n');
});
after(() => house.close());

test('whom a report means stays, and a report that is taken back asks for nothing', { timeout: 120_000 }, async () => {
  const plies = async () => (await house.json('/api/boards'))[0].moves?.length ?? 0;
  // The page is open before the first half-move: how long it takes to open must not use up the game.
  const page = await house.page('#/board/b01');
  const moves = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O';
  const played = house.play('b01', moves, ['--speed', '4']);
  await until(async () => (await plies()) > 1, 'the game goes on', 60_000);
  await page.locator('details.report summary').click();
  const form = page.locator('details.report form');
  await form.locator('select[name="code"]').selectOption('two-hands');
  const by = form.locator('select[name="by"]');
  await by.selectOption('white');
  const before = await plies();
  const seen = new Set();
  await until(async () => {
    seen.add(await by.inputValue());
    return (await plies()) >= before + 3;
  }, 'three half-moves later', 60_000);
  assert.deepEqual([...seen], ['white']);
  await played;
  // A report on what is not the latest would be refused.
  await page.waitForFunction(() => document.querySelectorAll('.move-list .move').length === 16);
  await form.getByRole('button').click();
  const dialog = page.locator('dialog[open]');
  assert.match(await dialog.innerText(), /two hands \(Anna Berg\)/);
  await dialog.getByRole('button', { name: 'Report it' }).click();
  // White's half-move has been answered: her opponent's clock has run on since.
  await page.locator('.to-do').getByText('Add to what the clocks show').waitFor();
  // The same once more in that turn would be an offence of its own.
  await form.locator('select[name="code"]').selectOption('two-hands');
  await by.selectOption('white');
  await form.getByRole('button').click();
  await dialog.getByText('report it a second time?').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await by.selectOption('black');
  await form.getByRole('button').click();
  await dialog.getByText('report this?').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const [{ orders }] = await house.json('/api/boards');
  const order = { event: 'arbiter', action: 'take-back', order: orders.at(-1).order };
  const back = await fetch(`${house.address}/api/boards/b01/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) });
  assert.equal(back.status, 200);
  await page.locator('.to-do').waitFor({ state: 'detached' });
  await until(async () => (await house.json('/api/incidents')).every(({ state, steps }) => state === 'superseded' && steps.length === 0), 'nothing is left', 20_000);
  assert.deepEqual(page.complaints ?? [], []);
});
