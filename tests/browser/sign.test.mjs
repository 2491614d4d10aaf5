// Kings that were put in the centre and back: the page says so, and how play goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneBoard, until } from './house.mjs';

const hall = oneBoard();

test('kings that stand in their places again are no result', { timeout: 60_000 }, async () => {
  await hall.hands('g1f3', 'g8f6', 'wait 500', '-e1', '+d4K', '-e8', '+e5k', 'wait 2500');
  await until(async () => (await hall.board()).result?.reason === 'kings-placed', 'it is proposed');
  const page = await hall.page('#/board/b01');
  const panel = page.locator('.need-panel.proposed');
  await panel.waitFor();
  assert.equal(await panel.locator('.sign-back').count(), 0);
  await hall.hands('-d4', '+e1K', '-e5', '+e8k');
  await panel.locator('.sign-back', { hasText: 'The kings stand in their places again.' }).waitFor();
  await hall.hands('b1c3', 'b8c6');
  await panel.locator('.sign-back', { hasText: 'play seems to go on' }).waitFor();
  // Nothing stands there that an order could let stand while a result is proposed.
  assert.equal(await page.locator('.orders').getByRole('button', { name: 'Let board stand' }).count(), 0);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/kings.png`, fullPage: true });
  await panel.getByRole('button', { name: 'No result, the game goes on' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'No result, the game goes on' }).click();
  await panel.waitFor({ state: 'detached' });
  const board = await hall.board();
  assert.deepEqual([board.result, board.state === 'ended'], [null, false]);
  assert.deepEqual(page.complaints, []);
  await page.close();
});
