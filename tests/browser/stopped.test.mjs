// How long a move took is told without the time in which the game was stopped.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { stopsOf, timesOf } from '../../daemon/console/record/stops.mjs';
import { House, until } from './house.mjs';

let house;
before(async () => {
  house = await House.open(1, 'language = "en"\n');
});
after(() => house.close());

const order = (action, at, more = {}) => ({ event: 'arbiter', action, at, wall: '2026-12-01T10:00:00Z', undone: null, ...more });
const plies = [1_000, 11_000, 1_220_000].map((at) => ({ at }));

test('what is stopped counts to no move, up to when it goes on', () => {
  // A fire alarm of twenty minutes, stopped once more meanwhile for a reason of its own.
  const stops = stopsOf({ given: [order('pause', 12_000), order('pause', 600_000), order('resume', 1_212_000)] });
  assert.deepEqual(stops, [{ from: 12_000, to: 1_212_000 }]);
  assert.deepEqual(timesOf({ plies }, stops), [null, 10_000, 9_000]);
});

test('a stop that began in one move and ended in the next is taken from both, and none that was taken back or has no end', () => {
  const across = stopsOf({ given: [order('pause', 9_000), order('resume', 14_000)] });
  assert.deepEqual(timesOf({ plies }, across), [null, 8_000, 1_206_000]);
  const none = stopsOf({ given: [order('pause', 2_000, { undone: { author: '', wall: '' } }), order('resume', 3_000), { event: 'draw', step: 'offer', at: 4_000 }, order('pause', 1_210_000)] });
  assert.deepEqual(none, []);
  assert.deepEqual(timesOf({ plies }, none), [null, 10_000, 1_209_000]);
});

test('the page of a game says for how long it was stopped, and counts that to no move', { timeout: 120_000 }, async () => {
  await house.play('b01', '1. e4 e5 2. Nf3 Nc6 3. Bb5', ['--speed', '1']);
  const board = () => house.board('b01');
  const order = async (action) => {
    const answer = await fetch(`${house.address}/api/boards/b01/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ event: 'arbiter', action }) });
    assert.equal(answer.status, 200, await answer.text());
  };
  await until(async () => (await board()).ply >= 1, 'a half-move', 40_000);
  await order('pause');
  await new Promise((done) => setTimeout(done, 1_500));
  await order('resume');
  await until(async () => (await board()).ply >= 3, 'it goes on', 60_000);
  const page = await house.page(`#/game/${(await board()).game}`);
  await page.locator('.protocol', { hasText: /without that for which the game was stopped \(0:0[12]\)/ }).waitFor();
  await page.locator('.plots', { hasText: /without that for which the game was stopped \(0:0[12]\)/ }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});
