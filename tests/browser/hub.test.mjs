// A hub's page: the halls, and the console of one of them as the hub mirrors it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

let house;
let hub;
before(async () => {
  house = await House.open(2);
  hub = await house.openHub('main');
});
after(() => house.close());

test('what is found in a hall waits at the hub, and who goes there is known in both', { timeout: 120_000 }, async () => {
  await house.play('b02', '1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5', ['--breach', 'illegal-move@7', '--speed', '8']);
  const page = await house.device({ width: 390, height: 844 });
  await page.goto(`${hub.address}/halls.html`);
  await page.getByText('1 needs somebody').waitFor({ timeout: 60_000 });
  const row = page.locator('.of-halls .incident');
  assert.match(await row.innerText(), /Illegal move[^]*main/);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/halls-waiting.png` });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is too wide');
  await row.locator('a').click();
  await page.waitForURL(/\/halls\/main\/#\/incident\//);
  await page.getByRole('button', { name: 'I am going', exact: true }).click();
  await page.getByText('hub is going').waitFor({ timeout: 20_000 });
  const there = (await (await fetch(`${house.address}/api/incidents`)).json()).find(({ findings }) => findings.length > 0);
  assert.deepEqual([there.state, there.going?.who], ['going', 'hub']);
  await page.goto(`${hub.address}/halls.html`);
  await page.getByText('Nobody needs you.').waitFor();
  // What is ruled in the hall is ruled at the hub.
  const order = { event: 'arbiter', action: 'dismiss', id: there.findings[0].id };
  const ruled = await fetch(`${house.address}/api/boards/b02/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) });
  assert.equal(ruled.status, 200);
  const waiting = async () => (await fetch(`${hub.address}/api/halls/incidents`)).json();
  await until(async () => (await waiting()).every(({ incident }) => incident.findings.every(({ status }) => status !== 'open')), 'nothing is open at the hub', 20_000);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the hub lists the hall, and shows its board and its game as the hall does', { timeout: 120_000 }, async () => {
  await house.play('b01', '1. e4 e5 2. Nf3');
  const page = await house.device();
  await page.goto(hub.address);
  await page.waitForURL(/halls\.html$/);
  await page.waitForFunction(() => document.querySelector('tbody tr')?.textContent?.includes('there'));
  const row = await page.textContent('tbody tr');
  assert.match(row, /^main/);
  await page.click('tbody a');
  await page.waitForURL(/\/halls\/main\/$/);
  await page.goto(`${hub.address}/halls/main/#/board/b01`);
  await until(() => page.evaluate(() => document.querySelectorAll('.move-list .move').length === 3), 'three moves are shown', 60_000);
  await page.goto(`${hub.address}/halls/main/#/games`);
  await page.waitForSelector('table.games tbody tr');
  assert.match(await page.getAttribute('table.games a[href$=".pgn"]', 'href'), /^api\/games\//);
  await page.goto(`${hub.address}/halls/main/wall.html`);
  await page.waitForSelector('.wall figure');
  // The hall says how much of it the hub has.
  const hall = await house.device();
  await hall.goto(house.address);
  await hall.waitForFunction(() => document.querySelector('.bar')?.textContent?.includes('The hub has everything up to'));
  assert.deepEqual(hall.complaints, []);
  // What is ordered at the hub is done in the hall.
  const ruled = await page.evaluate(async () => {
    const order = { event: 'arbiter', action: 'result', result: '1/2-1/2' };
    const answer = await fetch('../../halls/main/api/boards/b01/orders', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) });
    return [answer.status, await answer.text()];
  });
  assert.equal(ruled[0], 200, ruled[1]);
  const boards = await (await fetch(`${house.address}/api/boards`)).json();
  assert.equal(boards[0].result.result, '1/2-1/2');
  // The hub's own page is that of the event of all halls.
  await page.goto(`${hub.address}/index.html#/round`);
  await page.waitForSelector('.bar nav');
  // A cut is said, on both pages.
  await house.killDaemon();
  await page.goto(`${hub.address}/halls.html`);
  await page.waitForFunction(() => document.querySelector('tbody tr')?.textContent?.includes('away'));
  assert.deepEqual(page.complaints, []);
});
