// A report counts nothing as none that it could not read: it is not made until all of it is read.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House } from './house.mjs';
import { sound } from './sound.mjs';

const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n';

let house;
before(async () => {
  house = await House.open(1, 'language = "en"\n');
  await post('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 });
  await post('/api/rounds/1/start', {});
  await post('/api/notes', { round: 1, table: 1, text: 'spoke to both' });
});
after(() => house.close());

async function post(path, body) {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** What a line that is not there, and a daemon that cannot, look like. */
const WAYS = [(route) => route.abort(), (route) => route.fulfill({ status: 503, json: { error: 'not now' } }), (route) => route.fulfill({ body: '[{' })];

const PARTS = [['**/api/notes', 'Notes'], ['**/api/rounds/1/breaks', 'Out of the hall'], ['**/api/rounds/1/results', 'Results changed'], ['**/api/faults', 'Board faults'], ['**/api/event/observed', 'Games observed'], ['**/api/event/seal', 'Checksum'], ['**/api/rounds/1', 'Round 1']];

test('a report of which a part could not be read is not made, and is made once it can be', { timeout: 60_000 }, async () => {
  await Promise.all(PARTS.map(async ([path, what], n) => {
    const page = await house.device();
    await page.route(path, WAYS[n % WAYS.length]);
    await page.goto(`${house.address}/#/report`);
    await page.locator('.empty', { hasText: 'is not made' }).filter({ hasText: what }).waitFor();
    assert.equal(await page.locator('.report').count(), 0, 'there is nothing to print');
    await page.unroute(path);
    await page.locator('.report', { hasText: 'spoke to both' }).waitFor();
    await page.close();
  }));
});

test('a report that was made is not given out while what has come to it cannot be read', { timeout: 60_000 }, async () => {
  const page = await house.page('#/report/1');
  await page.locator('.report', { hasText: 'spoke to both' }).waitFor();
  await page.route('**/api/notes', (route) => route.abort());
  await post('/api/notes', { round: 1, table: 1, text: 'and to the captain' });
  await page.getByRole('alert').filter({ hasText: 'Notes' }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Print' }).isDisabled());
  assert.ok(await page.getByRole('button', { name: 'CSV' }).isDisabled());
  await sound(page, 'a report that is not made anew');
  // What is of one round is not shown as that of all.
  await page.goto(`${house.address}/#/report`);
  await page.locator('.empty', { hasText: 'is not made' }).waitFor();
  assert.equal(await page.locator('.report').count(), 0);
  await page.unroute('**/api/notes');
  await page.locator('.report', { hasText: 'and to the captain' }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Print' }).isEnabled());
  await page.close();
});
