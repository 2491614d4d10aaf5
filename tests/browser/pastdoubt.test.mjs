// A doubt of a game that is over is answered in the inbox.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const PROMOTES = '1. a4 b5 2. axb5 a6 3. bxa6 Nc6 4. a7 Rb8 5. a8=Q Nf6';
const PHONE = { width: 390, height: 844 };

let house;
before(async () => { house = await House.open(1); });
after(() => house.close());

test('what a pawn became is answered once its game is over', { timeout: 120_000 }, async () => {
  await house.play('b01', PROMOTES, ['--sensor', 'colour', '--speed', '10']);
  const game = await until(async () => {
    const board = await house.board('b01');
    return board.doubts.some(({ kind }) => kind === 'promotion-piece') && board.ply >= 9 && board.game;
  }, 'it is asked what the pawn became', 60_000);
  const begun = await fetch(`${house.address}/api/boards/b01/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"event":"new-game"}' });
  assert.equal(begun.status, 200);
  const { id } = await until(async () => (await house.json('/api/incidents')).find((one) => one.game === game && one.kind === 'doubt'), 'it waits');
  const page = await house.page(`#/incident/${id}`, PHONE);
  assert.equal(await page.locator('.incident-head .to-board').getAttribute('href'), `#/game/${game}`);
  await page.locator('.need-panel.doubt').getByText('look at the scoresheet, or ask the players').waitFor();
  await page.locator('.need-panel.doubt').getByRole('button', { name: 'Queen' }).click();
  await until(async () => !(await house.json('/api/incidents')).some((one) => one.id === id), 'it waits no more');
  const { view } = await house.json(`/api/games/${game}`);
  assert.deepEqual(view.doubts.map(({ kind }) => kind).filter((kind) => kind === 'promotion-piece'), []);
  // A game that another one replaces before a move is played is in play no more.
  const { game: bare } = await house.board('b01');
  await fetch(`${house.address}/api/boards/b01/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"event":"new-game"}' });
  await until(async () => (await house.board('b01')).game !== bare, 'the next game');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${house.address}/?games#/games`);
  const row = (id) => page.locator('.games tr', { has: page.getByRole('link', { name: id, exact: true }) });
  await row(bare).getByText('not begun').waitFor();
  await row(game).getByText('no result').waitFor();
  await row((await house.board('b01')).game).getByText('in play').waitFor();
  assert.deepEqual(page.complaints, []);
});

test('of a game whose board plays the next one what is upheld has no consequence', { timeout: 120_000 }, async () => {
  await house.play('b01', '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3', ['--breach', 'touch-move-own-piece@5', '--speed', '8', '--seed', '3']);
  const { id, game, findings: [{ id: finding }] } = await until(async () => (await house.json('/api/incidents')).find((one) => one.kind === 'irregularity'), 'a finding', 60_000);
  await until(async () => (await house.board('b01')).ply >= 6, 'play has gone on', 60_000);
  const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  // The cut that is confirmed is the one that was read.
  const uphold = { id: 'past-1', order: { event: 'arbiter', action: 'uphold', id: finding } };
  const asked = await post(`/api/incidents/${id}/rule`, uphold);
  const { cut } = await asked.json();
  assert.equal(asked.status, 409);
  const other = await post(`/api/incidents/${id}/rule?confirmed=${cut.half_moves - 1}`, uphold);
  assert.deepEqual([other.status, (await other.json()).cut], [409, cut]);
  assert.equal((await post(`/api/incidents/${id}/rule?confirmed=soon`, uphold)).status, 400);
  assert.equal((await post('/api/boards/b01/orders', { event: 'new-game' })).status, 200);
  await until(async () => (await house.board('b01')).game !== game, 'the next game');
  const page = await house.page(`#/incident/${id}`, PHONE);
  await page.locator('.after-end', { hasText: 'its pieces stand nowhere any more' }).first().waitFor();
  assert.equal((await post(`/api/incidents/${id}/rule?confirmed=true`, uphold)).status, 409);
  const told = async () => {
    const { view } = await house.json(`/api/games/${game}`);
    return { statuses: view.findings.map(({ status }) => status), stands: JSON.stringify([view.plies, view.fen, view.result, view.restore]) };
  };
  const before = await told();
  await page.locator('.dock').getByRole('button', { name: 'Uphold without consequence' }).click();
  await until(async () => (await told()).statuses.includes('upheld'), 'it is upheld');
  assert.equal((await told()).stands, before.stands, 'nothing follows');
  // The protocol says so, and it is taken back as any other.
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${house.address}/?record#/game/${game}`);
  await page.locator('.protocol .found', { hasText: 'Upheld without consequence: the game was over.' }).waitFor();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/record-only.png`, fullPage: true });
  const order = (await house.json(`/api/games/${game}`)).given.find(({ action }) => action === 'uphold');
  assert.equal(order.for_record, true);
  assert.equal((await post(`/api/incidents/${id}/rule`, { id: 'past-2', order: { event: 'arbiter', action: 'take-back', order: order.order } })).status, 200);
  await until(async () => (await told()).statuses.includes('open'), 'it waits again');
  // Of the game that is played nothing is upheld so.
  const refused = await post('/api/boards/b01/orders', { event: 'arbiter', action: 'uphold', id: 1, for_record: true });
  assert.deepEqual([refused.status, (await refused.json()).why.kind], [409, 'not-over']);
  await page.goto(`${house.address}/?again#/incident/${id}`);
  await page.locator('.dock').getByRole('button', { name: 'Dismiss' }).click();
  await until(async () => (await told()).statuses.includes('dismissed'), 'it is dismissed');
  await page.close();
});
