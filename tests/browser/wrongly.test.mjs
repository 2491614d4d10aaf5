// What is easily done wrongly is asked before, or said where it was done.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { House, give, oneBoard, until } from './house.mjs';

const hall = oneBoard();
const FILE = Buffer.from('table,white,black\n1,"Berg, Anna","Cole, Ben"\n').toString('base64');

async function post(path, body) {
  const answer = await hall.post(path, body);
  assert.equal(answer.status, 200, `${path}: ${await answer.text()}`);
}

test('a win without a move is asked about once', { timeout: 60_000 }, async () => {
  await post('/api/pairings', { file: FILE, round: 1 });
  await post('/api/rounds/1/start', {});
  const page = await hall.page('#/round');
  const row = page.locator('tr[data-table="1"]');
  const dialog = page.locator('dialog.confirm');
  const result = async () => (await hall.house.json('/api/rounds/1')).pairings[0].result;
  await give(row, '1-0');
  await dialog.getByText('Table 1: 1–0, without a move?').waitFor();
  assert.match(await dialog.innerText(), /a forfeit: \+\/−\./);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await result(), null);
  await give(row, '1/2-1/2');
  await until(result, 'a draw is entered without a question');
  await post('/api/rounds/1/withdraw', { tables: [1], reason: 'typed for another table' });
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('an address that there is not is said to be none', { timeout: 30_000 }, async () => {
  const page = await hall.page('#/hall');
  await page.getByText('There is no page #/hall: these are the boards.').waitFor();
  await page.evaluate(() => { location.hash = '#/'; });
  await until(async () => await page.getByText('There is no page').count() === 0, 'the boards have an address');
  await page.close();
});

test('a board that is said to lie turned though what stands fits the record is asked about', { timeout: 60_000 }, async () => {
  await hall.hands('e2e4', 'wait 1500');
  await until(async () => (await hall.board()).ply === 1, 'a half-move');
  const page = await hall.page('#/devices');
  const card = page.locator('[data-board="b01"]');
  await card.locator('summary', { hasText: 'Move, replace, turn' }).click();
  await card.getByRole('button', { name: '180°' }).click();
  const dialog = page.locator('dialog.confirm');
  await dialog.getByText('squares would differ from the record then; as it is read now 0 do.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.close();
});

test('the new line of a board stands there at once, with its kind', { timeout: 60_000 }, async () => {
  const page = await hall.page('#/devices');
  const card = page.locator('[data-board="b01"]');
  await card.locator('summary', { hasText: 'Move, replace, turn' }).click();
  await card.locator('[name=port]').fill('/dev/ttyUSB9');
  await card.getByRole('button', { name: 'Connect' }).click();
  await card.locator('p.hint', { hasText: /\/dev\/ttyUSB9 · text/ }).waitFor({ timeout: 3_000 });
  await card.getByRole('button', { name: 'As configured' }).click();
  await until(async () => !(await card.locator('p.hint').first().innerText()).includes('ttyUSB9'), 'it is as configured', 3_000);
  await page.close();
});

test('six boards are all in sight on a small wall', { timeout: 60_000 }, async () => {
  const house = await House.open(6);
  try {
    const page = await house.device({ width: 1280, height: 720 });
    await page.goto(`${house.address}/wall.html`);
    await until(async () => await page.locator('.wall figure').count() === 6, 'six boards');
    const high = () => page.evaluate(() => document.documentElement.scrollHeight <= innerHeight);
    await until(high, 'nothing is cut', 5_000);
  } finally {
    await house.close();
  }
});
