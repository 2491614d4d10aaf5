// The console by keyboard, on a phone, in the dark, and towards strangers.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const MOVES = '1. e4 c5 2. Nf3 d6 3. d4 cxd4';
const PLIES = 6;
const PHONE = { width: 360, height: 740 };

let house;
before(async () => {
  house = await House.open(3);
  await house.play('b01', MOVES, ['--speed', '20']);
  await until(async () => (await house.board('b01')).ply === PLIES, 'the game is played', 60_000);
});
after(() => house.close());

const focused = (page) => page.evaluate(() => document.activeElement?.dataset.board ?? null);

test('keys lead from board to board and back', { timeout: 60_000 }, async () => {
  const page = await house.page();
  await page.waitForSelector('a.card[data-board="b03"]');
  const order = await page.locator('a.card').evaluateAll((cards) => cards.map((card) => card.dataset.board));
  await page.keyboard.press('j');
  assert.equal(await focused(page), order[0]);
  await page.keyboard.press('j');
  assert.equal(await focused(page), order[1]);
  await page.keyboard.press('k');
  assert.equal(await focused(page), order[0]);
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.equal(outline, 'solid', 'the focus is visible');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.room');
  assert.equal(new URL(page.url()).hash, `#/board/${order[0]}`);
  await page.keyboard.press('Escape');
  await until(async () => (await focused(page)) === order[0], 'Esc leads back to the card');
  await page.keyboard.press('?');
  await page.locator('#help[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#help[open]').waitFor({ state: 'detached' });
  assert.deepEqual(page.complaints, []);
});

test('arrows look back at the game and do not disturb it', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01');
  await until(async () => (await page.locator('.move-list .move').count()) === PLIES, 'the record is shown');
  const { fen } = await house.board('b01');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.locator('.looking-back', { hasText: 'After 2… d6' }).waitFor();
  assert.equal((await page.locator('.move[aria-current]').innerText()).trim(), 'd6');
  // The pawn that Black takes with the last move still stands.
  await until(async () => (await page.locator('.position cg-board piece').count()) === 32, 'the earlier position is drawn');
  await page.keyboard.press('End');
  await page.locator('.looking-back').waitFor({ state: 'detached' });
  await page.locator('.move-list .move').first().click();
  await page.locator('.looking-back', { hasText: 'After 1. e4' }).waitFor();
  assert.equal((await house.board('b01')).fen, fen);
});

for (const scheme of ['light', 'dark']) {
  test(`nothing scrolls sideways on a phone (${scheme})`, { timeout: 60_000 }, async () => {
    for (const hash of ['#/', '#/board/b01', '#/board/b02', '#/games']) {
      const page = await house.page(hash, PHONE);
      await page.emulateMedia({ colorScheme: scheme });
      await page.waitForSelector('.card, .room, .games');
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${hash} is ${over} px too wide`);
      const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const [red] = paper.match(/\d+/g).map(Number);
      assert.ok(scheme === 'dark' ? red < 60 : red > 200, `${hash} is ${paper} in a ${scheme} scheme`);
      await page.close();
    }
  });
}

test('boards are drawn when they come into view', { timeout: 60_000 }, async () => {
  const page = await house.page('#/', { width: 360, height: 300 });
  await page.waitForSelector('a.card[data-board="b03"]');
  await until(() => page.evaluate(() => document.querySelectorAll('cg-board').length > 0), 'the first board is drawn');
  await page.locator('a.card').last().scrollIntoViewIfNeeded();
  await until(() => page.evaluate(() => document.querySelectorAll('cg-board').length === 3), 'the last board is drawn');
  assert.deepEqual(page.complaints, []);
});

test('a page from elsewhere can neither follow nor order', { timeout: 60_000 }, async () => {
  const page = await house.page();
  // The same service under another name is another site to the browser.
  await page.goto(`http://localhost:${house.port}/`);
  await page.waitForSelector('.card');
  const order = await page.evaluate(async (address) => {
    const body = JSON.stringify({ event: 'arbiter', action: 'pause' });
    return fetch(`${address}/api/boards/b01/orders`, { method: 'POST', mode: 'no-cors', body }).then(() => 'sent', () => 'refused');
  }, house.address);
  assert.equal(order, 'refused', 'the page’s own policy forbids it');
  const forged = await fetch(`${house.address}/api/boards/b01/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://elsewhere.example' },
    body: JSON.stringify({ event: 'arbiter', action: 'pause' }),
  });
  assert.equal(forged.status, 403);
  assert.notEqual((await house.board('b01')).state, 'paused');
});
