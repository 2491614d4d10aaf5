// A move is on the screen within a second of its piece landing on the board.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6';
const PLIES = 8;
const LIMIT_MS = 1_000;

let house;
before(async () => { house = await House.open(); });
after(() => house.close());

// Notes in the page itself when each move first stood in the list: polling from outside would add to it.
const watchMoves = () => {
  window.shownAt = [];
  const look = () => {
    const count = document.querySelectorAll('.move-list .move').length;
    while (window.shownAt.length < count) window.shownAt.push(Date.now());
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
};

test('a move is shown within a second of the piece landing', { timeout: 120_000 }, async () => {
  const page = await house.page('#/board/b01');
  await page.waitForSelector('.room');
  await page.evaluate(watchMoves);
  const switchedOn = await house.play('b01', MOVES);
  await until(() => page.evaluate((n) => window.shownAt.length >= n, PLIES), 'every move is shown', 90_000);

  const shownAt = await page.evaluate(() => window.shownAt);
  const { game, plies } = await house.board('b01');
  const script = await house.script(game);
  const delays = plies.map(({ uci, at }, ply) => {
    const landings = script.filter((e) => e.event === 'place' && e.square === uci.slice(2, 4) && e.at <= at);
    // The board's clock showed 0 when it was switched on, and runs as fast as ours.
    return shownAt[ply] - (switchedOn + landings.at(-1).at);
  });
  console.log(`from landing to screen, ms: ${delays.join(' ')}`);
  assert.equal(delays.length, PLIES);
  for (const [ply, delay] of delays.entries()) {
    assert.ok(delay <= LIMIT_MS, `move ${ply + 1} was shown ${delay} ms after its piece landed`);
    assert.ok(delay > -50, `move ${ply + 1} was shown ${-delay} ms before its piece landed: the clocks do not agree`);
  }

  const texts = await page.locator('.move-list .move').allTextContents();
  assert.deepEqual(texts.map((text) => text.trim()), ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Ba4', 'Nf6']);
  assert.deepEqual(page.complaints, []);
});
