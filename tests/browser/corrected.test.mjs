// What is corrected at the desk of a round counts, and what another has done meanwhile stays.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

let house;
before(async () => {
  house = await House.open(1, 'language = "en"\n');
});
after(() => house.close());

test('a file of pairings that was corrected since is chosen again under its name', { timeout: 60_000 }, async () => {
  const file = join(house.dir, 'round1.csv');
  const page = await house.page('#/round');
  const input = page.locator('.next-round input[type=file]');
  writeFileSync(file, 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n');
  await input.setInputFiles(file);
  await page.locator('.plan tbody tr', { hasText: 'Cole, Ben' }).waitFor();
  writeFileSync(file, 'table,white,black\n1,"Berg, Anna","Dietz, Clara"\n2,"Evers, Dan","Fuchs, Eva"\n3,"Gross, Finn","Hahn, Greta"\n4,"Ihle, Hugo","Jung, Ina"\n');
  await input.setInputFiles(file);
  await page.locator('.plan tbody tr', { hasText: 'Dietz, Clara' }).waitFor({ timeout: 5_000 });
  await page.locator('.next-round .chosen', { hasText: 'round1.csv' }).waitFor();
  await page.getByRole('button', { name: 'Use these pairings for round 1' }).click();
  await page.locator('[data-table="2"]', { hasText: 'Evers, Dan' }).waitFor();
  assert.deepEqual((await house.json('/api/rounds/1')).pairings.map(({ black }) => black.name), ['Dietz, Clara', 'Fuchs, Eva', 'Hahn, Greta', 'Jung, Ina']);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

const post = async (path, body) => {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

test('what is said of the event late says nothing of what another has said since', { timeout: 60_000 }, async () => {
  await post('/api/rounds/1/start', {});
  const page = await house.page('#/round');
  const name = page.getByRole('textbox', { name: 'name' }).or(page.locator('.name-event input'));
  await name.waitFor();
  // Without a line it is kept until there is one again.
  await page.context().setOffline(true);
  await page.getByLabel('Default time in minutes').fill('15');
  await page.getByRole('button', { name: 'Set it' }).click();
  await page.locator('.waiting li').waitFor();
  await post('/api/event/describe', { name: 'Harbour Open', site: 'Hamburg', rounds: 7 });
  await page.context().setOffline(false);
  await page.locator('.waiting li').waitFor({ state: 'detached' });
  const { details } = await house.json('/api/event');
  assert.deepEqual([details.name, details.site, details.rounds, details.default_time], ['Harbour Open', 'Hamburg', 7, 15]);
  await page.close();
});

test('who is marked as missing while others are entered stays so', { timeout: 60_000 }, async () => {
  const page = await house.page('#/round');
  const mark = (table, player) => page.getByRole('group', { name: `Table ${table}`, exact: true }).getByRole('button', { name: player, exact: true });
  await mark(2, 'Evers, Dan').click();
  let release;
  const later = new Promise((done) => { release = done; });
  await page.route('**/api/rounds/1/results', async (route) => {
    await later;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Enter 1 forfeit' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Enter 1 forfeit' }).click();
  await page.locator('dialog.confirm').waitFor({ state: 'hidden' });
  await mark(3, 'Gross, Finn').click();
  release();
  await page.locator('[data-table="2"]', { hasText: '−/+' }).or(page.locator('[data-table="2"] .res-confirmed')).first().waitFor();
  await page.getByRole('button', { name: 'Enter 1 forfeit' }).waitFor();
  assert.equal(await mark(3, 'Gross, Finn').getAttribute('aria-pressed'), 'true');
  await page.close();
});

test('the report of a round that is over says nothing of which boards wait', { timeout: 60_000 }, async () => {
  await post('/api/rounds/1/results', { results: { 1: '1-0', 3: '1-0', 4: '1-0' }, reason: 'typed' });
  await post('/api/rounds/1/confirm', { tables: [1, 2, 3, 4] });
  await post('/api/rounds/1/close', {});
  await post('/api/pairings', { file: Buffer.from('table,white,black\n1,"Evers, Dan","Berg, Anna"\n').toString('base64'), round: 2 });
  await post('/api/rounds/2/start', {});
  const page = await house.page('?modules#/map');
  const isOther = () => page.evaluate(() => import('/state/urgency.mjs').then(({ setAwaited }) => setAwaited(['b01'])));
  await page.waitForFunction(() => document.querySelector('.map, .tables, svg'));
  await page.waitForTimeout(1_000);
  assert.equal(await isOther(), false, 'the board of table 1 waits');
  await page.evaluate(() => { location.hash = '#/report/1'; });
  await page.locator('.report').waitFor();
  await page.waitForTimeout(1_000);
  assert.equal(await isOther(), false, 'it waits still');
  await page.close();
});

test('an older answer does not take the place of a newer one on the page of a round', { timeout: 60_000 }, async () => {
  const page = await house.page('#/round/2');
  const row = page.locator('tr[data-table="1"]');
  await row.waitFor();
  let [read, isHeld] = [0, true];
  let release;
  const later = new Promise((done) => { release = done; });
  await page.route('**/api/rounds/2', async (route) => {
    const waits = isHeld;
    const answer = await route.fetch();
    read += 1;
    if (waits) await later;
    await route.fulfill({ response: answer });
  });
  await post('/api/event/layout', { rows: '1-2' });
  await until(() => read > 0, 'it is read again');
  await page.waitForTimeout(300);
  isHeld = false;
  await post('/api/rounds/2/results', { results: { 1: '1-0' }, reason: 'typed' });
  const given = row.locator('.res-confirmed, .res-typed');
  await given.waitFor();
  release();
  await page.waitForTimeout(500);
  assert.equal(await given.count(), 1);
  await page.close();
});
