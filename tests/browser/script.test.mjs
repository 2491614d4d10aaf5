// The page of a game shows the newest that is known of it, and gives out the very script of which it shows the checksum.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n';
const FIRST = '1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5';

let house;
let game;
before(async () => {
  house = await House.open(2, 'language = "en"\n');
  await post('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 });
  await post('/api/rounds/1/start', {});
  await house.play('b01', FIRST, ['--breach', 'illegal-move@7', '--speed', '20']);
  game = await until(async () => {
    const board = await house.board('b01');
    return board.findings.some(({ code }) => code === 'illegal-move') && board.ply === 8 && board.game;
  }, 'a finding', 60_000);
});
after(() => house.close());

async function post(path, body) {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

test('the script that is given out is the one whose checksum is printed', { timeout: 60_000 }, async () => {
  const page = await house.page(`#/game/${game}`);
  const sum = page.locator('.protocol .foot code');
  await sum.waitFor();
  // Pieces that are cleared away tell no page that something has come to the script.
  await page.route('**/script', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${await answer.text()}{"event":"lift","at":9999999,"square":"a1"}\n` });
  });
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Take the evidence away' }).click()]);
  assert.equal(file.suggestedFilename(), `${game}.jsonl`);
  const given = createHash('sha256').update(readFileSync(await file.path())).digest('hex');
  assert.equal(given, await sum.innerText());
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('an answer that comes late does not take the place of a newer one', { timeout: 60_000 }, async () => {
  const page = await house.page(`#/game/${game}`);
  await page.locator('.protocol .foot code').waitFor();
  let reads = 0;
  let release;
  const later = new Promise((done) => { release = done; });
  await page.route(`**/api/games/${game}`, async (route) => {
    reads += 1;
    const isFirst = reads === 1;
    const answer = await route.fetch();
    if (isFirst) await later;
    await route.fulfill({ response: answer });
  });
  await post('/api/rounds/1/results', { results: { 1: '1-0' }, reason: 'said by both' });
  await until(() => reads > 0, 'it is read again');
  await post('/api/rounds/1/results', { results: { 1: '0-1' }, reason: 'typed wrongly' });
  await page.locator('.protocol', { hasText: 'typed wrongly' }).waitFor();
  release();
  await page.waitForTimeout(500);
  assert.match(await page.locator('.protocol').innerText(), /typed wrongly/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('what is ruled once the game is on no board any more is shown', { timeout: 90_000 }, async () => {
  await house.play('b02', FIRST, ['--breach', 'illegal-move@7', '--speed', '20']);
  const game = await until(async () => {
    const board = await house.board('b02');
    return board.findings.some(({ code }) => code === 'illegal-move') && board.ply === 8 && board.game;
  }, 'a finding', 60_000);
  await post('/api/boards/b02/orders', { event: 'new-game' });
  await until(async () => (await house.board('b02')).game !== game, 'the next game');
  const page = await house.page(`#/game/${game}`);
  await page.locator('.protocol .found').first().waitFor();
  const incident = (await house.json('/api/incidents')).find((one) => one.game === game && one.findings.some(({ status }) => status === 'open'));
  await post(`/api/incidents/${incident.id}/rule`, { id: 'a1', upon: incident.version, order: { event: 'arbiter', action: 'dismiss', id: incident.findings[0].id } });
  await page.locator('.protocol', { hasText: '1 finding dismissed' }).waitFor({ timeout: 10_000 });
  assert.deepEqual(page.complaints, []);
  await page.close();
});
