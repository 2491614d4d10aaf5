// Pairings whose file does not say the round, and results that are on their way.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, give, until } from './house.mjs';

const CSV = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n2,"Dietz, Clara","Evers, Dan"\n';
const PGN = '[Round "4.1"]\n[White "Berg, Anna"]\n[Black "Cole, Ben"]\n[Result "*"]\n\n*\n';
const DESK = { width: 1440, height: 900 };

let house;
before(async () => { house = await House.open(1, 'name = "Harbour Open"\nlanguage = "en"\n'); });
after(() => house.close());

const upload = (page, name, text) => page.locator('.next-round input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('a round is typed where the file does not say it, and what the file says is told as that', { timeout: 60_000 }, async () => {
  const page = await house.page('#/round', DESK);
  const would = page.locator('.next-round p b');
  await upload(page, 'pairs.csv', CSV);
  await would.getByText('Round 1. The file does not say which round it is.', { exact: true }).waitFor();
  await page.locator('.next-round input[type=number]').fill('3');
  await would.getByText('Round 3. The file does not say which round it is.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Use these pairings for round 3' }).waitFor();
  await page.locator('.next-round input[type=number]').fill('');
  await page.getByRole('button', { name: 'Use these pairings for round 1' }).waitFor();
  await upload(page, 'pairs.pgn', PGN);
  await would.getByText('Round 4, as the file has it.', { exact: true }).waitFor();
  await upload(page, 'pairs.csv', CSV);
  await page.getByRole('button', { name: 'Use these pairings for round 1' }).click();
  await page.locator('[data-table="2"]').waitFor();
  assert.deepEqual((await house.json('/api/event')).rounds.map(({ round }) => round), [1]);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('what is on its way stands in the row of its table', { timeout: 60_000 }, async () => {
  await post('/api/rounds/1/start', {});
  const page = await house.page('#/round/1', DESK);
  const row = page.locator('tr[data-table="2"]');
  await row.waitFor();
  await page.route('**/api/rounds/1/results', (route) => route.abort());
  await give(row, '1-0');
  await row.locator('.on-its-way').getByText('on its way: 1–0').waitFor();
  assert.equal(await page.locator('tr[data-table="1"] .on-its-way').count(), 0);
  await page.unroute('**/api/rounds/1/results');
  await row.locator('.res-confirmed', { hasText: '1–0' }).waitFor({ timeout: 20_000 });
  await row.locator('.on-its-way').waitFor({ state: 'detached' });
  await page.close();
});

test('a refusal that stands alone begins as a sentence does', { timeout: 60_000 }, async () => {
  const page = await house.page('?modules#/round/1', DESK);
  await page.locator('tr[data-table="1"]').waitFor();
  await page.evaluate(async () => {
    const { actOn } = await import('/state/event.mjs');
    await actOn('api/rounds/1/close', {}, 'closed');
  });
  const notice = page.locator('.notice-refused span');
  await notice.waitFor();
  assert.match(await notice.innerText(), /^\p{Lu}/u);
  await page.goto(`${house.address}/#/round/9`);
  const problem = page.locator('.problem[role=alert]');
  await problem.waitFor();
  assert.match(await problem.innerText(), /^\p{Lu}/u);
  await page.close();
});
