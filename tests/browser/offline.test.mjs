// The console as an app: what it is called, and what it says where the daemon cannot be reached; and orders that are given without a line.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, give, until } from './house.mjs';

const PHONE = { width: 390, height: 844 };
const SHORT = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';

let house;
before(async () => { house = await House.open(4); });
after(() => house.close());

/** A breach at a board, and the incident that comes of it. */
async function breach(id) {
  await house.play(id, SHORT, ['--breach', 'illegal-move@7', '--speed', '8', '--seed', '3']);
  return until(async () => (await house.json('/api/incidents')).find(({ board, kind }) => board === id && kind === 'irregularity'), `an incident at ${id}`, 60_000);
}

const rulings = async (id) => (await house.script((await house.board(id)).game)).filter(({ event }) => event === 'arbiter').map(({ action }) => action);
const line = (page, isThere) => page.context().setOffline(!isThere);
const dock = (page, name) => page.locator('.dock').getByRole('button', { name });

test('without a daemon a page says so, and shows nothing old', { timeout: 60_000 }, async () => {
  const page = await house.page('#/inbox');
  await page.evaluate(() => navigator.serviceWorker.ready);
  const manifest = await house.json('/app.webmanifest');
  assert.deepEqual([manifest.start_url, manifest.display], ['./#/inbox', 'standalone']);
  assert.deepEqual(page.complaints, []);
  await house.killDaemon();
  await page.reload();
  await page.getByRole('heading', { name: 'Not connected' }).waitFor();
  assert.equal(await page.getByRole('heading').count(), 3, 'in every language');
  assert.equal(await page.locator('.kept:visible').count(), 0, 'nothing waits to be sent');
  await house.startDaemon();
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.locator('.line-live').waitFor();
  assert.ok(page.url().endsWith('#/inbox'), `it is where it was: ${page.url()}`);
});

test('a ruling given without a line is kept, said to wait, and sent once', { timeout: 120_000 }, async () => {
  const one = await breach('b01');
  const page = await house.page(`#/incident/${one.id}`, PHONE);
  await dock(page, 'Uphold').waitFor();
  await page.waitForTimeout(500);
  await line(page, false);
  await dock(page, 'Uphold').click();
  // At once: that the connection is lost is known later.
  await page.locator('.notice', { hasText: 'no answer yet: kept' }).waitFor({ timeout: 2_000 });
  await page.locator('.waiting', { hasText: 'Illegal move (move 4): finding upheld' }).waitFor();
  await page.locator('.dock .waits', { hasText: 'waits for the connection' }).waitFor();
  assert.equal(await dock(page, 'Uphold').count(), 0, 'it is not given twice');
  assert.equal(await page.locator('.waiting li').count(), 1);
  assert.deepEqual(await rulings('b01'), []);
  await line(page, true);
  await until(async () => (await rulings('b01')).length > 0, 'it is sent', 20_000);
  await page.locator('.waiting').waitFor({ state: 'detached' });
  await page.locator('.notice-done', { hasText: 'finding upheld' }).waitFor();
  await page.locator('.steps').waitFor();
  await page.waitForTimeout(1_000);
  assert.deepEqual(await rulings('b01'), ['uphold']);
  await page.close();
});

test('an order that waits outlives a reload, and can be dropped', { timeout: 120_000 }, async () => {
  const one = await breach('b02');
  const page = await house.page(`#/incident/${one.id}`, PHONE);
  await dock(page, 'Uphold').waitFor();
  await page.route('**/api/incidents/*/*', (route) => route.abort());
  await dock(page, 'I am going').click();
  await page.locator('.waiting li', { hasText: 'I am going' }).waitFor();
  await dock(page, 'Dismiss').click();
  await page.locator('.waiting li', { hasText: 'finding dismissed' }).waitFor();
  await page.reload();
  await page.locator('.waiting li').nth(1).waitFor();
  await page.locator('.dock .waits').getByRole('button', { name: 'Do not send' }).click();
  await dock(page, 'Dismiss').waitFor();
  await page.unroute('**/api/incidents/*/*');
  await until(async () => (await house.json('/api/incidents')).some(({ id, state }) => id === one.id && state === 'going'), 'the other one is sent', 20_000);
  await page.locator('.waiting').waitFor({ state: 'detached' });
  assert.deepEqual(await rulings('b02'), []);
  await page.close();
});

test('where another ruled meanwhile, the ruling that is lost is named', { timeout: 120_000 }, async () => {
  const one = (await house.json('/api/incidents')).find(({ board, kind }) => board === 'b02' && kind === 'irregularity');
  const page = await house.page(`#/incident/${one.id}`, PHONE);
  await dock(page, 'Dismiss').waitFor();
  await page.waitForTimeout(500);
  await line(page, false);
  await dock(page, 'Dismiss').click();
  await page.locator('.dock .waits').waitFor();
  const ben = async (name, order) => {
    const body = JSON.stringify({ id: name, order: { event: 'arbiter', author: 'Ben', ...order } });
    const ruled = await fetch(`${house.address}/api/incidents/${one.id}/rule`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    assert.equal(ruled.status, 200);
  };
  await ben('ben-1', { action: 'uphold', id: one.findings[0].id });
  await line(page, true);
  const lost = page.locator('.lost-order');
  await lost.waitFor({ timeout: 20_000 });
  assert.match(await lost.innerText(), /“Illegal move \(move 4\): finding dismissed” does not count: Ben has ruled on this already: upheld/);
  await page.locator('.steps').waitFor();
  await lost.getByRole('button', { name: 'Close' }).click();
  await lost.waitFor({ state: 'detached' });
  assert.deepEqual(await rulings('b02'), ['uphold']);

  // So it is where nothing is left of the incident.
  await ben('ben-2', { action: 'take-back', order: 'ben-1' });
  await dock(page, 'Uphold').waitFor();
  await page.waitForTimeout(1_000);
  await line(page, false);
  await dock(page, 'Uphold').click();
  await page.locator('.dock .waits').waitFor();
  await ben('ben-3', { action: 'dismiss', id: one.findings[0].id });
  await line(page, true);
  await lost.waitFor({ timeout: 20_000 });
  assert.match(await lost.innerText(), /“Illegal move \(move 4\): finding upheld” does not count: Ben has ruled on this already: dismissed/);
  await page.locator('.ruled', { hasText: 'Illegal move: dismissed' }).getByText(/^by Ben, /).waitFor();
  await page.close();
});

test('an order from the page of a board is kept as well, but not for another game', { timeout: 120_000 }, async () => {
  await house.play('b03', SHORT, ['--speed', '8']);
  await house.play('b04', SHORT, ['--speed', '8']);
  await until(async () => (await house.board('b03')).ply === 7 && (await house.board('b04')).ply === 7, 'all moves', 60_000);
  for (const [board, isOther] of [['b03', false], ['b04', true]]) {
    const page = await house.page(`#/board/${board}`, PHONE);
    const pause = page.getByRole('button', { name: 'Pause' });
    await pause.waitFor();
    const { game } = await house.board(board);
    await line(page, false);
    await pause.click();
    await page.locator('.notice', { hasText: 'no answer yet: kept' }).waitFor({ timeout: 2_000 });
    await page.locator('.waiting li').waitFor();
    if (isOther) {
      const begun = await fetch(`${house.address}/api/boards/${board}/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"event":"new-game"}' });
      assert.equal(begun.status, 200);
    }
    await line(page, true);
    if (isOther) await page.locator('.lost-order', { hasText: 'another game stands on the board' }).waitFor({ timeout: 20_000 });
    else await until(async () => (await rulings(board)).length > 0, 'it is sent', 20_000);
    await page.waitForTimeout(1_000);
    const given = (await house.script(game)).filter(({ event }) => event === 'arbiter').map(({ action }) => action);
    assert.deepEqual([given, await rulings(board)], isOther ? [[], []] : [['pause'], ['pause']]);
    await page.close();
  }
});

const tell = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('what is done to the event without a line is kept, and counts once where the answer alone was lost', { timeout: 60_000 }, async () => {
  const pgn = ['Dietz', 'Evers'].map((name, n) => `[Event "Open"]\n[Round "1.${n + 5}"]\n[White "${name}"]\n[Black "Other ${name}"]\n[Result "*"]\n\n*\n`).join('\n');
  assert.equal((await tell('/api/pairings', { file: Buffer.from(pgn).toString('base64') })).status, 200);
  assert.equal((await tell('/api/rounds/1/start', {})).status, 200);
  const tables = async () => (await house.json('/api/rounds/1')).pairings;
  const [first] = await tables();
  const page = await house.page('#/round/1', { width: 1280, height: 800 });
  const choice = page.locator(`[data-table="${first.table}"]`).getByRole('combobox');
  await choice.waitFor();
  await page.waitForTimeout(500);
  await line(page, false);
  await give(page.locator(`[data-table="${first.table}"]`), '1-0');
  await page.locator('.waiting li', { hasText: '1–0' }).waitFor({ timeout: 5_000 });
  await line(page, true);
  await until(async () => (await tables())[0].result === '1-0', 'it is sent', 20_000);
  await page.locator('.waiting').waitFor({ state: 'detached' });
  // The daemon has it, and its answer is lost on the way.
  let lost = 0;
  await page.route('**/api/penalties', async (route) => {
    lost += 1;
    if (lost > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await page.goto(`${house.address}/#/report/1`);
  await page.getByText('Note a penalty').click();
  await page.getByLabel('Penalty').selectOption('warning');
  await page.getByLabel('Why').fill('his telephone rang');
  await page.getByRole('button', { name: 'Note it' }).click();
  await until(async () => lost > 1, 'it is sent again', 20_000);
  await page.locator('.waiting').waitFor({ state: 'detached' });
  const { penalties } = await house.json('/api/event');
  assert.equal(penalties.length, 1);
  await page.close();
});

test('what waits is called what it is: a note by its words, an act on tables by these', { timeout: 60_000 }, async () => {
  const one = await until(async () => (await house.json('/api/incidents')).find(({ state, game }) => state !== 'closed' && game), 'an incident', 20_000);
  const page = await house.page(`#/incident/${one.id}`, PHONE);
  await page.locator('.notes-panel summary').click();
  await page.locator('.notes-panel textarea').fill('Both players agree that the clock was not pressed on the move before');
  await page.waitForTimeout(500);
  await line(page, false);
  await page.locator('.notes-panel form button').click();
  await page.locator('.waiting li', { hasText: 'Both players agree that the clock was no' }).waitFor({ timeout: 5_000 });
  await page.locator('.waiting li button').click();
  await page.locator('.waiting').waitFor({ state: 'detached' });
  await page.close();
  // Of results that are confirmed together the words alone say how many they are.
  const shown = await house.page();
  await shown.goto(`${house.address}/?modules#/`);
  await shown.route('**/api/rounds/1/confirm', (route) => route.abort());
  await shown.evaluate(async () => { (await import('/state/event.mjs')).actOn('api/rounds/1/confirm', { tables: [6, 5] }, '2 results confirmed.'); });
  await shown.locator('.waiting li', { hasText: 'Tables 6, 5: 2 results confirmed' }).waitFor({ timeout: 10_000 });
  await shown.close();
});

test('a shift is handed over without a line', { timeout: 120_000 }, async () => {
  const one = await until(async () => (await house.json('/api/incidents')).find(({ state }) => state !== 'closed'), 'an incident', 20_000);
  assert.equal((await tell(`/api/incidents/${one.id}/going`, { author: 'Ada' })).status, 200);
  const page = await house.page('#/inbox', PHONE);
  await page.evaluate(() => localStorage.setItem('arbiter-name', 'Ada'));
  await page.reload();
  await page.getByText('Hand over the shift').click();
  await page.getByLabel('who goes there').or(page.locator('.handover input[name=to]')).first().fill('Ben');
  await page.locator('.handover button:not([disabled])').waitFor();
  await page.waitForTimeout(500);
  await line(page, false);
  await page.locator('.handover button').click();
  await page.locator('.waiting li', { hasText: 'Ben' }).waitFor({ timeout: 5_000 });
  assert.equal((await house.json('/api/incidents')).find(({ id }) => id === one.id).going.who, 'Ada');
  await line(page, true);
  await until(async () => (await house.json('/api/incidents')).find(({ id }) => id === one.id)?.going?.who === 'Ben', 'it is handed over', 20_000);
  await page.locator('.waiting').waitFor({ state: 'detached' });
  await page.close();
});
