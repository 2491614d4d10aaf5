// Two arbiters with phones, forty tables: twelve incidents within three minutes, each seen to once, none lost.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const PHONE = { width: 390, height: 844 };
const TABLES = 40;
const INCIDENTS = 12;
const SHORT = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';
const LONG = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. Nc3 Bb7';

let house;
before(async () => { house = await House.open(TABLES); });
after(() => house.close());

const nth = (n) => `b${String(n).padStart(2, '0')}`;
const certain = (all) => all.filter((one) => one.certainty === 'certain');

/** The board is switched on, and its player breaks a Law with the last move. */
const breach = (id, code) => house.play(id, SHORT, ['--breach', `${code}@7`, '--speed', '8']);

async function arbiter(name) {
  const page = await house.page('#/inbox', PHONE);
  await page.getByLabel(/Your name/).fill(name);
  await page.getByRole('button', { name: /^Certain/ }).click();
  return page;
}

/** What an arbiter does until he has nothing left: the next, uphold, back. Returns the taps of each ruling of his. */
async function work(page, isOver) {
  const taps = [];
  while (!isOver()) {
    const next = page.locator('.dock .next');
    if (!/#\/inbox$/.test(page.url())) await page.goto(`${house.address}/#/inbox`);
    if (!(await next.isVisible())) {
      await page.waitForTimeout(100);
      continue;
    }
    // The other one may be quicker at any moment: then there is nothing to press.
    const done = await next.click({ timeout: 2_000 })
      .then(() => page.locator('.dock .rule .strong').click({ timeout: 2_000 }))
      .then(() => page.locator('.ruled, .empty').first().waitFor({ timeout: 3_000 })).then(() => true, () => false);
    if (done) taps.push(2);
  }
  return taps;
}

test('two arbiters at once: each incident is ruled once, and none is lost', { timeout: 240_000 }, async () => {
  await Promise.all(Array.from({ length: TABLES - INCIDENTS }, (_, n) => house.play(nth(INCIDENTS + n + 1), LONG, ['--speed', '1'])));
  const [ada, ben] = await Promise.all([arbiter('Ada'), arbiter('Ben')]);
  const began = Date.now();
  let isOver = false;
  const working = [work(ada, () => isOver), work(ben, () => isOver)];
  const seen = new Map();
  const watching = (async () => {
    while (!isOver) {
      const all = await house.json('/api/incidents');
      for (const { id, seen: by, rulings } of certain(all).concat(all.filter((one) => one.rulings.length))) {
        if (by) seen.set(id, (seen.get(id) ?? new Set()).add(by.who));
        assert.ok(rulings.length <= 1, `${id} is ruled once`);
      }
      const waiting = all.filter((one) => ['new', 'seen', 'undone'].includes(one.state) && !one.past);
      const ranks = waiting.map((one) => one.urgency);
      assert.deepEqual(ranks, [...ranks].sort((a, b) => a - b), 'the most urgent is first');
      await new Promise((again) => { setTimeout(again, 200); });
    }
  })();
  for (let n = 1; n <= INCIDENTS; n += 1) await breach(nth(n), 'illegal-move');
  const boards = () => Promise.all(Array.from({ length: INCIDENTS }, (_, n) => house.board(nth(n + 1))));
  await until(async () => (await boards()).every((board) => board.findings.some((one) => one.status === 'upheld')), 'all are ruled', 150_000);
  isOver = true;
  const taps = (await Promise.all(working)).flat().sort((a, b) => a - b);
  await watching;
  assert.ok(Date.now() - began < 180_000, 'within three minutes');
  for (const board of await boards()) {
    const rulings = (await house.script(board.game)).filter((line) => line.event === 'arbiter');
    assert.deepEqual(rulings.map((line) => line.action), ['uphold'], `${board.id}: one ruling`);
    assert.match(rulings[0].author, /^(Ada|Ben)$/);
  }
  for (const [id, who] of seen) assert.equal(who.size, 1, `${id} was acknowledged once`);
  assert.ok(taps[Math.floor(taps.length / 2)] <= 4, `median of ${taps}`);
  assert.deepEqual([ada.complaints, ben.complaints].flat().filter((text) => !text.includes('409') && !text.includes('404')), []);
  await Promise.all([ada.close(), ben.close()]);
});

test('who goes is seen by the other; what waits comes back; both outlive a power cut', { timeout: 120_000 }, async () => {
  await house.close();
  house = await House.open(2);
  await breach('b01', 'touch-move-own-piece');
  const [one] = await until(async () => {
    const all = (await house.json('/api/incidents')).filter((incident) => incident.kind === 'irregularity');
    return all.length > 0 && all;
  }, 'an incident', 60_000);
  const ada = await house.page(`#/incident/${one.id}`, PHONE);
  const ben = await house.page('#/inbox', PHONE);
  await ben.getByLabel(/Your name/).fill('Ben');
  await ben.locator(`[data-incident="${one.id}"] a`).click();
  await ben.getByRole('button', { name: 'I am going', exact: true }).click();
  await ada.getByText('Ben is going').waitFor();
  await house.killDaemon();
  await house.startDaemon();
  const again = await until(async () => (await house.json('/api/incidents')).find(({ id }) => id === one.id), 'it is there again', 30_000);
  assert.deepEqual([again.state, again.going.who], ['going', 'Ben']);
  assert.ok(Math.abs(again.since - one.since) < 30_000, `it began at ${one.since}, not ${again.since}`);
  await ben.locator('.line-live').waitFor({ timeout: 20_000 });
  await ben.getByRole('button', { name: 'Later' }).click();
  await until(async () => (await house.json('/api/incidents')).some(({ id, state }) => id === one.id && state === 'later'), 'it waits');
  await ben.getByRole('button', { name: 'Now', exact: true }).click();
  await until(async () => (await house.json('/api/incidents')).some(({ id, state }) => id === one.id && state === 'seen'), 'it waits no longer');
});

test('a ruling sent twice counts once, and a stale one is told what has changed', { timeout: 60_000 }, async () => {
  const [one] = (await house.json('/api/incidents')).filter((incident) => incident.kind === 'irregularity');
  const post = (body) => fetch(`${house.address}/api/incidents/${one.id}/rule`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  const order = { event: 'arbiter', action: 'uphold', id: one.findings[0].id, author: 'Tomasz' };
  const body = { id: 'phone-1', upon: one.version, order };
  const [first, second] = [await (await post(body)).json(), await (await post(body)).json()];
  assert.deepEqual([first.again, second.again, first.order, second.order], [false, true, 'phone-1', 'phone-1']);
  await until(async () => (await house.json('/api/incidents')).some(({ id, rulings }) => id === one.id && rulings.length === 1), 'it is ruled');
  const stale = await post({ id: 'phone-2', upon: one.version, order: { ...order, action: 'dismiss' } });
  assert.equal(stale.status, 409);
  assert.match((await stale.json()).error, /^Tomasz has ruled on this already: upheld/);
});

test('a ruling stays as a list; taking it back says first what follows', { timeout: 60_000 }, async () => {
  const [one] = (await house.json('/api/incidents')).filter((incident) => incident.rulings.length > 0);
  const page = await house.page(`#/incident/${one.id}`, PHONE);
  await page.getByText(/by Tomasz/).waitFor();
  await page.locator('[data-step="position"]:not(.done)').waitFor();
  await page.getByRole('button', { name: 'Take back' }).click();
  const dialog = page.locator('dialog.confirm');
  assert.match(await dialog.innerText(), /The finding waits for somebody again\..*need not be put back/s);
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await page.locator('.dock .rule').waitFor();
  const now = (await house.json('/api/incidents')).find(({ id }) => id === one.id);
  assert.deepEqual([now.findings[0].status, now.rulings.length], ['open', 0]);
  assert.deepEqual(page.complaints, []);
});

for (const [width, height] of [[320, 640], [390, 844], [640, 900], [700, 900], [788, 1024], [1280, 800]]) {
  test(`nothing is wider than the page at ${width} px`, { timeout: 60_000 }, async () => {
    const page = await house.page('#/inbox', { width, height });
    for (const place of ['#/inbox', '#/', '#/board/b01', '#/games']) {
      await page.goto(`${house.address}/${place}`);
      await page.waitForSelector(place === '#/games' ? '.games' : '.card, .incident, .room');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${place}: ${wide}`);
    }
    await page.close();
  });
}

test('an order whose answer is lost is sent again, and counts once', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01');
  await page.waitForSelector('.room');
  let sent = 0;
  await page.route('**/orders', async (route) => {
    sent += 1;
    const answer = await route.fetch();
    if (sent === 1) return route.abort();
    return route.fulfill({ response: answer });
  });
  await page.locator('.orders details').evaluateAll((all) => all.forEach((one) => { one.open = true; }));
  const report = page.locator('.report form');
  await report.getByLabel('What').selectOption('two-hands');
  await report.getByLabel('Who').selectOption('black');
  await report.getByRole('button', { name: 'Report it' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Report it' }).click();
  await until(() => sent === 2, 'it is sent again');
  await page.locator('.notice-done').waitFor();
  const { game } = await house.board('b01');
  const reports = (await house.script(game)).filter((line) => line.action === 'report');
  assert.equal(reports.length, 1);
});
