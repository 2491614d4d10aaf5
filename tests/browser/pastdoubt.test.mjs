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
