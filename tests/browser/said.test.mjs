// What a screen reader is told by itself: what needs the arbiter, once, and nothing of ordinary play. And the board in words.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const LONG = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. Nc3 Bb7';
const SHORT = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';
const PLAYING = ['b01', 'b02', 'b03'];
const LISTENED_MS = 30_000;

let house;
before(async () => {
  house = await House.open(PLAYING.length + 1, 'language = "en"\n');
  await Promise.all(PLAYING.map((id) => house.play(id, LONG, ['--speed', '1'])));
  await until(async () => (await house.board('b03')).ply > 0, 'they play', 60_000);
});
after(() => house.close());

// Whatever comes into a live region, as text; the page itself notes it, so that nothing is missed between two looks.
const listen = () => {
  window.said = [];
  const LIVE = '[aria-live]:not([aria-live="off"]), [role=status], [role=alert], [role=log], output';
  new MutationObserver((changes) => {
    const regions = new Set(changes.map(({ target }) => (target.nodeType === Node.TEXT_NODE ? target.parentElement : target)?.closest(LIVE)));
    for (const { addedNodes } of changes) for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE) regions.add(node.matches(LIVE) ? node : node.querySelector(LIVE));
    for (const region of regions) {
      const text = region?.textContent.trim();
      if (text) window.said.push(text);
    }
  }).observe(document.documentElement, { subtree: true, childList: true, characterData: true });
};

const said = (page) => page.evaluate(() => window.said);

test('nothing is said of ordinary play; what is found is said once', { timeout: 150_000 }, async () => {
  const views = [['#/', '.card'], ['#/inbox', '.inbox-title'], ['#/board/b01', '.room .move'], ['#/map', '.tile']];
  const pages = [];
  for (const [hash, drawn] of views) {
    const page = await house.page(hash);
    await page.locator(drawn).first().waitFor();
    await page.locator('.line-live').waitFor();
    await page.evaluate(listen);
    pages.push(page);
  }
  const plies = async () => (await Promise.all(PLAYING.map((id) => house.board(id)))).reduce((sum, { ply }) => sum + ply, 0);
  const before = await plies();
  await pages[0].waitForTimeout(LISTENED_MS);
  const played = await plies() - before;
  assert.ok(played >= 9, `${played} half-moves were played`);
  for (const [n, page] of pages.entries()) assert.deepEqual(await said(page), [], views[n][0]);

  // The board at which it happens is plugged in only now.
  await house.play('b04', SHORT, ['--breach', 'illegal-move@7', '--speed', '8', '--seed', '3']);
  const isOfIt = (text) => /illegal move/i.test(text);
  for (const [n, page] of pages.entries()) await until(async () => (await said(page)).some(isOfIt), `it is said at ${views[n][0]}`, 60_000);
  await pages[0].waitForTimeout(3_000);
  for (const [n, page] of pages.entries()) {
    const all = await said(page);
    assert.equal(all.filter(isOfIt).length, 1, `once at ${views[n][0]}: ${all.join(' | ')}`);
    assert.match(all.find(isOfIt), /b04/, 'and where');
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});

test('the board in words has every piece where it stands', { timeout: 60_000 }, async () => {
  const page = await house.page('?modules#/board/b01');
  const words = await page.evaluate(async () => {
    const { positionText } = await import('/words/pieces.mjs');
    return ['r3k2r/8/8/8/4P3/2n5/1q6/K6R b kq - 0 1', '4k3/P7/8/8/8/8/7p/4K2N w - - 0 1'].map(positionText);
  });
  assert.deepEqual(words, [
    'White: king a1, rook h1, pawn e4. Black: king e8, queen b2, rook a8 h8, knight c3.',
    'White: king e1, knight h1, pawn a7. Black: king e8, pawn h2.',
  ]);
  // On the board's page it is what is shown: each piece that is drawn stands in the words.
  await page.locator('.move-list .move').nth(2).click();
  const board = page.locator('.position [role=img]');
  await until(async () => /After|after/.test(await page.locator('.looking-back').innerText()), 'it looks back');
  const label = await board.first().getAttribute('aria-label');
  assert.match(label, /White: king e1, queen d1, rook a1 h1, bishop c1 f1, knight b1 f3, pawn a2 b2 c2 d2 e4 f2 g2 h2\. Black: king e8, queen d8, rook a8 h8, bishop c8 f8, knight b8 g8, pawn a7 b7 c7 d7 e5 f7 g7 h7\.$/);
  await page.close();
});
