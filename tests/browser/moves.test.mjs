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

test('the record tells at what time of day something was ordered, and what was taken back', { timeout: 60_000 }, async () => {
  const post = async (order) => {
    const answer = await fetch(`${house.address}/api/boards/b01/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) });
    assert.ok(answer.ok, await answer.clone().text());
  };
  const began = new Date();
  await post({ event: 'arbiter', action: 'played', ply: 8, move: 'g8h6', order: 'wrong', author: 'Rita' });
  await post({ event: 'arbiter', action: 'take-back', order: 'wrong', author: 'Otto' });
  await post({ event: 'arbiter', action: 'pause', order: 'halt', author: 'Rita' });
  const { game } = await house.board('b01');
  const page = await house.page(`#/game/${game}`);
  const row = (text) => page.locator('.protocol tbody tr', { hasText: text });
  await row('Otto').waitFor();
  const told = await row('Rita').locator('td:first-child').allInnerTexts();
  assert.equal(told.length, 2);
  for (const time of told) {
    const [hours, minutes, seconds] = time.split(' ')[0].split(':').map(Number);
    const apart = Math.abs(new Date(began).setHours(hours, minutes, seconds) - began);
    assert.ok(Math.min(apart, 86_400_000 - apart) < 10_000, `${time} is not ${began}`);
  }
  assert.equal(await row('Otto').locator('del').count(), 1);
  assert.match(await row('Otto').innerText(), /taken back, \d+:\d\d:\d\d.*, Otto/);
  // The time of day is written in one way on the whole sheet.
  assert.match(await page.locator('.protocol > header').innerText(), /, \d\d:\d\d:\d\d –/);
  assert.match(await page.locator('.protocol .foot').innerText(), /, \d{4}-\d\d-\d\d, \d\d:\d\d:\d\d\./);
  assert.deepEqual(page.complaints, []);
});
