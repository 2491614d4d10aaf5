// What a ruling rests on cannot be taken back: that is said in place of the question, and the ruling itself can be taken back from there.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';

let house;
before(async () => {
  house = await House.open(1, 'language = "en"\n');
  await house.play('b01', '1. e4', ['--speed', '20']);
  await until(async () => (await house.board('b01')).ply === 1, 'the move is played', 60_000);
  await order({ event: 'claim', by: 'black', kind: 'threefold', order: 'claim-1' });
  const wrong = await until(async () => (await house.board('b01')).findings.find(({ code }) => code === 'incorrect-draw-claim'), 'the claim is wrong');
  await order({ event: 'arbiter', action: 'uphold', id: wrong.id, order: 'upheld-1' });
});
after(() => house.close());

async function order(body) {
  const answer = await fetch(`${house.address}/api/boards/b01/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  assert.equal(answer.status, 200, await answer.text());
}

const REASON = 'a ruling rests on it';

test('the reason stands there before anything is confirmed', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01', { width: 390, height: 844 });
  const sent = [];
  page.on('request', (request) => request.method() === 'POST' && request.url().includes('/orders') && sent.push(request.url()));
  await page.locator('details.given > summary').click();
  await page.locator('details.given li', { hasText: 'claim' }).last().getByRole('button', { name: 'Take back' }).click();
  const dialog = page.locator('dialog.confirm[open]');
  await dialog.getByText(/a ruling rests on it/i).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Take back', exact: true }).count(), 0, 'nobody confirms for nothing');
  await sound(page, 'a take-back that is refused');
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/takeback-refused.png` });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(sent, []);
  await page.close();
});

test('the ruling is taken back from there, and then what it rested on', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01', { width: 1280, height: 900 });
  await page.locator('details.given > summary').click();
  const claim = page.locator('details.given li', { hasText: 'claim' }).last();
  await claim.getByRole('button', { name: 'Take back' }).click();
  const dialog = page.locator('dialog.confirm');
  await dialog.getByRole('button', { name: 'Take that ruling back' }).click();
  await dialog.getByRole('button', { name: 'Take back', exact: true }).click();
  await until(async () => (await house.board('b01')).findings[0]?.status === 'open', 'the ruling is taken back');
  await until(async () => (await page.locator('details.given li').count()) === 1, 'the list follows');
  await page.locator('details.given li').getByRole('button', { name: 'Take back' }).click();
  await dialog.getByRole('button', { name: 'Take back', exact: true }).click();
  await until(async () => (await house.board('b01')).orders.length === 0, 'so is the claim');
  // A trial that is refused is no request that failed.
  assert.deepEqual(page.complaints.filter((text) => !text.includes('409')), []);
  await page.close();
});
