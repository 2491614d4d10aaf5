// What an order would do stands there before it is given: claims, moves that are corrected, positions that are set. By pointer and by keyboard.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const AGAIN = '1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1';

let house;
before(async () => {
  house = await House.open(2, 'language = "en"\n');
  await Promise.all(['b01', 'b02'].map((id) => house.play(id, AGAIN, ['--speed', '20'])));
  for (const id of ['b01', 'b02']) await until(async () => (await house.board(id)).ply === 7, 'the moves are played', 60_000);
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
  await page.locator('.given').getByRole('button', { name: 'Take back' }).first().click();
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
  // A king dragged off the board: refused before anybody is asked.
  await drag(page, board, 'e1', [5, 5]);
  await set.locator('.problem').waitFor();
  assert.equal(await order.isDisabled(), true);
  await set.getByRole('button', { name: 'white king' }).focus();
  await page.keyboard.press('Enter');
  await set.getByRole('combobox', { name: 'Square' }).selectOption('e2');
  await set.getByRole('button', { name: 'Put it there' }).focus();
  await page.keyboard.press('Enter');
  await set.locator('.problem').waitFor({ state: 'detached' });
  await picture(page, 'set-position');
  await order.click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Order it' }).click();
  const { restore } = await until(async () => {
    const now = await house.board('b02');
    return now.restore && now;
  }, 'the position is ordered');
  assert.match(restore, /^rnbqkb1r\/pppppppp\/5n2\/8\/8\/8\/PPPPKPPP\/RNBQ1BNR b kq - /);
  assert.deepEqual(page.complaints.filter((text) => !/40[09]|422/.test(text)), []);
});
