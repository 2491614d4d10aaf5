// A game of a round is annulled, and that is taken back: the round counts it again, and its report says what was ordered.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { oneBoard, until } from './house.mjs';

const hall = oneBoard();
const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n';

const order = async (action, more = {}) => (await hall.order({ event: 'arbiter', action, ...more })).order;
const pairing = async () => (await hall.house.json('/api/rounds/1')).pairings[0];
const isOfRound = (game) => until(async () => (await pairing()).game === game, `the game of the round is ${game}`);
const played = (ply) => until(async () => { const board = await hall.board(); return board.ply === ply && board; }, `${ply} half-moves`);

/** The tables of the report by what stands above them. */
async function reported(page, title) {
  const rows = page.locator('.report h2', { hasText: title }).locator('xpath=following-sibling::table[1]').locator('tbody tr');
  return (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
}

test('what is annulled and counts again, and what is none, stand in the report with what was ordered there', { timeout: 120_000 }, async () => {
  assert.equal((await hall.post('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 })).status, 200);
  assert.equal((await hall.post('/api/rounds/1/start', {})).status, 200);
  await hall.hands('e2e4', 'e7e5', 'b1b3', 'wait 1500');
  const { game: first, findings } = await until(async () => { const board = await hall.board(); return board.findings.length === 1 && board; }, 'it is found');
  await isOfRound(first);
  await order('uphold', { id: findings[0].id });
  await order('result', { result: '0-1' });
  await until(async () => (await pairing()).result === '0-1', 'its result is that of the table');
  const annulment = await order('annul');
  await isOfRound(null);
  await order('take-back', { order: annulment });
  await isOfRound(first);
  assert.equal((await pairing()).result, '0-1', 'with its result');

  const page = await hall.page('#/report/1');
  await page.locator('.results-said').waitFor();
  const [annulled, back] = await reported(page, 'Results changed');
  assert.match(annulled, /^1 .*the game was annulled instead of 0–1/);
  assert.match(back, /^1 .*the annulment was taken back/);
  assert.match((await reported(page, 'Interventions')).join(), /the game is annulled taken back, \d\d:/);
  assert.match((await reported(page, 'Irregularities upheld')).join(), /^1 \d/);

  // Annulled for good, and played anew.
  await order('annul');
  await isOfRound(null);
  // Until it is, every page says so.
  const map = await hall.page('#/map');
  await map.locator('.tile[data-table="1"]').getByRole('link', { name: /annulled, to be played anew/ }).waitFor();
  await map.goto(`${hall.house.address}/?anew#/report/1`);
  await map.locator('.report tbody tr', { hasText: 'Berg' }).getByText('annulled, to be played anew').waitFor();
  await map.close();
  await hall.hands('-b3', '+b1N', '-e4', '+e2P', '-e5', '+e7p', 'wait 4000', 'd2d4', 'wait 1000');
  const { game: anew } = await played(1);
  assert.notEqual(anew, first);
  await isOfRound(anew);
  assert.deepEqual((await pairing()).annulled_games, [first]);
  const list = await hall.page('#/games');
  await list.locator('.games tr', { hasText: first }).locator('.of-result', { hasText: 'annulled' }).waitFor();
  // Where columns would be some letters wide a row is a paragraph, and no word is broken.
  await list.setViewportSize({ width: 640, height: 900 });
  await list.goto(`${hall.house.address}/?narrow#/report/1`);
  await list.locator('.results-said').waitFor();
  assert.equal(await list.locator('.report .grid.plain:not(.breaks-report) tbody tr').first().evaluate((row) => getComputedStyle(row).display), 'flex');
  await list.close();
  await page.goto(`${hall.house.address}/?anew#/report/1`);
  await page.locator('.results-said').waitFor();
  assert.match((await reported(page, 'Irregularities upheld')).join(), /^1 annulled game/);
  assert.match((await reported(page, 'Interventions')).join(), /1 1 annulled game .*the game is annulled/);
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const [, row] = readFileSync(await (await file).path(), 'utf8').split('\r\n');
  assert.match(row, /the game is annulled \[taken back, .*\[annulled game\]/);
  assert.match(row, /the annulment was taken back/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});
