// The cables of two boards are exchanged: both say that they seem to have changed places, and where that is put right.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

let house;
const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
before(async () => {
  house = await House.open(2, 'name = "Harbour Open"\nlanguage = "en"\n', 'kind = "text"\nsensor = "piece"\n');
  await post('/api/pairings', { file: Buffer.from('table,white,black\n1,"Berg, Anna","Cole, Ben"\n2,"Dietz, Clara","Evers, Dan"\n').toString('base64'), round: 1 });
  await post('/api/rounds/1/start', {});
});
after(() => house.close());

test('the boards are said to have changed places, on the page of each and in the inbox', { timeout: 120_000 }, async () => {
  const [a, b] = [await house.hands('b01'), await house.hands('b02')];
  await until(async () => (await house.board('b01')).connected && (await house.board('b02')).connected, 'both are there');
  await Promise.all([a('wait 1500', 'd2d4', 'd7d5', 'c2c4', 'e7e6', 'b1c3', 'g8f6'), b('wait 1500', 'e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6')]);
  const stand = await Promise.all(['b01', 'b02'].map(async (id) => { const board = await until(async () => { const told = await house.board(id); return told.ply === 6 && told; }, 'six half-moves'); return board.reading; }));
  // As byhand.py has it: a1 to h8.
  const squares = stand.map((reading) => reading.match(/.{8}/g).reverse().join(''));
  a.unplug();
  b.unplug();
  await until(async () => !(await house.board('b01')).connected && !(await house.board('b02')).connected, 'both are away');
  await Promise.all([house.hands('b01', 'piece', squares[1]), house.hands('b02', 'piece', squares[0])]);
  const found = await until(async () => { const all = (await house.json('/api/incidents')).filter(({ swapped }) => swapped); return all.length >= 2 && all; }, 'both say so');
  assert.deepEqual(found.map(({ board, swapped }) => `${board} ${swapped}`).sort().filter((one, n, all) => all.indexOf(one) === n), ['b01 b02', 'b02 b01']);
  for (const address of ['#/board/b01', `#/incident/${found[0].id}`]) {
    const page = await house.page(address);
    await page.locator('.swapped').getByText('the boards, or their cables, may have been exchanged').waitFor();
    await page.locator('.swapped a').click();
    await page.locator('.devices').waitFor();
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});

test('once they are exchanged, both games are let go on where they were exchanged', { timeout: 60_000 }, async () => {
  const games = await Promise.all(['b01', 'b02'].map(async (id) => (await house.board(id)).game));
  assert.equal((await post('/api/tables/1/swap', { with: 2 })).status, 200);
  await until(async () => (await house.board('b01')).game === games[1] && (await house.board('b01')).state === 'paused', 'they are exchanged, and stopped');
  const page = await house.page('#/devices');
  for (const left of [1, 0]) {
    await page.locator('.device', { hasText: 'The game here is stopped' }).getByRole('button', { name: 'Resume' }).first().click();
    await until(async () => (await page.getByText('The game here is stopped').count()) === left, 'it goes on');
  }
  for (const id of ['b01', 'b02']) assert.notEqual((await house.board(id)).state, 'paused');
  assert.equal((await house.json('/api/incidents')).filter(({ swapped }) => swapped).length, 0);
  await page.close();
});

test('the report and the protocols say that the boards were exchanged, and that both games were stopped for it', { timeout: 60_000 }, async () => {
  const games = (await house.json('/api/event')).board_moves.map(({ game }) => game);
  assert.equal(games.length, 2);
  const page = await house.page('#/report/1');
  const rows = page.locator('.interventions tbody tr');
  await rows.first().waitFor();
  const told = await rows.allInnerTexts();
  const of = (table, what) => told.filter((line) => line.startsWith(`1\t${table}\t`) && line.includes(what)).length;
  assert.equal(of(1, 'Board exchanged with that of table 2: b02 instead of b01'), 1, told.join('\n'));
  assert.equal(of(2, 'Board exchanged with that of table 1: b01 instead of b02'), 1, told.join('\n'));
  for (const table of [1, 2]) assert.equal(of(table, 'Game stopped by the program: its pieces are set up on another board'), 1, told.join('\n'));
  await page.goto(`${house.address}/?protocol#/game/${games[0]}`);
  await page.locator('.protocol td', { hasText: 'Board exchanged with that of table 2' }).waitFor();
  await page.locator('.protocol td', { hasText: 'Game stopped by the program: its pieces' }).waitFor();
  await page.close();
});
