// A ruling on a game of a closed round is taken back while its board plays the next one: that the round is closed is said first.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, give, until } from './house.mjs';

const MOVES = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';
const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n';

let house;
before(async () => { house = await House.open(1, 'name = "Harbour Open"\nlanguage = "en"\n'); });
after(() => house.close());

const post = async (path, body) => {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
};
const draw = async (round) => {
  await post('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round });
  await post(`/api/rounds/${round}/start`, {});
};

test('that the round is closed is said though the board shows another game', { timeout: 120_000 }, async () => {
  await draw(1);
  await house.play('b01', MOVES, ['--breach', 'touch-move-own-piece@7', '--speed', '8', '--seed', '9']);
  const { game, findings } = await until(async () => { const board = await house.board('b01'); return board.findings.length === 2 && board; }, 'two findings of one turn', 60_000);
  await post('/api/boards/b01/orders', { event: 'arbiter', action: 'dismiss', id: findings[0].id });
  await post('/api/rounds/1/results', { results: { 1: '1-0' }, decided: true });
  await post('/api/rounds/1/close', {});
  await draw(2);
  await house.play('b01', '1. e4 e5', ['--speed', '20']);
  await until(async () => { const board = await house.board('b01'); return board.game !== game && board.ply === 2; }, 'the next game is played', 60_000);
  const incident = (await house.json('/api/incidents')).find((one) => one.game === game);
  assert.deepEqual([incident.round, incident.at_hand, incident.rulings.length], [1, false, 1]);

  const page = await house.page(`#/incident/${incident.id}`);
  await page.locator('.incident-head h1', { hasText: 'Round 1, Table 1' }).waitFor();
  await page.locator('.ruled').getByRole('button', { name: 'Take back' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('Round 1 is closed').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.goto(`${house.address}/#/inbox`);
  await page.locator('.incidents li', { hasText: 'Round 1' }).first().waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a result of a closed round is changed, and not offered to be taken back', { timeout: 60_000 }, async () => {
  const page = await house.page('#/round/1');
  const row = page.locator('tr[data-table="1"]');
  await row.getByRole('combobox').waitFor();
  const choices = await row.getByRole('combobox').locator('option').allInnerTexts();
  assert.ok(choices.includes('0–1') && !choices.includes('Take back'), choices.join());
  await page.getByText('Round 1 is closed, and what comes after it rests on its results').waitFor();
  await give(row, '0-1');
  const dialog = page.locator('dialog[open]');
  await dialog.getByRole('textbox').fill('The names were exchanged');
  await dialog.getByRole('button').last().click();
  await row.locator('.res-confirmed', { hasText: '0–1' }).waitFor();
  // Of the round that is played it can be.
  await post('/api/rounds/2/results', { results: { 1: '1-0' }, decided: true });
  await page.goto(`${house.address}/#/round/2`);
  await row.getByRole('combobox').locator('option', { hasText: 'Take back' }).waitFor({ state: 'attached' });
  assert.equal(await page.getByText('is closed, and what comes after it').count(), 0);
  assert.deepEqual(page.complaints, []);
  await page.close();
});
