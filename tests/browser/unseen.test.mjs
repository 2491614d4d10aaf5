// Where nobody knows what was played, it is said that the board was not there shortly before, and from when to when.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneBoard, until } from './house.mjs';

const hall = oneBoard();

test('beside a lost thread stands since when nothing was heard of the board', { timeout: 120_000 }, async () => {
  await hall.hands('e2e4', 'e7e5', 'wait 500');
  hall.hands.unplug();
  await until(async () => !(await hall.board()).connected, 'it is away');
  await new Promise((done) => setTimeout(done, 5_000));
  const again = await hall.house.hands('b01', 'piece', 'R...K..RPP...PPP..N.B.......P.......p.......n...pp...pppr.b.k..r');
  await until(async () => (await hall.board()).connected, 'it is there again');
  const doubt = await until(async () => (await hall.board()).doubts.find(({ kind }) => kind === 'thread-lost'), 'the thread is lost', 60_000);
  const { game } = await hall.board();
  const said = /Nothing was heard of the board from \d\d:\d\d:\d\d to \d\d:\d\d:\d\d/;
  for (const address of ['#/board/b01', `#/incident/${game}.${doubt.ply}`]) {
    const page = await hall.page(address);
    await page.locator('.doubt').getByText(said).waitFor({ timeout: 20_000 });
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
  again.unplug();
});
