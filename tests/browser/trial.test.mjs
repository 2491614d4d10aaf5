// What an order would do stands there before it is given: claims, moves that are corrected, positions that are set. By pointer and by keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const AGAIN = '1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1';
// The pieces stand so three times, and castling is lost from the second on.
const ROOKS = '1. Nf3 Nf6 2. Rg1 Rg8 3. Rh1 Rh8 4. Rg1 Rg8 5. Rh1 Rh8';

let house;
before(async () => {
  house = await House.open(4, 'language = "en"\n');
  await Promise.all([...['b01', 'b02'].map((id) => house.play(id, AGAIN, ['--speed', '20'])), house.play('b03', ROOKS, ['--speed', '20'])]);
  for (const [id, ply] of [['b01', 7], ['b02', 7], ['b03', 10]]) await until(async () => (await house.board(id)).ply === ply, 'the moves are played', 60_000);
});
after(() => house.close());

const picture = (page, name) => process.env.PICTURES && page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
const middle = async (board, square) => {
  const box = await board.boundingBox();
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1])];
  return [box.x + (box.width * (file + 0.5)) / 8, box.y + (box.height * (8 - rank + 0.5)) / 8];
};
async function drag(page, board, from, to) {
  await board.scrollIntoViewIfNeeded();
  await page.mouse.move(...await middle(board, from));
  await page.mouse.down();
  await page.mouse.move(...(typeof to === 'string' ? await middle(board, to) : to), { steps: 4 });
  await page.mouse.up();
}

test('a claim with a move that is dragged: the positions side by side, the verdict, then the entry', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01', { width: 1440, height: 1000 });
  await page.locator('.claims summary').click();
  const claim = page.locator('.claims');
  await claim.locator('.verdict', { hasText: 'The claim is wrong' }).waitFor();
  await claim.getByLabel('written down and not made').check();
  await drag(page, claim.locator('.move-board cg-board'), 'f6', 'g8');
  await claim.locator('.verdict', { hasText: 'The claim is right' }).waitFor();
  assert.equal(await claim.locator('.occurrences li').count(), 3);
  await picture(page, 'claim');
  assert.equal((await house.board('b01')).orders.length, 0, 'nothing is entered yet');
  await claim.getByRole('button', { name: 'Enter the claim' }).click();
  await until(async () => (await house.board('b01')).result?.result === '1/2-1/2', 'the game is drawn');
  // The form is closed: nobody presses twice, and what is answered is in sight.
  await page.locator('.claims:not([open])').waitFor();
  await until(async () => page.locator('.side-needs').evaluate((needs) => { const { top } = needs.getBoundingClientRect(); return top >= 0 && top < innerHeight / 2; }), 'the answer is in sight');
  assert.deepEqual(page.complaints, []);
});

test('positions in which castling was lost since are others; the verdict is in the language of the reader', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b03', { width: 1440, height: 1000 });
  await page.locator('.claims summary').click();
  const claim = page.locator('.claims');
  await claim.locator('.verdict', { hasText: 'it has stood twice' }).waitFor();
  await claim.getByText('The position has stood 2 times').waitFor();
  assert.equal(await claim.locator('.occurrences li').count(), 2);
  // A move with which it stands once more: on the second move Black could still castle on both sides.
  await claim.getByLabel('written down and not made').check();
  await drag(page, claim.locator('.move-board cg-board'), 'h1', 'g1');
  await claim.getByText('With this move it stands 2 times').waitFor();
  await claim.locator('.verdict', { hasText: 'it has stood once' }).waitFor();
  await claim.getByLabel('written down and not made').uncheck();
  for (const [language, words] of [['fr', /D’après l’enregistrement, la position ne s’est pas présentée assez souvent \(article 9\.2\.1\.2\)\u00a0: .* les Noirs/], ['de', /Nach der Aufzeichnung stand die Stellung nicht oft genug \(Artikel 9\.2\.1\.2\): .* Schwarz/]]) {
    await page.locator('.bar .language').selectOption(language);
    await until(async () => words.test(await claim.locator('.verdict').innerText().catch(() => '')), `the verdict in ${language}`);
    assert.doesNotMatch(await claim.locator('.verdict').innerText(), /claims|the record/);
  }
  await page.evaluate(() => localStorage.removeItem('arbiter-language'));
  assert.deepEqual(page.complaints, []);
});

test('a move of the list is corrected; what would still fit is shown before', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b02', { width: 1440, height: 1000 });
  await page.locator('.move-list .move').nth(1).click();
  await page.locator('.played summary').click();
  const form = page.locator('.played');
  await form.getByText('In the record: 1… Nf6.').waitFor();
  await drag(page, form.locator('.move-board cg-board'), 'g8', 'h6');
  await form.locator('.trial .changed', { hasText: 'Nh6' }).waitFor();
  await picture(page, 'played');
  assert.equal((await house.board('b02')).moves[1], 'g8f6', 'nothing is ordered yet');
  await form.getByRole('button', { name: 'It was 1… Ng8–h6' }).click();
  await until(async () => (await house.board('b02')).moves[1] === 'g8h6', 'the record has it so');
  await page.locator('.given summary').click();
  // It is told as the record has it, in every language.
  for (const [language, words] of [['fr', 'L’arbitre : 1… Ch6 a été joué'], ['de', 'Der Schiedsrichter: 1… Sh6 wurde gespielt'], ['en', 'The arbiter: 1… Nh6 was played']]) {
    await page.locator('.bar .language').selectOption(language);
    await until(async () => (await page.locator('.given li').first().innerText()).replaceAll('\u00a0', ' ').includes(words), words);
  }
  await page.locator('.given').getByRole('button', { name: 'Take back' }).first().click();
  await page.locator('dialog.confirm').getByText('The record changes: instead of 1… Nh6 2. Ng1 Ng8 it has 1… Nf6 2. Ng1 Ng8.').waitFor();
  await picture(page, 'played-back');
  await page.locator('dialog.confirm').getByRole('button', { name: 'Take back' }).click();
  await until(async () => (await house.board('b02')).moves[1] === 'g8f6', 'it is taken back');
  assert.deepEqual(page.complaints.filter((text) => !text.includes('409')), []);
});

test('a position is set by dragging and by keys, and checked before it is ordered', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b02', { width: 1440, height: 1000 });
  await page.locator('.set-position summary').click();
  const set = page.locator('.set-position');
  const board = set.locator('.move-board cg-board');
  const order = set.getByRole('button', { name: 'Order this position' });
  // One that the record had already takes it back to there: that is said before.
  await set.getByRole('button', { name: 'Starting position' }).click();
  await order.click();
  await page.locator('dialog.confirm').getByText('3 half-moves leave the record: 3. Nf3 Nf6 4. Ng1.').waitFor();
  await picture(page, 'set-position-back');
  await page.locator('dialog.confirm').getByRole('button', { name: 'Cancel' }).click();
  await set.getByRole('button', { name: 'As recorded' }).click();
  // A king dragged off the board: refused before anybody is asked.
  await drag(page, board, 'e1', [5, 5]);
  await set.locator('.problem', { hasText: 'White has no king.' }).waitFor();
  assert.equal(await order.isDisabled(), true);
  await set.getByRole('button', { name: 'white king' }).focus();
  await page.keyboard.press('Enter');
  await set.getByRole('combobox', { name: 'Square' }).selectOption('e2');
  await set.getByRole('button', { name: 'Put it there' }).focus();
  await page.keyboard.press('Enter');
  await set.locator('.problem').waitFor({ state: 'detached' });
  // So is a pawn on the last rank, in the reader's language.
  await set.getByRole('button', { name: 'white pawn' }).click();
  await set.getByRole('combobox', { name: 'Square' }).selectOption('g8');
  await set.getByRole('button', { name: 'Put it there' }).click();
  await set.locator('.problem', { hasText: 'last rank: g8.' }).waitFor();
  assert.equal(await order.isDisabled(), true);
  await page.locator('.bar .language').selectOption('de');
  await set.locator('.problem', { hasText: 'Reihe stehen: g8.' }).waitFor();
  await page.locator('.bar .language').selectOption('en');
  await set.getByRole('button', { name: 'Remove' }).click();
  await set.getByRole('button', { name: 'Put it there' }).click();
  await set.locator('.problem').waitFor({ state: 'detached' });
  // On a phone it stays as wide as the page.
  await page.setViewportSize({ width: 320, height: 640 });
  for (const language of ['de', 'fr', 'en']) {
    await page.locator('.bar .language').evaluate((select, tag) => { select.value = tag; select.dispatchEvent(new Event('change', { bubbles: true })); }, language);
    const wide = await set.evaluate((one) => [...one.querySelectorAll('*')].filter((part) => part.getBoundingClientRect().right > innerWidth).map(({ className, tagName }) => `${tagName} ${className}`));
    assert.deepEqual(wide, [], `it fits a phone in ${language}`);
  }
  await picture(page, 'set-position-320');
  await page.setViewportSize({ width: 1440, height: 1000 });
  await picture(page, 'set-position');
  await order.click();
  await page.locator('dialog.confirm').getByText('All half-moves stay in the record').waitFor();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Order it' }).click();
  const { restore } = await until(async () => {
    const now = await house.board('b02');
    return now.restore && now;
  }, 'the position is ordered');
  assert.match(restore, /^rnbqkb1r\/pppppppp\/5n2\/8\/8\/8\/PPPPKPPP\/RNBQ1BNR b kq - /);
  assert.deepEqual(page.complaints.filter((text) => !/40[09]|422/.test(text)), []);
});

test('a game starts from a position that is set up on a board; in Chess960 a position keeps its castling', { timeout: 60_000 }, async () => {
  await house.play('b04', '1. e4', ['--speed', '0.01']);
  await until(async () => (await house.board('b04')).game, 'a game');
  const page = await house.page('#/board/b04', { width: 1440, height: 1000 });
  const start = page.locator('.new-game');
  const begin = async () => {
    await start.getByRole('button', { name: 'Start a new game' }).click();
    await page.locator('dialog.confirm').getByRole('button', { name: 'Start it' }).click();
  };
  await start.locator('summary').first().click();
  assert.equal(await start.getByLabel('Position (FEN)').count(), 0, 'nobody is asked for a FEN');
  await start.getByText('Another starting position').click();
  const board = start.locator('.move-board cg-board');
  await drag(page, board, 'a8', [5, 5]);
  await drag(page, board, 'e2', 'e4');
  await start.getByRole('radio', { name: 'Black' }).check();
  await picture(page, 'new-game');
  await begin();
  const set = '1nbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQk - 0 1';
  await until(async () => (await house.board('b04')).start_fen === set, 'the game starts from there');
  await until(async () => (await start.getByRole('button', { name: 'Starting position' }).isDisabled()), 'the next one starts as usual');

  await start.getByLabel('Chess960 array').fill('123');
  await begin();
  const { fen } = await until(async () => {
    const now = await house.board('b04');
    return now.start_fen !== set && now;
  }, 'a game of Chess960');
  assert.doesNotMatch(fen, /RNBQKBNR/);
  await page.locator('.set-position summary').click();
  const castling = page.locator('.set-position').getByRole('group', { name: 'May still castle' }).getByRole('checkbox');
  const kept = () => castling.evaluateAll((all) => all.length === 4 && all.every(({ checked, disabled }) => checked && !disabled));
  await until(kept, 'a position of Chess960 keeps all four rights');
  await castling.first().uncheck();
  const tried = page.waitForRequest((request) => request.url().endsWith('/trial') && request.postDataJSON().fen === fen);
  await castling.first().check();
  await tried;
  assert.deepEqual(page.complaints, []);
});

test('long names fit the smallest phone, with everything open', { timeout: 60_000 }, async () => {
  const name = 'Venkatanarasimharajuvaripeta, Lakshminarayanan';
  const { game } = await house.board('b04');
  const answer = await fetch(`${house.address}/api/boards/b04/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ event: 'new-game', white: name, black: name }) });
  assert.ok(answer.ok, await answer.clone().text());
  await until(async () => (await house.board('b04')).game !== game, 'the next game');
  const page = await house.page('#/board/b04', { width: 320, height: 640 });
  for (const language of ['en', 'fr', 'de']) {
    await page.evaluate((tag) => localStorage.setItem('arbiter-language', tag), language);
    await page.goto(`${house.address}/?${language}#/board/b04`);
    await page.locator('.claims').waitFor();
    // What is folded inside is there once it is open.
    for (let n = 0; n < 2; n += 1) {
      await page.locator('details').evaluateAll((all) => all.forEach((one) => { one.open = true; }));
      await page.locator('.claims .verdict').waitFor();
      await page.locator('.new-game .move-board').waitFor();
    }
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, language);
  }
  await page.close();
});
