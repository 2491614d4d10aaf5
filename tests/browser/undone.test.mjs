// A finding in play that a ruling on an earlier one has taken back: nothing is put back or required for it, its time adds up, and it is told of no move that stands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneBoard, until } from './house.mjs';

const hall = oneBoard();

test('the jump over a knight that should not stand there is upheld after the knight', { timeout: 90_000 }, async () => {
  await hall.hands('e2e4', 'e7e5', 'f1c4', 'b8c6', 'd1h5', 'g8g6', 'wait 1500', 'h5f7', 'wait 1500');
  const found = await until(async () => {
    const board = await hall.board();
    return board.findings.length === 2 && board;
  }, 'both are found');
  const page = await hall.house.page(`#/incident/${found.game}.6`, { width: 1280, height: 900 });
  await page.locator('.dock').getByRole('button', { name: 'Uphold' }).click();
  await until(async () => (await hall.board()).findings[0].status === 'upheld', 'the first is upheld');
  await page.goto(`${hall.house.address}/?second#/incident/${found.game}.7`);
  await page.locator('.if-upheld', { hasText: 'taken back together with an earlier one' }).waitFor();
  assert.equal(await page.locator('.if-upheld', { hasText: 'Stop' }).count(), 0);
  await page.locator('.dock').getByRole('button', { name: 'Uphold' }).click();
  await until(async () => (await hall.board()).findings[1].status === 'upheld', 'the second is upheld');
  const [first, second] = await until(async () => {
    const incidents = await hall.house.json('/api/incidents');
    const both = [6, 7].map((ply) => incidents.find((one) => one.ply === ply));
    return both.every((one) => one?.steps.length > 0) && both;
  }, 'both rulings are known');
  assert.deepEqual(second.steps.map(({ step }) => step), ['clocks']);
  const { white, black } = second.rulings[0].dials;
  assert.deepEqual([white.to, black.to, black.add], [null, null, 120_000]);
  assert.equal(first.rulings[0].dials.white.add, 120_000);

  await hall.hands('-f7', '+h5Q', '+f7p', '-g6', '+g8n', 'wait 2000', 'g8f6', 'wait 800', 'h5f7', 'wait 1500');
  const mated = await until(async () => {
    const board = await hall.board();
    return board.result && board;
  }, 'it is mate');
  assert.deepEqual([mated.result.result, mated.result.reason], ['1-0', 'checkmate']);
  const pgn = await (await fetch(`${hall.house.address}/api/games/${found.game}.pgn`)).text();
  assert.match(pgn.replace(/\s+/g, ' '), /Nf6 (\{[^}]*\} )*4\. Qxf7# (?!\{illegal)/);
  assert.match(pgn.replace(/\s+/g, ' '), /illegal-move by White [^}]*which was taken back/);
  await page.goto(`${hall.house.address}/?third#/game/${found.game}`);
  await page.locator('h2', { hasText: 'taken back with an earlier one' }).waitFor({ state: 'attached' });
  const marks = page.locator('.score sup');
  assert.deepEqual(await marks.allTextContents(), ['1']);
  assert.deepEqual(page.complaints, []);
  await page.close();
});
