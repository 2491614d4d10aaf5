// A page whose line has not said anything yet does not say that nobody is needed, nor that anything is settled or not there.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';

let house;
before(async () => {
  house = await House.open(1, 'language = "en"\n');
});
after(() => house.close());

test('nothing is said before the daemon has said it', { timeout: 90_000 }, async () => {
  await house.play('b01', '1. e4', ['--speed', '20']);
  await until(async () => (await house.board('b01')).ply === 1, 'a half-move', 40_000);
  const page = await house.device();
  /** What lets the line speak. */
  let speak = () => {};
  await page.routeWebSocket(/api\/live/, (line) => {
    const daemon = line.connectToServer();
    const held = [];
    daemon.onMessage((message) => (held.push(message)));
    speak = () => {
      held.splice(0).forEach((message) => line.send(message));
      daemon.onMessage((message) => line.send(message));
    };
  });
  const waits = page.getByText('Connecting to the boards');
  const cases = [['#/inbox', 'Nobody needs you.'], ['#/incident/none.1', 'There is nothing of that name'], ['#/board/b01', 'There is no board'], ['#/board/b09', 'There is no board b09']];
  for (const [path, said] of cases) {
    await page.goto('about:blank');
    await page.goto(`${house.address}/${path}`);
    await waits.first().waitFor();
    assert.equal(await page.locator('main').getByText(said).count(), 0, path);
    if (path === '#/inbox') await sound(page, 'an inbox of which nothing is known');
    speak();
    await waits.first().waitFor({ state: 'detached' });
  }
  // What was held back is said then.
  await page.getByText('There is no board b09').waitFor();
  for (const [path, said] of [['#/inbox', /Nobody needs you|needs? somebody/], cases[1]]) {
    await page.goto('about:blank');
    await page.goto(`${house.address}/${path}`);
    await waits.first().waitFor();
    speak();
    await page.locator('main').getByText(said).waitFor();
  }
  await page.close();
});
