// A ruling on an earlier move takes out of the record what was played since, and a result that was proposed with it: that is said before.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

let house;
let hands;
before(async () => {
  house = await House.open(1, 'name = "Harbour Open"\nlanguage = "en"\n', 'kind = "text"\nsensor = "piece"\n');
  hands = await house.hands('b01');
});
after(() => house.close());

test('a result that is proposed goes with the moves, and the question says so', { timeout: 60_000 }, async () => {
  await until(async () => (await house.board('b01')).connected, 'the board is there');
  await hands('wait 1500', 'e2e4', 'e7e5', 'g1f3', 'b8b6', 'f1c4', 'g8f6', 'd2d3', 'f8c5', 'wait 1000');
  await hands('-e1', '-e4', '+e4K', '-e8', '+d5k', 'wait 3500');
  const { game } = await until(async () => { const board = await house.board('b01'); return board.result?.proposed && board; }, 'a draw is proposed');
  const page = await house.page('#/', { width: 1280, height: 900 });
  await page.evaluate(() => localStorage.setItem('arbiter-name', 'Ada'));
  await page.goto(`${house.address}/?ada#/incident/${game}.4`);
  await page.locator('.dock').getByRole('button', { name: 'Uphold' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('half-moves out of the record').waitFor();
  const text = await dialog.innerText();
  assert.match(text, /The result that is proposed, 1–0, kings placed on the centre, goes with them\./);
  // The moves have the numbers that the record has.
  assert.match(text, /2… b8b6 3\. Bc4 Nf6 4\. d3 Bc5|2\.\.\. b8b6 3\. Bc4 Nf6 4\. d3 Bc5/);
  await dialog.getByRole('button', { name: 'Take them out' }).click();
  await until(async () => (await house.board('b01')).plies.length === 3, 'they are out');
  assert.equal((await house.board('b01')).result, null);
  assert.deepEqual(page.complaints.filter((line) => !line.includes('409')), []);
  await page.close();
});
