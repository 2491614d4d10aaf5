// Before a round is started it is asked where its pieces are not set up, as far as boards tell; and nobody is asked what was played in a game that counts for nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

let house;
let hands;
const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
before(async () => {
  house = await House.open(1, 'name = "Harbour Open"\nlanguage = "en"\n');
  const file = Buffer.from('[Round "1.1"]\n[White "Berg, Anna"]\n[Black "Cole, Ben"]\n[Result "*"]\n\n*\n').toString('base64');
  await post('/api/pairings', { file });
  hands = await house.hands('b01');
  await until(async () => (await house.board('b01')).connected, 'the board is there');
});
after(() => house.close());

test('the tables are named whose pieces are not set up', { timeout: 60_000 }, async () => {
  await hands('-d1', 'wait 1000');
  const page = await house.page('#/round', { width: 1280, height: 900 });
  await page.evaluate(() => localStorage.setItem('arbiter-name', 'Ada'));
  await page.goto(`${house.address}/?ada#/round`);
  const start = page.locator('.stages').getByRole('button', { name: 'Start round 1' });
  await until(async () => (await house.board('b01')).reading?.includes('RNB.KBNR'), 'it is read');
  await start.click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('At table 1 the pieces are not set up').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await house.json('/api/rounds/1')).stage, 'drawn');
  await hands('+d1Q', 'wait 1000');
  await until(async () => (await house.board('b01')).reading?.includes('RNBQKBNR'), 'it is set up');
  await page.locator('.check .done', { hasText: 'Pieces stand as they should' }).waitFor();
  await start.click();
  await until(async () => (await house.json('/api/rounds/1')).stage === 'under-way', 'it is started, and nothing was asked');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a game that counts for nothing asks nothing, and is not annulled again', { timeout: 60_000 }, async () => {
  await hands('wait 1500', 'e2e4', 'e7e5', 'b1b3', 'wait 1500');
  await until(async () => (await house.board('b01')).findings.length === 1, 'they play');
  assert.equal((await post('/api/boards/b01/orders', { event: 'arbiter', action: 'annul' })).status, 200);
  const page = await house.page('#/board/b01', { width: 1280, height: 900 });
  await page.locator('.orders').waitFor();
  await page.getByText('annulled').first().waitFor();
  assert.equal(await page.locator('.orders').getByRole('button', { name: 'Annul', exact: true }).count(), 0);
  assert.equal(await page.locator('.need-panel.doubt').count(), 0);
  // Taken back, the game goes on, and what is to be ruled on then is said before.
  await page.locator('.orders .given summary').click();
  await page.locator('.orders').getByRole('button', { name: 'Take back' }).first().click({ timeout: 5000 });
  const dialog = page.locator('dialog[open]');
  await dialog.waitFor();
  const text = await dialog.innerText();
  assert.match(text, /The game counts again, and goes on\./);
  assert.match(text, /What waits for you then: Illegal move \(White\)\./);
  await page.close();
});
