// A game of a round that is played from pieces which did not stand as at its start: it is asked, and begun with what stood there.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { playedUnset } from './unsetround.mjs';

let house;
let hands;
let pair;
let post;
before(async () => {
  house = await House.open(1, 'name = "Harbour Open"\nlanguage = "en"\n');
  ({ hands, pair, post } = await playedUnset(house));
});
after(() => house.close());

async function ada(hash, size) {
  const page = await house.page('#/', size);
  await page.evaluate(() => localStorage.setItem('arbiter-name', 'Ada'));
  await page.goto(`${house.address}/?ada${hash}`);
  return page;
}

const QUESTION = 'Which position did the game begin with?';

test('the inbox, all boards and the row of the round ask which position it began with', { timeout: 60_000 }, async () => {
  await until(async () => (await house.board('b01')).unset, 'it is told');
  const page = await ada('#/inbox', { width: 1280, height: 900 });
  await page.locator('.incident', { hasText: QUESTION }).waitFor();
  assert.match(await page.locator('.incident', { hasText: QUESTION }).innerText(), /Evers, Dan[^]*Fuchs, Eva/);
  await page.goto(`${house.address}/?ada#/`);
  const card = page.locator('.card[data-board="b01"]');
  await card.getByText(QUESTION).waitFor();
  await card.getByText('what the board reads').waitFor();
  // White's queen is not there, and the pawns have moved: it is no diagram of the game before.
  await until(async () => await card.locator('cg-board piece').count() === 31, 'what it reads is drawn');
  await page.goto(`${house.address}/?ada#/round/2`);
  await page.locator('tr[data-table="1"] a.unset').click();
  await page.locator('.need-panel.unset').waitFor();
  assert.equal(await page.getByText('must be withdrawn').count(), 0);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('it begins with what stood there, and what was played since is in its record', { timeout: 60_000 }, async () => {
  const { incidents } = { incidents: await house.json('/api/incidents') };
  const [{ id }] = incidents.filter(({ kind }) => kind === 'unset');
  const page = await ada(`#/incident/${id}`, { width: 390, height: 844 });
  const panel = page.locator('.need-panel.unset');
  await panel.getByRole('button', { name: 'Begin the game with that' }).click();
  const dialog = page.locator('dialog[open]');
  assert.match(await dialog.innerText(), /To move first: White\.[^]*read as moves/);
  await dialog.getByRole('button', { name: 'Begin the game' }).click();
  const board = await until(async () => { const told = await house.board('b01'); return told.round === '2.1' && told.ply === 3 && told; }, 'its moves are read');
  assert.deepEqual(board.plies.map(({ san }) => san), ['d4', 'd5', 'Nf3']);
  assert.equal(board.start_fen, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1');
  assert.equal(board.unset, null);
  assert.equal((await house.json('/api/incidents')).filter(({ kind }) => kind === 'unset').length, 0);
  assert.deepEqual((await house.json('/api/rounds/2')).waiting, []);
  await hands('g8f6');
  await until(async () => (await house.board('b01')).ply === 4, 'it goes on');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the next game does not begin with the position that was set', { timeout: 60_000 }, async () => {
  await post('/api/boards/b01/orders', { event: 'arbiter', action: 'result', result: '1-0' });
  await post('/api/rounds/2/confirm', {});
  await post('/api/rounds/2/close', {});
  await pair(3, 'Gross, Ida', 'Hahn, Jan');
  const page = await ada('#/round/3', { width: 1280, height: 900 });
  await hands('d4d2-', 'd5d7-', 'f3g1-', 'f6g8-', 'wait 1000');
  await until(async () => (await house.board('b01')).reading?.endsWith('RNB.KBNR'), 'the queen is missing');
  await page.locator('.check .todo', { hasText: 'Pieces stand as they should' }).waitFor();
  await hands('+d1Q', 'wait 1000');
  await page.locator('.check .done', { hasText: 'Pieces stand as they should' }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});
