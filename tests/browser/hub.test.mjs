// A hub's pages: the halls, their boards on one wall, the event of all of them, and the console of one as the hub mirrors it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';
import { LANGUAGES } from './views.mjs';

const PHONE = { width: 320, height: 640 };
const PGN = '[Event "Olympiad"]\n[Round "1.1"]\n[White "Clara Dietz"]\n[Black "Dan Ek"]\n[Result "*"]\n\n*\n';

let house;
let other;
let hub;
before(async () => {
  [house, other] = await Promise.all([House.open(2), House.open(1)]);
  // One that never calls.
  const annexe = `[[hall]]\nname = "annexe"\nkey = "${'0'.repeat(64)}"\n`;
  const halls = `${await other.hubKey('juniors', 'tables = "1"')}${annexe}`;
  hub = await house.openHub('main', { halls, sections: '[public]\nserve = true\n' });
  await other.callHub('juniors', hub.port);
});
after(() => Promise.all([house.close(), other.close()]));

const isNarrow = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
const picture = (page, name) => process.env.PICTURES && page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });

test('what is found in a hall waits at the hub, and who goes there is known in both', { timeout: 120_000 }, async () => {
  await house.play('b02', '1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5', ['--breach', 'illegal-move@7', '--speed', '8']);
  const page = await house.device({ width: 390, height: 844 });
  await page.goto(`${hub.address}/halls.html`);
  await page.getByText('1 incident needs somebody').waitFor({ timeout: 60_000 });
  const row = page.locator('.of-halls .incident');
  assert.match(await row.innerText(), /Illegal move[^]*main/);
  await picture(page, 'halls-waiting');
  await sound(page, 'the halls');
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

test('the wall of a hub has the boards of all halls, and nothing that was found', { timeout: 120_000 }, async () => {
  await other.play('b01', '1. d4 d5 2. c4', ['--speed', '10']);
  const page = await house.device({ width: 1920, height: 1080 });
  await page.goto(`${hub.address}/halls.html`);
  await page.getByText('has not called yet').waitFor();
  await page.getByRole('link', { name: 'All boards on one wall' }).click();
  await page.waitForURL(/wall\.html/);
  const hall = (name) => page.locator('section', { has: page.getByRole('heading', { name, exact: true }) });
  await hall('juniors').getByText('c4').waitFor({ timeout: 30_000 });
  assert.equal(await hall('juniors').locator('figure').count(), 1);
  await until(async () => (await hall('main').locator('figure').count()) > 0, 'the boards of the other hall');
  await hall('annexe').getByText('has not called its hub yet').waitFor();
  assert.doesNotMatch(await page.innerText('body'), /illegal|Article|7\.5/i);
  assert.ok(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), 'all of them are in sight');
  await picture(page, 'wall-of-hub');
  await sound(page, 'the wall');
  // So it is where the address names none.
  await page.setViewportSize(PHONE);
  await page.goto(`${hub.address}/wall.html`);
  await hall('juniors').getByText('c4').waitFor();
  await sound(page, 'the wall on a phone');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the event of all halls is seen and steered at the hub, which offers no page of boards', { timeout: 120_000 }, async () => {
  const page = await house.device(PHONE);
  const drawn = await fetch(`${hub.address}/api/pairings`, { method: 'POST', headers: { 'content-type': 'application/json', origin: hub.address }, body: JSON.stringify({ file: Buffer.from(PGN).toString('base64') }) });
  assert.equal(drawn.status, 200);
  await page.goto(`${hub.address}/halls.html`);
  await page.getByRole('link', { name: 'Rounds and results' }).click();
  await page.getByRole('button', { name: 'Start round 1' }).click();
  await page.getByText('Clara Dietz').first().waitFor();
  await page.locator('.in-halls a', { hasText: 'juniors' }).waitFor();
  assert.deepEqual(await page.locator('.bar nav a').allInnerTexts(), ['Halls', 'Round', 'Publication']);
  await until(async () => (await (await fetch(`${other.address}/api/event`)).json()).rounds[0]?.stage === 'under-way', 'the round goes on in its hall');
  for (const [hash, drawn] of [['#/round', '.results'], ['#/report/1', '.report .halls-report'], ['#/', '.hub-ways'], ['#/inbox', '.hub-ways']]) {
    for (const language of LANGUAGES) {
      await page.evaluate((tag) => localStorage.setItem('arbiter-language', tag), language);
      await page.goto(`${hub.address}/index.html?${language}${hash}`);
      await page.locator(drawn).first().waitFor();
      assert.ok(await isNarrow(page), `${hash} in ${language}`);
    }
    await sound(page, hash);
  }
  await page.evaluate(() => localStorage.setItem('arbiter-language', 'en'));
  await page.goto(`${hub.address}/public.html`);
  await page.locator('section[aria-label="Ways out"]').getByText('/live/').waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the report of a hub has what was found and ruled in its halls', { timeout: 120_000 }, async () => {
  await other.play('b01', '1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5', ['--breach', 'illegal-move@7', '--speed', '8']);
  const found = async () => (await (await fetch(`${other.address}/api/incidents`)).json()).find(({ findings }) => findings.length > 0);
  await until(async () => Boolean(await found()), 'it is found', 60_000);
  const order = { event: 'arbiter', action: 'uphold', id: (await found()).findings[0].id };
  const ruled = await fetch(`${other.address}/api/boards/b01/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) });
  assert.equal(ruled.status, 200);
  const note = await fetch(`${other.address}/api/notes`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ round: 1, table: 1, text: 'spoke to both' }) });
  assert.equal(note.status, 200);
  const page = await house.device(PHONE);
  await until(async () => (await (await fetch(`${hub.address}/halls/juniors/api/notes`)).json()).length === 1, 'the hub has it', 30_000);
  await page.goto(`${hub.address}/index.html#/report/1`);
  const report = page.locator('.report');
  await report.getByText('spoke to both').waitFor();
  const upheld = report.locator('table a[href^="halls/juniors/#/game/"]').last();
  assert.match(await report.innerText(), /Illegal move[^]*Clara Dietz/);
  assert.match(await report.locator('.halls-report').innerText(), /annexe: nothing of it is in this report[^]*juniors: everything is in this report|juniors: everything is in this report[^]*annexe: nothing of it is in this report/);
  assert.ok(await isNarrow(page), 'on a phone');
  await sound(page, 'the report');
  await picture(page, 'report-of-hub');
  await upheld.click();
  await page.waitForURL(/\/halls\/juniors\/#\/game\//);
  await page.waitForFunction(() => document.body.innerText.includes('Illegal move'));
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
  // Which hall it is stands on every page of it, on the smallest phone too.
  assert.equal(await page.innerText('.which-hall b'), 'main');
  await page.waitForFunction(() => document.title.includes('main · '));
  await page.setViewportSize(PHONE);
  const name = await page.locator('.which-hall').boundingBox();
  assert.ok(name.height > 10 && name.x >= 0);
  await sound(page, 'the console of a hall');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${hub.address}/halls/main/#/board/b01`);
  await until(() => page.evaluate(() => document.querySelectorAll('.move-list .move').length === 3), 'three moves are shown', 60_000);
  await page.goto(`${hub.address}/halls/main/#/games`);
  await page.waitForSelector('table.games tbody tr');
  assert.match(await page.getAttribute('table.games a[href$=".pgn"]', 'href'), /^api\/games\//);
  await page.goto(`${hub.address}/halls/main/wall.html`);
  await page.waitForSelector('.wall figure');
  assert.equal(await page.innerText('h1'), 'main');
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
