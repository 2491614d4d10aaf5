// What a phone does of itself while its arbiter waits: it shakes for what is found, the more certain the longer, and its screen stays on.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const PHONE = { width: 390, height: 844 };
const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. Nc3 Bb7 '
  + '13. Bc2 Re8 14. b3 Rc8 15. a3 Rb8 16. Ra2 h6 17. Bb2 Bf8 18. Ba1 Qc7 19. Rb2 g6 20. Bb1 Bg7';

let house;
before(async () => { house = await House.open(3, 'language = "en"\n'); });
after(() => house.close());

/** A phone that notes what it is asked to do; `allows`: what it can. */
async function phone(hash) {
  const page = await house.device(PHONE);
  await page.addInitScript(() => {
    window.shaken = [];
    window.locks = [];
    window.visible = 'visible';
    Object.defineProperty(navigator, 'vibrate', { value: (pattern) => window.shaken.push(pattern) });
    Object.defineProperty(document, 'visibilityState', { get: () => window.visible });
    Object.defineProperty(navigator, 'wakeLock', { value: { request: async (kind) => {
      const lock = { kind, held: true, release: async () => { lock.held = false; } };
      window.locks.push(lock);
      return lock;
    } } });
  });
  await page.goto(`${house.address}/${hash}`);
  await page.locator('.line-live').waitFor();
  return page;
}

// Play goes on: a board that goes away would be a fault, of which phones are told as well.
const breach = (board, code) => house.play(board, MOVES, ['--breach', `${code}@7`, '--speed', '3', '--seed', '3']);
const shown = (page, title) => page.locator('.incident', { hasText: title }).first().waitFor({ timeout: 60_000 });
/** How it shook: an empty pattern shakes nobody. */
const shaken = (page) => page.evaluate(() => window.shaken.filter((pattern) => pattern.length > 0));

test('a phone shakes twice for what is certain, once for what is likely, and not for what is only possible', { timeout: 180_000 }, async () => {
  const page = await phone('#/inbox');
  // A browser shakes nobody who has not touched the page.
  await page.getByRole('heading', { level: 1 }).click();
  await breach('b01', 'touch-move-opponent-piece');
  await shown(page, 'Touched an opponent’s piece');
  await page.waitForTimeout(500);
  assert.deepEqual(await shaken(page), []);
  await breach('b02', 'clock-pressed-without-move');
  await shown(page, 'Pressed the clock without a move');
  await until(async () => (await shaken(page)).length > 0, 'it shakes');
  const [likely, ...more] = await shaken(page);
  assert.deepEqual([likely.length, more], [1, []]);
  await breach('b03', 'illegal-move');
  await shown(page, 'Illegal move');
  const twice = async () => (await shaken(page)).filter((pattern) => pattern.length === 3);
  await until(async () => (await twice()).length > 0, 'it shakes twice', 60_000);
  await page.waitForTimeout(500);
  const [certain, ...others] = await twice();
  assert.deepEqual(others, [], 'once for each');
  assert.ok(certain[0] + certain[2] > 2 * likely[0], 'longer for what is certain');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the screen stays on while the inbox is open, and no longer', { timeout: 60_000 }, async () => {
  const page = await phone('#/');
  const held = () => page.evaluate(() => window.locks.map(({ kind, held: is }) => [kind, is]));
  const turn = (visible) => page.evaluate((is) => {
    window.visible = is;
    // A browser takes it away from a page that is hidden.
    if (is === 'hidden') window.locks.forEach((lock) => { lock.held = false; });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visible);
  assert.deepEqual(await held(), [], 'nobody walks about with all boards');
  await page.evaluate(() => { location.hash = '#/inbox'; });
  await until(async () => (await held()).length === 1, 'it is asked for');
  assert.deepEqual(await held(), [['screen', true]]);
  await turn('hidden');
  assert.equal((await held()).length, 1, 'a hidden page asks for nothing');
  await turn('visible');
  await until(async () => (await held()).length === 2, 'it is asked for again');
  // From an incident as well, and given back where boards are looked at.
  await page.locator('.dock .next').click();
  await page.locator('.incident-head').waitFor();
  await until(async () => (await held()).filter(([, is]) => is).length === 1, 'one is held');
  await page.evaluate(() => { location.hash = '#/'; });
  await page.locator('.card').first().waitFor();
  await until(async () => (await held()).every(([, is]) => !is), 'it is given back');
  const asked = (await held()).length;
  await turn('visible');
  await page.waitForTimeout(200);
  assert.equal((await held()).length, asked, 'nor asked for any more');
  assert.deepEqual(page.complaints, []);
  await page.close();
});
