// A flag that is said to have fallen: what the clock shows is said. A clock that shows 0:00 ends nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneBoard, until } from './house.mjs';

const hall = oneBoard();

test('what the clock shows is said where a flag is said to have fallen, and ends nothing by itself', { timeout: 90_000 }, async () => {
  await hall.hands('e2e4', 'e7e5', 'wait 500');
  // Who is asked whether a flag fell is told what the clock shows.
  const table = await hall.page('#/board/b01');
  await table.locator('.words summary').click();
  await table.locator('.words').getByRole('button', { name: 'Flag fell' }).first().click();
  const asked = table.locator('dialog.confirm');
  await asked.getByText(/The clock shows 1:29:\d\d for Anna Berg/).waitFor();
  await asked.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await hall.board()).result, null);

  // A clock that tells 0:00 along with a press has not told that a flag fell: it may count whole seconds, and what is played on is recorded.
  await hall.hands('left white 3000', 'g1f3', 'left white 63000', 'b8c6', 'f1b5', 'wait 1500');
  const board = await until(async () => { const now = await hall.board(); return now.ply === 5 && now; }, 'five half-moves', 30_000);
  assert.deepEqual([board.result, board.white_ms], [null, 60_000]);
  assert.deepEqual(table.complaints, []);
  await table.close();
});
