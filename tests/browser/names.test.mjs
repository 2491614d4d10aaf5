// Who has ruled and who has given a result, where nobody is asked to log in; and what is refused, in the language of who reads it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, give, until } from './house.mjs';

const SHORT = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';
const PGN = ['Berg, Anna', 'Dietz, Clara'].map((white, n) =>
  `[Event "Harbour Open"]\n[Round "1.${n + 1}"]\n[White "${white}"]\n[Black "${['Cole, Ben', 'Evers, Dan'][n]}"]\n[Result "*"]\n\n*\n`).join('\n');

let house;
before(async () => {
  house = await House.open(2, 'language = "en"\n');
  await tell('/api/pairings', { file: Buffer.from(PGN).toString('base64') });
  await tell('/api/rounds/1/start', {});
});
after(() => house.close());

const tell = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const pairing = async (table) => (await house.json('/api/rounds/1')).pairings[table - 1];
const sent = async (game) => (await house.script(game)).filter(({ event }) => event === 'arbiter');

test('the name is asked once on a device, stands beside orders, and is changed in the bar', { timeout: 60_000 }, async () => {
  await house.play('b01', SHORT, ['--speed', '8']);
  await until(async () => (await house.board('b01')).ply === 7, 'all moves', 40_000);
  const page = await house.page('#/board/b01', { fresh: true, width: 1280, height: 800 });
  await page.getByRole('button', { name: 'No name' }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.locator('dialog.ask').getByLabel('Your name').fill('Renée D.');
  await page.locator('dialog.ask').getByRole('button', { name: 'Use this name' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  const { game } = await house.board('b01');
  assert.deepEqual((await sent(game)).map(({ action, author }) => [action, author]), [['pause', 'Renée D.'], ['resume', 'Renée D.']]);
  await page.getByRole('button', { name: 'Renée D.' }).click();
  await page.locator('dialog.ask').getByLabel('Your name').fill('Eva');
  await page.locator('dialog.ask').getByRole('button', { name: 'Use this name' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Eva' }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('who wants no name is not asked again', { timeout: 60_000 }, async () => {
  await house.play('b02', SHORT, ['--speed', '8']);
  await until(async () => (await house.board('b02')).ply === 7, 'all moves', 40_000);
  const page = await house.page('#/board/b02', { fresh: true, width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Pause' }).click();
  // Who leaves the question gives no order, and is asked again.
  await page.locator('dialog.ask').getByLabel('Your name').press('Escape');
  await page.locator('dialog.ask').waitFor({ state: 'hidden' });
  assert.deepEqual(await sent((await house.board('b02')).game), []);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.locator('dialog.ask').getByRole('button', { name: 'Without a name' }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  const { game } = await house.board('b02');
  assert.deepEqual((await sent(game)).map(({ action, author }) => [action, author]), [['pause', undefined], ['resume', undefined]]);
  await page.close();
});

for (const [language, told] of [['fr', 'La partie n’est pas suspendue. Rien n’attend de réponse.'], ['de', 'Die Partie ist nicht unterbrochen. Nichts wartet auf eine Antwort.'], ['en', 'The game has not been paused. Nothing waits for an answer.']]) {
  test(`what is refused is said in the reader’s language: ${language}`, { timeout: 60_000 }, async () => {
    const answer = await tell('/api/boards/b02/orders', { event: 'arbiter', action: 'resume' });
    const { why } = await answer.json();
    assert.deepEqual([answer.status, why], [409, { kind: 'order-not-paused' }]);
    const page = await house.device();
    await page.addInitScript((wish) => localStorage.setItem('arbiter-language', wish), language);
    // Its modules one by one: the test asks them as the page does.
    await page.goto(`${house.address}/?modules#/board/b02`);
    const pause = page.locator('.orders button').first();
    await pause.waitFor();
    // Another one pauses and resumes it: the page that offered the one is told otherwise.
    const told409 = await page.evaluate(async () => {
      const { sendOrder, resume } = await import('/state/orders.mjs');
      return sendOrder('b02', resume(), '');
    });
    assert.equal(told409, false);
    await page.locator('.notice', { hasText: told }).waitFor();
    const event = await page.evaluate(async () => {
      const { actOn } = await import('/state/event.mjs');
      return actOn('api/rounds/7/start', {});
    });
    assert.equal(event, null);
    await page.close();
  });
}

test('a result that an arbiter gives at the board is his in desk and report, and goes when it is taken back', { timeout: 60_000 }, async () => {
  const given = (order) => tell('/api/boards/b01/orders', { event: 'arbiter', action: 'result', result: '1-0', author: 'Eva', order });
  assert.equal((await given('r1')).status, 200);
  await until(async () => (await pairing(1)).how === 'arbiter', 'it is the arbiter’s');
  const page = await house.page('#/round/1', { width: 1440, height: 900 });
  const row = page.locator('[data-table="1"]');
  await row.locator('.res-proposed').waitFor();
  await row.getByText('arbiter, Eva').waitFor();
  await tell('/api/boards/b01/orders', { event: 'arbiter', action: 'take-back', order: 'r1' });
  await row.locator('.res').waitFor({ state: 'detached' });
  assert.deepEqual([(await pairing(1)).how, (await pairing(1)).by], [null, '']);
  await given('r2');
  await row.locator('.res-proposed').waitFor();
  await page.locator('.results-head button.strong').click();
  await row.locator('.res-confirmed').waitFor();
  await page.goto(`${house.address}/#/report/1`);
  await page.locator('.report').getByText('arbiter, Eva').first().waitFor();
  // What is typed at the desk is of who typed it.
  await page.evaluate(() => localStorage.setItem('arbiter-name', 'Karl'));
  await page.goto(`${house.address}/#/round/1`);
  await page.reload();
  await give(page.locator('[data-table="2"]'), '1/2-1/2');
  await page.locator('[data-table="2"]').getByText('scoresheet, Karl').waitFor();
  // On the board's page the confirmed result stands: nobody is to move, no clock runs, and no other result is offered.
  assert.equal((await pairing(2)).confirmed, true);
  await page.goto(`${house.address}/#/board/b02`);
  await page.locator('.room-head .phase', { hasText: '½–½' }).getByText('confirmed').waitFor();
  assert.equal(await page.locator('.player .turn, .clock.running').count(), 0);
  assert.equal(await page.locator('.orders').getByRole('button', { name: /1–0|½–½|0–1|Annul/ }).count(), 0);
  await page.locator('.orders').getByRole('link', { name: 'Round 1' }).waitFor();
  await page.close();
});

test('a game says when each order was given, and what was taken back by whom', { timeout: 60_000 }, async () => {
  const { game, given } = await house.json(`/api/games/${(await house.board('b01')).game}`).then((told) => ({ game: told.id, given: told.given }));
  assert.deepEqual(given.map(({ action, order, undone }) => [action, order.startsWith('r') && order, Boolean(undone)]).slice(-2), [['result', 'r1', true], ['result', 'r2', false]]);
  for (const { wall } of given) assert.ok(Math.abs(Date.now() - wall) < 120_000, `${wall}`);
  const page = await house.page(`#/game/${game}`);
  await page.locator('.protocol del', { hasText: '1–0' }).or(page.locator('.protocol del')).first().waitFor();
  const time = new Date(given.at(-1).wall).toLocaleTimeString('en', { timeStyle: 'medium', hourCycle: 'h23' });
  await page.locator('.protocol').getByText(time).first().waitFor();
  await page.close();
});
