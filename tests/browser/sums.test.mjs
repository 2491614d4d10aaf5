// Time that rulings give, where nobody has said that the clocks were set: what they add is summed once, and exact times stand only while they hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneBoard, until } from './house.mjs';

const hall = oneBoard();
const uphold = async (n) => {
  const { findings } = await hall.board();
  const open = findings.filter(({ status }) => status === 'open');
  assert.equal(open.length, n);
  await hall.order({ event: 'arbiter', action: 'uphold', id: open[0].id }, '?confirmed=true');
};

test('times that were not set are said as what is added once play has gone on, and summed once', { timeout: 90_000 }, async () => {
  // White's knight goes where no knight goes.
  await hall.hands('e2e4', 'e7e5', 'b1b3', 'wait 1500');
  await until(async () => (await hall.board()).findings.length === 1, 'it is found');
  await uphold(1);
  const page = await hall.page('#/board/b01');
  const clocks = page.locator('.to-do [data-step="clocks"]');
  await clocks.locator('table.dials b').first().waitFor();
  // A ruling says on what it is: numbers of findings stand nowhere there.
  await page.locator('details.given summary').first().click();
  await page.locator('details.given li', { hasText: 'Illegal move (move 2): upheld' }).waitFor();
  // They put the move right and play on, and nobody says that the clocks were set.
  await hall.hands('-b3', '+b1N', 'wait 1500', 'b1c3', 'b8c6', 'wait 1000');
  await until(async () => (await hall.board()).ply === 4, 'they play on');
  await clocks.getByText(/Black: add \+2:00 to what the clock shows\./).waitFor();
  assert.equal(await clocks.locator('table').count(), 0);
  // Another one, by Black.
  await hall.hands('g1f3', 'c6c4', 'wait 1500');
  await until(async () => (await hall.board()).findings.filter(({ status }) => status === 'open').length === 1, 'it is found');
  await uphold(1);
  await clocks.nth(1).waitFor();
  await clocks.first().getByText(/White: add \+2:00/).waitFor();
  await clocks.first().getByText(/Black: add \+2:00/).waitFor();
  assert.equal(await clocks.locator('table').count(), 0, 'no exact time says otherwise');
  await clocks.nth(1).getByText('which counts this one in').waitFor();
  assert.equal(await clocks.getByRole('button').count(), 1);
  await clocks.getByRole('button', { name: 'Both clocks are set' }).click();
  await until(async () => (await hall.house.json('/api/incidents')).flatMap(({ steps }) => steps).every(({ step, done }) => step !== 'clocks' || done), 'all of it is done');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('of what was never there nobody says that it is settled', { timeout: 60_000 }, async () => {
  const { game } = await hall.board();
  const page = await hall.house.page(`#/incident/${game}.1`, { width: 390, height: 844 });
  await page.locator('p.empty', { hasText: 'This is settled' }).waitFor();
  for (const id of ['2020-01-01-b01-1.7', 'b99.fault', 'nothing']) {
    await page.goto(`${hall.house.address}/?${id}#/incident/${id}`);
    await page.locator('p.empty', { hasText: 'There is nothing of that name' }).waitFor();
  }
  await page.close();
});
