// A clock that tells 0:00 along with a press: the loss waits in the inbox, with what the clock shows, and may be none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneBoard, until } from './house.mjs';

const hall = oneBoard();

test('a flag that fell by the clock is asked, and may be none', { timeout: 90_000 }, async () => {
  await hall.hands('e2e4', 'e7e5', 'wait 500');
  // Who is asked whether a flag fell is told what the clock shows.
  const table = await hall.page('#/board/b01');
  await table.locator('.words summary').click();
  await table.locator('.words').getByRole('button', { name: 'Flag fell' }).first().click();
  const asked = table.locator('dialog.confirm');
  await asked.getByText(/The clock shows 1:29:\d\d for Anna Berg/).waitFor();
  await asked.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await hall.board()).result, null);

  await hall.hands('left white 3000', 'g1f3', 'wait 1500');
  const board = await until(async () => { const now = await hall.board(); return now.result && now; }, 'the loss is proposed', 30_000);
  assert.deepEqual([board.result, board.white_ms, board.ply], [{ result: '0-1', proposed: true, reason: 'flag-fall' }, 0, 3]);
  const page = await hall.page('#/inbox');
  await page.locator('.incidents li', { hasText: '0–1' }).first().click();
  await page.getByText('The clock last told 0:00.0 for Anna Berg').or(page.getByText('The clock shows 0:00.0 for Anna Berg')).first().waitFor();
  const dock = page.locator('.dock');
  await dock.getByRole('button', { name: 'Declare 0–1' }).waitFor();
  await dock.getByRole('button', { name: 'No result, the game goes on' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'No result, the game goes on' }).click();
  await until(async () => (await hall.board()).result === null, 'there is none');
  assert.notEqual((await hall.board()).state, 'ended');
  assert.deepEqual([...page.complaints, ...table.complaints], []);
  await Promise.all([page.close(), table.close()]);
});
