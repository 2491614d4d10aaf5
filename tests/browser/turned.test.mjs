// A board that lies otherwise than it should: that is told, and the game is followed as the board lies.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const MOVES = '1. e4 e5 2. Nf3 Nc6';

let house;
before(async () => {
  // The daemon takes the board to lie turned by a quarter, and it does not.
  house = await House.open(1, '', 'turned = 90');
  await house.play('b01', MOVES, ['--speed', '1']);
});
after(() => house.close());

test('a board that lies otherwise than it should is told, and the game on it is followed', { timeout: 90_000 }, async () => {
  const page = await house.page('#/board/b01');
  const finding = page.locator('[data-finding="1"]');
  await finding.getByText('The board lies wrongly between the players').waitFor();
  await until(async () => (await house.board('b01')).ply === 4, 'the moves are played', 60_000);
  const { turned, moves, findings } = await house.board('b01');
  assert.deepEqual([turned, moves], [0, ['e2e4', 'e7e5', 'g1f3', 'b8c6']]);
  assert.deepEqual(findings.map((f) => [f.code, f.status]), [['board-orientation-wrong', 'open']]);
  assert.equal(await page.getByRole('group', { name: 'How the board lies' }).getByRole('button', { pressed: true }).innerText(), '0°');
  await finding.getByRole('button', { name: 'Uphold' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Uphold' }).click();
  await until(async () => (await house.board('b01')).findings[0].status === 'upheld', 'the ruling is taken');
  assert.deepEqual((await house.board('b01')).moves, moves);
  assert.deepEqual(page.complaints, []);
});
