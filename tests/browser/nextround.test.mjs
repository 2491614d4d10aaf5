// From one round to the next: what only the arbiter can declare, what the wall shows then, and that nobody begins another game at a table that plays.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, give, until } from './house.mjs';

const MATE = '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#';
const SHORT = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3 Be7';
const LONG = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6';
const PLAYERS = [['Berg, Anna', 'Cole, Ben'], ['Dietz, Clara', 'Evers, Dan'], ['Fuchs, Eva', 'Gross, Finn']];
const pairings = (round, pairs) => Buffer.from(pairs.map(([white, black], n) => `[Round "${round}.${n + 1}"]\n[White "${white}"]\n[Black "${black}"]\n[Result "*"]\n\n*\n`).join('\n')).toString('base64');

let house;
before(async () => {
  house = await House.open(3, 'name = "Harbour Open"\nlanguage = "en"\n');
  await post('/api/pairings', { file: pairings(1, PLAYERS) });
  await post('/api/rounds/1/start', {});
});
after(() => house.close());

const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const why = async (answer) => [answer.status, (await answer.json()).why?.kind];

test('no new game is offered before it is known whether the board plays, nor taken while it does', { timeout: 60_000 }, async () => {
  await house.play('b01', SHORT, ['--speed', '10'], { result: '1/2-1/2' });
  await until(async () => (await house.board('b01')).ply > 2, 'they play');
  const page = await house.page('#/');
  let arrives = () => {};
  const held = new Promise((done) => { arrives = done; });
  await page.route('**/api/rounds/1', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${house.address}/?slow#/board/b01`);
  await page.locator('h1', { hasText: 'b01' }).waitFor();
  await page.locator('.moves').first().waitFor();
  await page.waitForTimeout(1_000);
  assert.equal(await page.locator('.new-game').count(), 0, 'it is not known yet');
  arrives();
  await page.locator('.no-new-game').waitFor();
  for (const order of [{}, { white: 'Guest' }]) {
    assert.deepEqual(await why(await post('/api/boards/b01/orders', { event: 'new-game', ...order })), [409, 'round-game-open']);
  }
  await page.close();
});

test('a game that was cut off is brought back to its board', { timeout: 90_000 }, async () => {
  await house.play('b03', LONG, ['--speed', '3']);
  await until(async () => (await house.board('b03')).ply > 3, 'they play');
  // Another game takes its place while it is postponed, and is played when it is to go on.
  await post('/api/rounds/1/postpone', { tables: [3], reason: 'the hall is closed' });
  const { game } = await until(async () => { const board = await house.board('b03'); return board.state === 'paused' && board; }, 'it is stopped');
  const { fen } = await house.board('b03');
  assert.equal((await post('/api/boards/b03/orders', { event: 'new-game', white: 'Guest', fen })).status, 200);
  await until(async () => (await house.board('b03')).ply > 0, 'the other is played', 60_000);
  await post('/api/rounds/1/resume', { tables: [3] });
  assert.equal((await house.json('/api/tables'))[2].cut_off, game);
  const page = await house.page('#/');
  await page.evaluate(() => localStorage.setItem('arbiter-name', 'Ada'));
  await page.goto(`${house.address}/?ada#/board/b03`);
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await until(async () => { const board = await house.board('b03'); return board.game === game && board.state === 'paused'; }, 'it is there again, and stopped');
  assert.equal((await house.json('/api/tables'))[2].cut_off, null);
  await page.locator('.cut-off').waitFor({ state: 'detached' });
  assert.deepEqual(page.complaints, []);
  await post('/api/rounds/1/results', { results: { 3: '0-1' } });
  await page.close();
});

test('a draw that kings in the middle show is confirmed by itself', { timeout: 90_000 }, async () => {
  await house.play('b02', MATE, ['--speed', '10']);
  await until(async () => (await house.json('/api/rounds/1')).pairings.every(({ result }) => result), 'both have a result', 60_000);
  assert.equal((await house.board('b01')).result.reason, 'kings-placed');
  assert.deepEqual((await house.json('/api/rounds/1')).undeclared, [1]);
  const page = await house.page('#/round/1', { width: 1440, height: 900 });
  await page.evaluate(() => localStorage.setItem('arbiter-name', 'Ada'));
  await page.goto(`${house.address}/?ada#/round/1`);
  await page.locator('tr[data-table="1"]', { hasText: 'only the arbiter can declare it' }).waitFor();
  const all = page.locator('.results-head button.strong', { hasText: 'Confirm the undisputed one' });
  await all.waitFor();
  assert.deepEqual(await why(await post('/api/rounds/1/confirm', { tables: [1, 2], undisputed: true })), [409, 'undeclared-result']);
  await all.click();
  await page.locator('tr[data-table="2"] .res-confirmed').waitFor();
  const left = await (await post('/api/rounds/1/confirm', {})).json();
  assert.deepEqual(left.passed_over, [{ table: 1, why: 'undeclared' }]);
  assert.equal(left.pairings[0].confirmed, false);
  await give(page.locator('tr[data-table="1"]'), 'confirm');
  await page.locator('tr[data-table="1"] .res-confirmed').waitFor();
  await page.close();
});

test('the wall shows who is to play in the round that was started, and no old result', { timeout: 60_000 }, async () => {
  const wall = await house.page('wall.html', { width: 1280, height: 720 });
  await wall.locator('.wall .last', { hasText: '1–0' }).waitFor();
  await post('/api/rounds/1/close', {});
  await post('/api/pairings', { file: pairings(2, [['Evers, Dan', 'Berg, Anna'], ['Cole, Ben', 'Dietz, Clara']]) });
  assert.equal(await wall.getByText('1–0').count(), 1, 'the round is drawn, and not started');
  await post('/api/rounds/2/start', {});
  const first = wall.locator('.wall figure.not-begun').first();
  await first.getByText('Evers, Dan').waitFor();
  await first.locator('.last', { hasText: 'Table 1 · b01 · Round 2: not begun' }).waitFor();
  await wall.locator('.wall figure.not-begun').nth(1).getByText('Cole, Ben').waitFor();
  assert.equal(await wall.getByText(/1–0|½–½/).count(), 0);
  assert.equal(await first.locator('cg-board piece').count(), 32);
  await wall.close();
});

test('what stands above a page is not printed', { timeout: 60_000 }, async () => {
  const { pairings: [{ game }] } = await house.json('/api/rounds/1');
  const page = await house.page(`#/game/${game}`);
  await page.locator('.protocol').waitFor();
  await page.evaluate(() => {
    const banner = document.createElement('section');
    banner.className = 'waiting';
    banner.textContent = 'does not count';
    document.querySelector('main').before(banner);
  });
  assert.equal(await page.locator('.waiting').isVisible(), true);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.waiting').isVisible(), false);
  await page.close();
});
