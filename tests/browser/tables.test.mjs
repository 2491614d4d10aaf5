// How tables stand: a loss that waits to be declared, and a game that has not begun where another one's pieces stand.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hasQuestion, isUnbegun, mustBePutRight, setAwaited } from '../../daemon/console/state/urgency.mjs';
import { House, give, until } from './house.mjs';
import { sound } from './sound.mjs';

const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 5. exd5 Na5 6. Bb5+ c6';
const PGN = [1, 2].map((n) => `[Round "1.${n}"]\n[White "White ${n}"]\n[Black "Black ${n}"]\n[Result "*"]\n\n*\n`).join('\n');

let house;
const post = async (path, body) => {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  assert.equal(answer.status, 200, await answer.text());
};

before(async () => {
  house = await House.open(2);
  await post('/api/pairings', { file: Buffer.from(PGN).toString('base64') });
  await post('/api/rounds/1/start', {});
});
after(() => house.close());

test('a loss by illegal moves is shown at the round before it is declared, and declared there once', { timeout: 90_000 }, async () => {
  await house.play('b01', MOVES, ['--breach', 'illegal-move@5', '--breach', 'illegal-move@9', '--speed', '10', '--seed', '9']);
  const found = async (n) => (await house.board('b01')).findings.filter(({ code }) => code === 'illegal-move').length >= n;
  const uphold = (id) => post('/api/boards/b01/orders', { event: 'arbiter', action: 'uphold', id });
  for (const n of [1, 2]) {
    await until(() => found(n), `illegal move ${n}`, 40_000);
    await uphold(n);
  }
  const page = await house.page('#/round/1');
  const row = page.locator('.results tr[data-table="1"]');
  await row.getByText('illegal moves: not declared yet').waitFor();
  assert.match(await row.locator('.res').innerText(), /0–1/);
  await sound(page, 'the round');
  await give(row, '0-1');
  await row.locator('.res-confirmed').waitFor();
  assert.deepEqual((await house.json('/api/incidents')).filter(({ board, kind }) => board === 'b01' && kind !== 'fault'), []);
  assert.equal((await house.board('b01')).result.proposed, false);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a board that is stopped before its game waits for it, and what is asked of a board is asked then too', () => {
  const board = { id: 'b01', state: 'paused', ply: 0, restore: null, result: null, doubts: [], asked: null };
  assert.equal(isUnbegun(board), false);
  assert.equal(setAwaited(['b01']), true);
  assert.equal(setAwaited(['b01']), false);
  assert.equal(isUnbegun(board), true);
  // Of one that has begun it is a stop, and of what an arbiter has ordered.
  assert.equal(isUnbegun({ ...board, ply: 1 }), false);
  assert.equal(isUnbegun({ ...board, restore: 'fen' }), false);
  // A board that was switched on while its game was played, or lies turned, asks before the first half-move.
  for (const kind of ['position-unknown', 'board-turned']) {
    const asks = { ...board, state: 'disturbed', doubts: [{ kind }] };
    assert.deepEqual([isUnbegun(asks), mustBePutRight(asks), hasQuestion(asks)], [false, true, true]);
    assert.deepEqual([isUnbegun({ ...asks, state: 'paused' }), hasQuestion({ ...asks, state: 'paused' })], [false, true]);
  }
  setAwaited([]);
});

test('where boards were exchanged a game that has not begun is shown so, whatever stands on its board', { timeout: 90_000 }, async () => {
  await house.close();
  house = await House.open(2);
  await post('/api/pairings', { file: Buffer.from(PGN).toString('base64') });
  await post('/api/rounds/1/start', {});
  await house.play('b01', MOVES, ['--speed', '1.5']);
  await house.play('b02', '1. e4 e5', ['--speed', '0.02']);
  await until(async () => (await house.board('b01')).ply >= 4, 'four half-moves', 60_000);
  await post('/api/tables/1/swap', { with: 2 });
  await until(async () => (await house.board('b01')).ply === 0, 'the other game is there');
  const page = await house.page('#/map');
  await page.locator('.tile[data-table="2"][data-mark="waiting"]').waitFor();
  await page.goto(`${house.address}/#/`);
  const card = page.locator('a.card[data-board="b01"]');
  await card.getByText('Not begun').waitFor();
  assert.equal(await card.locator('.clock').count(), 0);
  await page.goto(`${house.address}/#/board/b01`);
  await page.locator('.phase', { hasText: 'Not begun' }).waitFor();
  assert.equal(await page.locator('.player .clock').count(), 0);
  await sound(page, 'the board');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a card shows who is to play, though the game of the round before stands on the board', { timeout: 90_000 }, async () => {
  await house.close();
  house = await House.open(2);
  await post('/api/pairings', { file: Buffer.from(PGN).toString('base64') });
  await post('/api/rounds/1/start', {});
  await house.play('b01', '1. e4 e5', ['--speed', '20']);
  await until(async () => (await house.board('b01')).ply === 2, 'the game is played', 60_000);
  const page = await house.page('#/');
  const card = page.locator('a.card[data-board="b01"]');
  await card.getByText('White 1').waitFor();
  await post('/api/boards/b01/orders', { event: 'arbiter', action: 'result', result: '1-0' });
  await post('/api/rounds/1/results', { results: { 1: '1-0', 2: '1/2-1/2' } });
  await post('/api/rounds/1/close', {});
  await card.getByText('Table 1 · b01').waitFor();
  const next = 'table,white,black\n1,White 2,Black 1\n2,White 1,Black 2\n';
  await post('/api/pairings', { file: Buffer.from(next).toString('base64'), round: 2 });
  await post('/api/tables/1/swap', { with: 2 });
  await post('/api/rounds/2/start', {});
  await card.getByText('Table 2 · b01').waitFor();
  await card.getByText('Not begun').waitFor();
  assert.deepEqual(await card.locator('.side .name').allInnerTexts(), ['Black 2', 'White 1']);
  assert.equal(await card.locator('.clock').count(), 0);
  await sound(page, 'the boards between two rounds');
  assert.deepEqual(page.complaints, []);
  await page.close();
});
