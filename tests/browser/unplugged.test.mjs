// Pieces are set up and played with for a round while their board is unplugged: that is of the game, or asked, and nobody is told to be missing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, give, until } from './house.mjs';

/** After 1. e4 e5 2. Nf3 Nc6 3. Bb5. */
const FIVE = ['RNBQK..R', 'PPPP.PPP', '.....N..', '....P...', '.B..p...', '..n.....', 'pppp.ppp', 'r.bqkbnr'].join('');
let house;
let hands;
const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const pair = (round, white, black) => post('/api/pairings', { file: Buffer.from(`[Round "${round}.1"]\n[White "${white}"]\n[Black "${black}"]\n[Result "*"]\n\n*\n`).toString('base64') });
before(async () => {
  house = await House.open(1, 'name = "Harbour Open"\nlanguage = "en"\n');
  await pair(1, 'Berg, Anna', 'Cole, Ben');
  await post('/api/rounds/1/start', {});
  hands = await house.hands('b01');
  await until(async () => (await house.board('b01')).connected, 'the board is there');
  await hands('wait 2500', 'd2d4', 'd7d5');
  await until(async () => (await house.board('b01')).ply === 2, 'they play');
  await post('/api/boards/b01/orders', { event: 'arbiter', action: 'result', result: '1-0' });
  await post('/api/rounds/1/confirm', {});
  await post('/api/rounds/1/close', {});
  await pair(2, 'Evers, Dan', 'Fuchs, Eva');
  await post('/api/rounds/2/start', {});
  hands.unplug();
  await until(async () => !(await house.board('b01')).connected, 'the board is gone');
  hands = await house.hands('b01', 'piece', FIVE);
  await until(async () => (await house.board('b01')).connected, 'the board is back');
});
after(() => house.close());

test('it is asked with which position the game began, and nobody is missing', { timeout: 60_000 }, async () => {
  await until(async () => (await house.board('b01')).unset, 'it is asked');
  const page = await house.page('#/round/2', { width: 1280, height: 900 });
  const absent = page.locator('.absent');
  await absent.getByText('pieces were moved on the board').waitFor();
  assert.equal(await absent.locator('.missing button').count(), 0);
  const row = page.locator('tr[data-table="1"]');
  await give(row, '+/-');
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('Pieces were moved at this table').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const refused = await post('/api/rounds/2/results', { results: { 1: '+/-' }, reason: 'not there', not_begun: true });
  assert.deepEqual([refused.status, (await refused.json()).why.kind], [422, 'forfeit-moved']);
  await page.locator('tr[data-table="1"] a.unset').click();
  await page.locator('.need-panel.unset').waitFor();
  await page.close();
});

test('once play goes on, what was played out of sight is in its record', { timeout: 60_000 }, async () => {
  await hands('a7a6', 'b5a4', 'g8f6', 'd2d3', 'b7b5');
  const board = await until(async () => { const told = await house.board('b01'); return told.round === '2.1' && told.ply === 10 && told; }, 'its moves are read');
  assert.deepEqual(board.plies.map(({ san }) => san), ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Ba4', 'Nf6', 'd3', 'b5']);
  assert.deepEqual([board.unset, board.findings.length], [null, 0]);
  assert.deepEqual((await house.json('/api/rounds/2')).waiting, []);
});
