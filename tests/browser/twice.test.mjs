// A board that waits for its game, a player who moves again before the other, an obligation of a position that has gone by, and a mate that comes after the player's own illegal move.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

let house;
let hands;
before(async () => {
  house = await House.open(1, 'name = "Harbour Open"\nlanguage = "en"\n', 'kind = "text"\nsensor = "piece"\n');
  hands = await house.hands('b01');
  await until(async () => (await house.board('b01')).connected, 'the board is there');
});
after(() => house.close());

const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('a board whose game of the round has not begun is not among those in play', { timeout: 60_000 }, async () => {
  const pgn = '[Round "1.1"]\n[White "Berg, Anna"]\n[Black "Cole, Ben"]\n[Result "*"]\n\n*\n';
  await post('/api/pairings', { file: Buffer.from(pgn).toString('base64') });
  await post('/api/rounds/1/start', {});
  const page = await house.page('#/', { width: 1280, height: 900 });
  await page.locator('.group-unbegun h2', { hasText: 'Not begun 1' }).waitFor();
  assert.equal(await page.locator('.group-playing').count(), 0);
  await hands('wait 1000', 'e2e4', 'wait 500');
  await page.locator('.group-playing h2', { hasText: 'In play 1' }).waitFor();
  assert.equal(await page.locator('.group-unbegun').count(), 0);
  await page.close();
});

test('who moves again is not shown as something that the other has left undone', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01', { width: 1280, height: 900 });
  const phase = page.locator('.phase');
  await hands('wait 1000', 'd2d4');
  await phase.getByText('Black to move; a piece of White’s was moved').waitFor();
  await hands('-d4', '+d2P', 'wait 1500', 'e7e5', 'wait 1000', '-f1', '+f6B');
  await phase.getByText('White: move not finished').waitFor();
  await hands('-f6', '+c4B', 'white', 'b8c6', 'wait 1000');
  assert.deepEqual((await house.board('b01')).findings.filter(({ status }) => status === 'open'), []);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a mate after the own illegal move is taken back to before that in one tap, and the move ruled on', { timeout: 60_000 }, async () => {
  await hands('d1f5', 'wait 1500', 'a7a6', 'wait 1000', 'f5f7', 'wait 1000');
  const { game, findings } = await until(async () => {
    const board = await house.board('b01');
    return board.result?.reason === 'checkmate' && board;
  }, 'it is mate');
  const found = findings.find(({ status }) => status === 'open');
  assert.deepEqual([found.code, found.by, found.ply], ['illegal-move', 'white', 5]);
  const page = await house.page(`#/incident/${game}.${found.ply}`, { width: 390, height: 844 });
  const dock = page.locator('.dock');
  await dock.getByRole('button', { name: 'Put back the position before move 3' }).waitFor();
  assert.equal(await dock.getByRole('button', { name: 'Uphold', exact: true }).count(), 0);
  await dock.getByRole('button', { name: 'Put back the position before move 3' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('order the position before move 3?').waitFor();
  await dialog.getByText('3. d1–f5', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Order it' }).click();
  await dock.getByRole('button', { name: 'Uphold', exact: true }).click();
  const ruled = await until(async () => {
    const board = await house.board('b01');
    return board.findings.find(({ id }) => id === found.id).status === 'upheld' && board;
  }, 'it is upheld');
  assert.deepEqual([ruled.result, ruled.plies.length], [null, 4]);
  const incident = (await house.json('/api/incidents')).find(({ ply }) => ply === found.ply);
  assert.deepEqual(incident.steps.map(({ step }) => step), ['position', 'clocks', 'moves']);
  await page.locator('.steps li').nth(2).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});
