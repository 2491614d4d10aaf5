// A wall whose line is dead, though nobody has closed it, says how old it is what it shows, and asks for another.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';

let house;
before(async () => {
  house = await House.open(1, 'language = "en"\n');
});
after(() => house.close());

test('a wall notices that nothing comes any more, says so, and goes on with another line', { timeout: 90_000 }, async () => {
  await house.play('b01', '1. e4 e5 2. Nf3', ['--speed', '20']);
  await until(async () => (await house.board('b01')).ply === 3, 'three half-moves', 40_000);
  const page = await house.device();
  // The first line dies once it has told the boards: nothing closes it.
  let lines = 0;
  await page.routeWebSocket(/api\/live/, (line) => {
    lines += 1;
    const number = lines;
    const daemon = line.connectToServer();
    daemon.onMessage((message) => {
      if (number > 1 || !('beat' in JSON.parse(message))) line.send(message);
    });
  });
  await page.goto(`${house.address}/wall.html`);
  await page.locator('.wall .last', { hasText: 'Nf3' }).waitFor();
  assert.equal(await page.locator('.wall-old').count(), 0);
  const held = lines;
  const old = page.locator('.wall-old', { hasText: 'What you see is' });
  await old.waitFor({ timeout: 20_000 });
  assert.match(await old.innerText(), /Connection lost\. What you see is 1\d s old\./);
  await sound(page, 'a wall without a line');
  await old.waitFor({ state: 'detached' });
  assert.equal(lines, held + 1);
  // A line that is closed is said at once, and as old as it is.
  await house.killDaemon();
  await old.waitFor();
  await page.locator('.wall .last', { hasText: 'Nf3' }).waitFor();
  await house.startDaemon();
  await old.waitFor({ state: 'detached' });
  await page.close();
});
