// The page on which the desk sees what goes out, stops it, lets it go on and says how late it is.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

let house;
let lichess;
let answer = { status: 200, body: { games: [] } };
before(async () => {
  lichess = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    });
  }).listen(0, '127.0.0.1');
  await once(lichess, 'listening');
  process.env.ARBITERD_LICHESS_TOKEN = 'lip_0123456789';
  const url = `http://127.0.0.1:${lichess.address().port}`;
  house = await House.open(1, `[public]\nserve = true\n[lichess]\nurl = "${url}"\n[[lichess.round]]\nround = 1\nid = "aBcD1234"\n`);
});
after(async () => {
  await house.close();
  lichess.close();
});

test('what is public is shown, stopped, let go on and made late', { timeout: 120_000 }, async () => {
  await house.play('b01', '1. e4 e5 2. Nf3');
  await until(async () => (await house.board('b01')).ply === 3, 'three half-moves');
  const page = await house.page('#/games');
  await page.click('main a[href="public.html"]');
  await page.waitForURL(/public\.html$/);
  const cell = (n) => page.textContent(`tbody tr td:nth-child(${n})`);
  await page.waitForFunction(() => document.querySelector('tbody td:nth-child(3)')?.textContent === '3');
  assert.deepEqual([await cell(1), await cell(2), await cell(4), await cell(5)], ['1', '1', '*', 'goes out']);
  const state = () => house.json('/api/public');

  await page.click('tbody button:text-is("Stop")');
  await page.waitForFunction(() => document.querySelector('tbody td:nth-child(5)')?.textContent === 'stopped');
  assert.equal((await state()).games[0].stopped, true);
  assert.equal((await state()).stopped, false);
  await page.click('tbody button:text-is("Go on")');
  await page.waitForFunction(() => document.querySelector('tbody td:nth-child(5)')?.textContent === 'goes out');

  await page.click('section:first-of-type button:text-is("Set delay")');
  await page.fill('input[name=seconds]', '900');
  await page.fill('input[name=moves]', '2');
  // What is typed stays, though the page asks again and again.
  await page.waitForResponse((answer) => answer.url().endsWith('/api/public/corrections'));
  await page.click('button.strong:text-is("Set delay")');
  await page.waitForFunction(() => document.querySelector('tbody td:nth-child(6)')?.textContent === '900 s, 2 half-moves');
  assert.deepEqual((await state()).late, { seconds: 900, moves: 2 });
  await page.click('section:first-of-type button:text-is("Set delay")');
  await page.click('button:text-is("As configured")');
  await page.waitForFunction(() => document.querySelector('tbody td:nth-child(6)')?.textContent === '–');

  await page.click('section:first-of-type button:text-is("Stop")');
  await page.waitForSelector('section:first-of-type p.problem');
  assert.equal((await state()).stopped, true);
  await page.click('section:first-of-type button:text-is("Go on")');
  await page.waitForFunction(() => !document.querySelector('section:first-of-type p.problem'));
  assert.match(await page.textContent('section[aria-label=Lichess] tbody'), /has everything/);
  assert.match(await page.textContent('section[aria-label="Ways out"] tbody'), /Addresses and page.*\/live\/.*has everything/s);
  assert.deepEqual(page.complaints, []);
});

test('what Lichess refuses is said at its round and its table', { timeout: 120_000 }, async () => {
  const page = await house.device();
  await page.goto(`${house.address}/public.html`);
  const refused = { tags: { White: 'Anna Berg', Black: 'Ben Cole' }, error: 'No move found' };
  answer = { status: 200, body: { games: [refused] } };
  const order = async (move) => {
    const body = JSON.stringify({ event: 'arbiter', action: 'played', ply: 3, move });
    const headers = { 'content-type': 'application/json' };
    const ordered = await fetch(`${house.address}/api/boards/b01/orders`, { method: 'POST', headers, body });
    assert.equal(ordered.status, 200, await ordered.text());
  };
  await order('b1c3');
  await page.waitForFunction(() => document.querySelector('section[aria-label=Lichess] .problem')?.textContent?.includes('Table 1: No move found'));
  await page.waitForFunction(() => document.querySelector('tbody td:nth-child(5) .problem')?.textContent === 'Lichess: No move found');
  // The move was public: that it is another is listed.
  await page.waitForFunction(() => [...document.querySelectorAll('tbody td')].some((cell) => cell.textContent === 'Nf3'));
  const corrected = () => page.textContent('section:last-of-type tbody tr');
  assert.match(await corrected(), /Nf3.*Nc3.*Addresses and page/s);
  answer = { status: 401, body: { error: 'No such token' } };
  await order('d2d4');
  await page.waitForFunction(() => document.querySelector('section[aria-label=Lichess] tbody')?.textContent?.includes('does not take it'));
  assert.match(await page.textContent('section[aria-label=Lichess] tbody'), /study:write/);
  assert.deepEqual(page.complaints, []);
});
