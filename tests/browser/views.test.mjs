// Every view: nothing that the rules of accessibility object to, nothing wider than the page, no word left open; in every language, light and dark, from
// a small phone to a wall, and with text at twice its size.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from './house.mjs';
import { objections } from './sound.mjs';
import { LANGUAGES, lively, see } from './views.mjs';

let house;
let views;
before(async () => { ({ house, views } = await lively()); });
after(() => house.close());

/** A page of which every frame is measured, from the first that is drawn. */
async function measured(size) {
  const page = await house.device(size);
  await page.addInitScript(() => {
    window.widest = 0;
    const look = () => {
      window.widest = Math.max(window.widest, document.documentElement.scrollWidth - innerWidth);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(`${house.address}/#/`);
  return page;
}

/** No frame since the last look was too wide. */
async function isNarrow(page, what) {
  const wide = await page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => {
      done(Math.max(window.widest, document.documentElement.scrollWidth - innerWidth));
      window.widest = 0;
    });
  }));
  assert.ok(wide <= 0, `${what}: ${wide} px too wide`);
}

for (const [width, height, colorScheme] of [[320, 640, 'light'], [1440, 900, 'dark']]) {
  test(`nothing is objected to at ${width} px, ${colorScheme}`, { timeout: 120_000 }, async () => {
    const page = await measured({ width, height });
    await page.emulateMedia({ colorScheme });
    for (const view of views) {
      await see(page, house, view, 'en');
      await page.locator('details').evaluateAll((all) => all.forEach((one) => { one.open = true; }));
      assert.deepEqual(await objections(page), [], view[0]);
      await isNarrow(page, view[0]);
    }
    assert.deepEqual(page.complaints, []);
    await page.close();
  });
}

test('every language fits, and leaves no word open', { timeout: 120_000 }, async () => {
  for (const [width, height] of [[320, 640], [768, 1024]]) {
    const page = await measured({ width, height });
    for (const language of LANGUAGES) {
      for (const view of views) {
        await see(page, house, view, language);
        await isNarrow(page, `${view[0]} in ${language} at ${width} px`);
        assert.doesNotMatch(await page.evaluate(() => document.body.innerHTML), /\{[a-z-]+\}|\bundefined\b|\bNaN\b|\[object/, `${view[0]} in ${language}`);
      }
    }
    await page.close();
  }
});

test('text at twice its size, and a wall of 4K', { timeout: 120_000 }, async () => {
  for (const [width, height, zoom] of [[1280, 800, 2], [3840, 2160, 1]]) {
    const page = await measured({ width: width / zoom, height: height / zoom });
    if (zoom > 1) await page.addInitScript(() => addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '30px'; }));
    for (const view of views) {
      await see(page, house, view, 'de');
      await isNarrow(page, `${view[0]} at ${width} px, ${zoom} times`);
    }
    await page.close();
  }
});

test('help and the choice of language are there on the smallest phone', { timeout: 60_000 }, async () => {
  const page = await house.page('#/inbox', { width: 320, height: 640 });
  await see(page, house, views.find(([name]) => name === 'inbox'), 'en');
  await page.getByRole('button', { name: 'Keys and signs' }).click();
  await page.locator('.help').getByRole('combobox', { name: 'Language' }).selectOption('fr');
  await page.locator('.help').getByText('Langue').waitFor();
  await page.close();
});

test('a wall is used in its whole width', { timeout: 60_000 }, async () => {
  const page = await house.page('#/', { width: 3840, height: 2160 });
  await see(page, house, views[0], 'en');
  const right = await page.locator('.hall').evaluate((hall) => hall.getBoundingClientRect().right);
  assert.ok(right > 3700, `it ends at ${right}`);
  await page.close();
});

test('a question is gone with its page', { timeout: 60_000 }, async () => {
  const page = await house.page('#/', { width: 390, height: 844 });
  await see(page, house, views[0], 'en');
  await page.evaluate(() => { location.hash = '#/board/b01'; });
  await page.getByRole('button', { name: '1–0' }).first().click();
  await page.locator('dialog.confirm[open]').waitFor();
  await page.goBack();
  await page.locator('.card').first().waitFor();
  await page.locator('dialog.confirm:not([open])').waitFor({ state: 'attached' });
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await page.close();
});

test('every board of a protocol is printed', { timeout: 60_000 }, async () => {
  const { game } = await house.board('b01');
  const page = await house.page('#/', { width: 390, height: 260 });
  await see(page, house, ['game', `#/game/${game}`, '.found-board'], 'en');
  assert.equal(await page.locator('.found-board cg-board piece').count(), 0, 'it lies far below what is on the screen');
  await page.emulateMedia({ media: 'print' });
  await page.locator('.found-board cg-board piece').first().waitFor({ state: 'attached' });
  const boards = await page.locator('.found-board').evaluateAll((all) => all.map((board) => board.querySelectorAll('piece').length));
  assert.ok(boards.every((pieces) => pieces > 2), `${boards}`);
  await page.close();
});

test('what the sensors saw ends with the game', { timeout: 60_000 }, async () => {
  const { game, plies } = await house.board('b02');
  const mate = plies.at(-1);
  const page = await house.page('#/', { width: 1280, height: 800 });
  // The pieces are put away.
  await page.route(`**/api/games/${game}/script`, async (route) => {
    const answer = await route.fetch();
    const away = ['f7', 'e8', 'd8'].map((square, n) => JSON.stringify({ at: mate.at + 5_000 + n, event: 'lift', square }));
    await route.fulfill({ response: answer, body: `${(await answer.text()).trim()}\n${away.join('\n')}\n` });
  });
  await see(page, house, ['game', `#/game/${game}`, '.replay'], 'en');
  const replay = page.locator('.replay');
  await replay.scrollIntoViewIfNeeded();
  assert.match(await replay.locator('.hint', { hasText: 'Qxf7#' }).first().innerText(), /Qxf7#/);
  await until(async () => (await replay.locator('piece.white.queen').count()) === 1, 'the position at the end');
  assert.equal(await replay.getByText('Nothing is lifted.').count(), 1);
  assert.equal(await replay.locator('cg-board piece').count(), 31);
  const [last, all] = (await replay.locator('.slider .hint').innerText()).split(' / ');
  assert.equal(last, all);
  assert.deepEqual(page.complaints, []);
  await page.close();
});
