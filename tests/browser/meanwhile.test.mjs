// What two decide at the same moment counts once: time that is given, a penalty; and a claim is judged on the position that its arbiter saw.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n2,"Dietz, Clara","Evers, Dan"\n3,"Falk, Eva","Gast, Finn"\n';
const MOVES = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3 c5 5. Nf3 Nc6 6. Be2 Be7 7. O-O O-O';

let house;
before(async () => {
  house = await House.open(3, 'language = "en"\n');
  await post('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 });
  await post('/api/rounds/1/start', {});
  await Promise.all([house.play('b01', '1. d4 d5', ['--speed', '20']), house.play('b02', MOVES, ['--speed', '2']), house.play('b03', MOVES, ['--speed', '1'])]);
  await until(async () => (await house.board('b01')).ply === 2, 'the moves are played', 60_000);
});
after(() => house.close());

async function post(path, body) {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const event = () => house.json('/api/event');

/** Two arbiters write, and press one after the other before the second has looked up. */
async function both(write, button) {
  const pages = await Promise.all([house.page('#/board/b01'), house.page('#/board/b01')]);
  for (const page of pages) await write(page);
  const [first, second] = pages;
  await button(first).click();
  await first.locator('.notice-done').waitFor();
  await button(second).click();
  return pages;
}

test('time that two arbiters give at once is given once; the second is told, and may give more', { timeout: 60_000 }, async () => {
  const give = (page) => page.locator('.give-time').getByRole('button', { name: 'Give it' });
  const [first, second] = await both(async (page) => {
    await page.getByText('Give both players time').click();
    await page.getByLabel('Minutes each').fill('3');
    await page.locator('.give-time').getByLabel('Why').fill('the light went out');
  }, give);
  await second.locator('.notice', { hasText: 'has given time at this table meanwhile: 3 min (the light went out)' }).waitFor();
  assert.deepEqual((await event()).times.map(({ seconds }) => seconds), [180]);
  assert.equal(await second.locator('.give-time').getByLabel('Why').inputValue(), 'the light went out', 'nothing is lost');
  await give(second).click();
  await until(async () => (await event()).times.length === 2, 'it is given knowingly');
  await Promise.all([first.close(), second.close()]);
});

test('while play goes on the minutes stay as they were typed, and a double tap gives them once', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b03');
  await page.getByText('Give both players time').click();
  const minutes = page.getByLabel('Minutes each');
  await minutes.fill('4.5');
  await page.locator('.give-time').getByLabel('Why').fill('a noise');
  const { ply } = await house.board('b03');
  await until(async () => (await house.board('b03')).ply > ply, 'play goes on');
  assert.equal(await minutes.inputValue(), '4.5');
  await page.locator('.give-time').getByRole('button', { name: 'Give it' }).dblclick();
  await page.locator('.give-time li', { hasText: '4.5 minutes each. a noise' }).waitFor();
  await page.waitForTimeout(500);
  assert.deepEqual((await event()).times.filter(({ table }) => table === 3).map(({ seconds }) => seconds), [270]);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a penalty that two arbiters note at once is noted once', { timeout: 60_000 }, async () => {
  const note = (page) => page.locator('.give-penalty').getByRole('button', { name: 'Note it' });
  const [first, second] = await both(async (page) => {
    await page.getByText('Give a penalty (Article 12.9)').click();
    await page.locator('.give-penalty').getByLabel('Why').fill('a telephone rang');
  }, note);
  await second.locator('.notice', { hasText: 'the last is: warning (a telephone rang)' }).waitFor();
  assert.equal((await event()).penalties.length, 1);
  // Of another player nothing was noted meanwhile.
  await second.locator('.give-penalty').getByLabel('Whom it is about').selectOption({ label: '2 Cole, Ben' });
  await note(second).click();
  await until(async () => (await event()).penalties.length === 2, 'the other’s is noted');
  await Promise.all([first.close(), second.close()]);
});

test('a claim that was begun before a move is not entered after it unseen, and stays that player’s', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b02');
  await page.locator('.claims summary').click();
  const claim = page.locator('.claims');
  const by = await claim.locator('.choices').first().locator('[aria-pressed="true"]').innerText();
  const { ply } = await house.board('b02');
  await claim.locator('.penalty', { hasText: /2 minutes/ }).waitFor();
  await until(async () => (await house.board('b02')).ply > ply + 1, 'play goes on', 30_000);
  await claim.getByRole('button', { name: 'Enter the claim' }).click();
  await page.locator('.notice', { hasText: 'a move was completed since' }).waitFor();
  assert.equal(await claim.locator('.choices').first().locator('[aria-pressed="true"]').innerText(), by);
  assert.deepEqual((await house.board('b02')).orders.filter(({ event: kind }) => kind === 'claim'), []);
  await page.close();
});

test('of two orders that were decided upon the same one counts, however close they come', { timeout: 60_000 }, async () => {
  // A third would rest on the loss that is proposed by then.
  for (let n = 0; n < 2; n += 1) {
    const isTold = (board) => n === 0 || board.orders.at(-1)?.order?.endsWith(`-${n - 1}`);
    await until(async () => isTold(await house.board('b03')), 'the last order is shown');
    const { game, orders, result } = await house.board('b03');
    const upon = encodeURIComponent(`${game}/${orders.at(-1)?.order ?? '0'}/${result?.result ?? '*'}`);
    const order = (name) => fetch(`${house.address}/api/boards/b03/orders?upon=${upon}`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ event: 'arbiter', action: 'report', code: 'two-hands', by: 'black', order: name }),
    });
    const answers = await Promise.all([order(`first-${n}`), order(`second-${n}`)]);
    const told = await Promise.all(answers.map((answer) => answer.text()));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409], told.join('\n'));
  }
  assert.equal((await house.board('b03')).findings.filter(({ code }) => code === 'two-hands').length, 2);
});

test('who was out when the round was closed: that he came back was not noted, and no time is counted on', { timeout: 60_000 }, async () => {
  await post('/api/rounds/1/breaks', { player: 1, out: true });
  for (const board of ['b01', 'b02', 'b03']) await post(`/api/boards/${board}/orders`, { event: 'arbiter', action: 'result', result: '1-0' });
  await until(async () => (await house.json('/api/rounds/1')).pairings.every(({ result }) => result), 'both results');
  const page = await house.page('#/report/1');
  const out = page.locator('.breaks-report tr', { hasText: 'Berg, Anna' });
  await out.getByText(/^out \(\d\d:\d\d –\)$/).waitFor();
  await post('/api/rounds/1/results', { results: { 1: '1-0', 2: '1-0', 3: '1-0' } });
  await post('/api/rounds/1/close', {});
  await out.getByText(/^return not noted \(\d\d:\d\d –\)$/).waitFor();
  await page.goto(`${house.address}/#/report`);
  await page.locator('.report li', { hasText: 'Round 1: 1 break, –, 1 time having the move, return not noted' }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});
