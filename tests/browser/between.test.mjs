// A board between two games: whose game is shown, who is to play next, and no order that only play could follow.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const MATE = '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#';
const pairings = (pairs) => Buffer.from(`table,white,black\n${pairs.map(([white, black], n) => `${n + 1},"${white}","${black}"`).join('\n')}\n`).toString('base64');

let house;
before(async () => {
  house = await House.open(1, 'language = "en"\n');
  await post('/api/pairings', { file: pairings([['Berg, Anna', 'Cole, Ben']]), round: 1 });
  await post('/api/rounds/1/start', {});
  await house.play('b01', MATE, ['--speed', '20']);
  await until(async () => (await house.json('/api/rounds/1')).pairings[0].result, 'the first game is over', 30_000);
});
after(() => house.close());

async function post(path, body) {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

test('the last game stands with its own players, and the next one waits', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01');
  const orders = page.locator('.orders');
  await orders.getByRole('button', { name: 'Restore recorded position' }).waitFor();
  assert.equal(await page.locator('.next-game').count(), 0);
  // Once it is confirmed nothing is ordered there that the daemon would refuse.
  await post('/api/rounds/1/confirm', { tables: [1] });
  await orders.getByText('The result is confirmed.').waitFor();
  assert.equal(await orders.getByRole('button', { name: /Restore|Let board stand|Pause/ }).count(), 0);
  await post('/api/rounds/1/close', {});
  await post('/api/pairings', { file: pairings([['Dietz, Clara', 'Evers, Dan']]), round: 2 });
  await post('/api/rounds/2/start', {});
  await page.locator('.next-game', { hasText: 'Dietz, Clara – Evers, Dan' }).waitFor();
  assert.match(await page.locator('.room-head .phase').innerText(), /Round 2 has not begun here/);
  assert.match(await page.locator('.last-game').innerText(), /Berg, Anna – Cole, Ben[^]*checkmate[^]*confirmed/);
  assert.deepEqual(await page.locator('.position .name').allInnerTexts(), ['Cole, Ben', 'Berg, Anna']);
  assert.equal(await orders.getByRole('heading').first().innerText(), 'Orders on the last game');
  assert.equal(await orders.getByRole('button', { name: /Restore|Let board stand|Pause|1–0|Annul/ }).count(), 0);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/between.png`, fullPage: true });
  assert.deepEqual(page.complaints, []);
  await page.close();
});
