// A phone that is away from the network for a minute, while its arbiter goes on working: none of his orders is lost, and none counts twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, give, until } from './house.mjs';

const PHONE = { width: 390, height: 844 };
const SHORT = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';
const TABLES = 4;
const AWAY_MS = 60_000;
const ILLEGAL = ['b01', 'b02', 'b03'];

let house;
before(async () => {
  house = await House.open(TABLES, 'language = "en"\n');
  const pgn = Array.from({ length: TABLES }, (_, n) => `[Event "Open"]\n[Round "1.${n + 1}"]\n[White "White ${n}"]\n[Black "Black ${n}"]\n[Result "*"]\n\n*\n`).join('\n');
  await post('/api/pairings', { file: Buffer.from(pgn).toString('base64') });
  await post('/api/rounds/1/start', {});
  await Promise.all(ILLEGAL.map((id) => house.play(id, SHORT, ['--breach', 'illegal-move@7', '--speed', '8', '--seed', '3'])));
});
after(() => house.close());

async function post(path, body) {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  assert.equal(answer.status, 200, await answer.text());
}

const incidents = () => house.json('/api/incidents');
const rulings = async (board) => (await house.script((await house.board(board)).game)).filter(({ event }) => event === 'arbiter').map(({ action, author }) => [action, author]);

test('of what is ordered in a minute without a network nothing is lost, and nothing counts twice', { timeout: 170_000 }, async () => {
  const found = await until(async () => {
    const all = (await incidents()).filter(({ kind }) => kind === 'irregularity');
    return all.length === ILLEGAL.length && all;
  }, 'three illegal moves', 60_000);
  const [first, second, third] = ILLEGAL.map((id) => found.find(({ board }) => board === id).id);
  const page = await house.page('#/inbox', PHONE);
  const sent = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
  await page.getByLabel(/Your name/).fill('Ada');
  const to = (hash) => page.evaluate((there) => { location.hash = there; }, hash);
  const dock = (name) => page.locator('.dock').getByRole('button', { name, exact: true });
  // Nobody is told that he has looked while he had no line: he does so before.
  for (const id of [first, second, third]) {
    await to(`#/incident/${id}`);
    await until(async () => (await incidents()).some((one) => one.id === id && one.seen?.who === 'Ada'), 'he has looked');
  }
  await to('#/round/1');
  await page.locator('[data-table="4"]').getByRole('combobox').waitFor();

  await page.context().setOffline(true);
  const began = Date.now();
  const waits = async (n) => until(async () => (await page.locator('.waiting li').count()) === n, `${n} orders wait`, 10_000);
  await give(page.locator('[data-table="4"]'), '1-0');
  await waits(1);
  await to(`#/incident/${first}`);
  await dock('Uphold').click();
  await waits(2);
  await page.getByText('Note something').click();
  await page.getByLabel('What is noted').fill('both players were spoken to');
  await page.getByRole('button', { name: 'Note it' }).click();
  await waits(3);
  await to(`#/incident/${second}`);
  await dock('Dismiss').click();
  await waits(4);
  await to(`#/incident/${third}`);
  await dock('I am going').click();
  await waits(5);
  await dock('Uphold').click();
  await waits(6);
  await page.waitForTimeout(AWAY_MS / 2);
  assert.deepEqual(await Promise.all(ILLEGAL.map(rulings)), [[], [], []], 'nothing has come so far');
  await page.waitForTimeout(AWAY_MS - (Date.now() - began));
  assert.equal(await page.locator('.waiting li').count(), 6, 'they wait for as long as it takes');
  await page.context().setOffline(false);
  await page.locator('.waiting').waitFor({ state: 'detached', timeout: 30_000 });
  // What is sent twice comes within this time.
  await page.waitForTimeout(3_000);
  assert.deepEqual(await Promise.all(ILLEGAL.map(rulings)), [[['uphold', 'Ada']], [['dismiss', 'Ada']], [['uphold', 'Ada']]]);
  assert.deepEqual((await house.json('/api/notes')).map(({ text, by }) => [text, by]), [['both players were spoken to', 'Ada']]);
  assert.equal((await house.json('/api/rounds/1')).pairings.find(({ table }) => table === 4).result, '1-0');
  assert.equal((await incidents()).find(({ id }) => id === third).going.who, 'Ada');
  assert.equal(await page.locator('.lost-order').count(), 0);
  const acts = (await house.json('/api/event/seal')).acts;
  await page.waitForTimeout(1_000);
  assert.equal((await house.json('/api/event/seal')).acts, acts, 'nothing comes after them');
  await page.close();
});
