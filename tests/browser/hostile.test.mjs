// Names that would be markup, or turn the direction of writing, are text on every page (ASVS 1.2.1, 3.2.2).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const WHITE = '<img src=x onerror="document.body.dataset.owned=1">';
const BLACK = '"><script>document.body.dataset.owned=1</script>';
const MOVES = '1. e4 e5 2. Nf3 Nc6';

let house;
before(async () => {
  house = await House.open(1);
  await house.play('b01', MOVES, ['--speed', '4']);
});
after(() => house.close());

test('a name is text in the hall, at its board, in the list of games and on the wall', { timeout: 60_000 }, async () => {
  await until(async () => (await house.board('b01')).connected, 'the board answers');
  const order = { event: 'new-game', white: WHITE, black: BLACK };
  const answer = await fetch(`${house.address}/api/boards/b01/orders`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order),
  });
  assert.equal(answer.status, 200);
  const page = await house.page('');
  for (const place of ['#/', '#/board/b01', '#/games']) {
    await page.goto(`${house.address}/${place}`);
    await until(async () => (await page.locator('body').innerText()).includes(WHITE), `her name is at ${place}`);
    assert.ok((await page.locator('body').innerText()).includes(BLACK), place);
    assert.equal(await page.locator('img[src="x"]').count(), 0, place);
    assert.equal(await page.evaluate(() => document.body.dataset.owned), undefined, place);
  }
  const wall = await house.device();
  await wall.goto(`${house.address}/wall.html`);
  await until(async () => (await wall.locator('body').innerText()).includes(WHITE), 'it is on the wall');
  assert.equal(await wall.evaluate(() => document.body.dataset.owned), undefined);
  assert.deepEqual([...page.complaints, ...wall.complaints], []);
});
