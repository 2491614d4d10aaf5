// A ruling on an earlier move takes out of the record what was played since, and a result that was proposed with it: that is said before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneBoard, until } from './house.mjs';

const hall = oneBoard();

test('a result that is proposed goes with the moves, and the question says so', { timeout: 60_000 }, async () => {
  await hall.hands('e2e4', 'e7e5', 'g1f3', 'b8b6', 'f1c4', 'g8f6', 'd2d3', 'f8c5', 'wait 1000');
  await hall.hands('-e1', '-e4', '+e4K', '-e8', '+d5k', 'wait 3500');
  const { game } = await until(async () => { const board = await hall.board(); return board.result?.proposed && board; }, 'a draw is proposed');
  const page = await hall.page(`#/incident/${game}.4`);
  await page.locator('.dock').getByRole('button', { name: 'Uphold' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('half-moves out of the record').waitFor();
  const text = await dialog.innerText();
  assert.match(text, /The result that is proposed, 1–0, kings placed on the centre, goes with them\./);
  // The moves have the numbers that the record has.
  assert.match(text, /2(…|\.\.\.) b8–b6 3\. Bc4 Nf6 4\. d3 Bc5/);
  await dialog.getByRole('button', { name: 'Take them out' }).click();
  await until(async () => (await hall.board()).plies.length === 3, 'they are out');
  assert.equal((await hall.board()).result, null);
  assert.deepEqual(page.complaints.filter((line) => !line.includes('409')), []);
  await page.close();
});
