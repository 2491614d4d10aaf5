// A board that lies turned: the arbiter says so, and the game is played on it as it lies.
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

test('told how the board lies, the game is followed', { timeout: 90_000 }, async () => {
  const page = await house.page('#/board/b01');
  const finding = page.locator('[data-finding="1"]');
  await finding.getByText('The board lies wrongly between the players').waitFor();
  await finding.getByRole('button', { name: 'It lies turned by 0°' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'It lies so' }).click();
  await finding.waitFor({ state: 'detached' });
  await until(async () => (await house.board('b01')).ply === 4, 'the moves are played', 60_000);
  const { turned, moves, findings, game } = await house.board('b01');
  assert.deepEqual([turned, moves], [0, ['e2e4', 'e7e5', 'g1f3', 'b8c6']]);
  assert.deepEqual(findings.map((f) => [f.code, f.status]), [['board-orientation-wrong', 'upheld']]);
  const { at, ...told } = (await house.script(game)).find((e) => e.event === 'arbiter');
  assert.deepEqual(told, { event: 'arbiter', action: 'board-turned', turned: 0 });
  assert.equal(await page.getByRole('group', { name: 'How the board lies' }).getByRole('button', { pressed: true }).innerText(), '0°');
  assert.deepEqual(page.complaints, []);
});
