// What the daemon would refuse is not offered: to an arbiter of some tables, and to an operator.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House } from './house.mjs';

const PASSWORD = 'rainy tuesday harbour';
const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n2,"Dietz, Clara","Evers, Dan"\n3,"Fuchs, Eva","Gross, Finn"\n';

let house;
const pages = {};
before(async () => {
  house = await House.open(2, 'language = "en"\n', '', true);
  const chief = await house.device();
  await chief.goto(house.setupLink);
  await chief.locator('[name=name]').fill('Ada');
  await chief.locator('[name=password]').fill(PASSWORD);
  await chief.locator('button').click();
  await chief.waitForSelector('a.card[data-board="b01"]');
  pages.chief = chief;
  const ask = (path, body) => chief.evaluate(async ([to, what]) => {
    const answer = await fetch(to, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(what) });
    return [answer.status, await answer.json()];
  }, [path, body]);
  for (const [path, body] of [['/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 }], ['/api/rounds/1/start', {}]]) assert.equal((await ask(path, body))[0], 200);
  for (const [name, more] of [['Sam', { role: 'sector', tables: '2-3' }], ['Olga', { role: 'operator' }]]) {
    const [, { password }] = await ask('/api/people/accounts', { name, ...more });
    const page = await house.device();
    await page.goto(`${house.address}/login.html`);
    await page.locator('[name=name]').fill(name);
    await page.locator('[name=password]').fill(password);
    await page.locator('button').click();
    await page.waitForSelector('a.card[data-board="b01"]');
    pages[name] = page;
  }
});
after(() => house.close());

test('boards are put on tables and lines by those who may, and turned by those who rule there', { timeout: 60_000 }, async () => {
  const offered = async (page, board) => {
    const device = page.locator(`.device[data-board="${board}"]`);
    await device.waitFor();
    // Until it is known who is here the daemon decides.
    await page.waitForTimeout(500);
    if (await device.locator('summary').count() === 0) return [];
    await device.locator('summary').click();
    await device.locator('details > :nth-child(2)').waitFor();
    return [await device.getByRole('button', { name: 'Put it there' }).count() && 'table', await device.getByRole('button', { name: 'Connect' }).count() && 'line', await device.locator('.row[role=group]').count() && 'lies'].filter(Boolean);
  };
  for (const [name, board, may] of [['chief', 'b01', ['table', 'line', 'lies']], ['Sam', 'b01', []], ['Sam', 'b02', ['lies']], ['Olga', 'b01', ['table', 'line']]]) {
    await pages[name].goto(`${house.address}/?${name}${board}#/devices`);
    assert.deepEqual(await offered(pages[name], board), may, `${name} at ${board}`);
  }
});

test('of whom an arbiter of some tables may not say that he leaves, he is not asked', { timeout: 60_000 }, async () => {
  await pages.Sam.goto(`${house.address}/?breaks#/round`);
  const panel = pages.Sam.locator('.breaks');
  await panel.getByText('Somebody leaves').click();
  await panel.getByRole('button', { name: /Dietz, Clara/ }).waitFor();
  assert.equal(await panel.getByRole('button', { name: /Berg, Anna/ }).count(), 0);
  // Another's is not listed to be taken back either.
  const left = (number) => pages.chief.evaluate((player) => fetch('/api/rounds/1/breaks', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ player, out: true }) }).then(({ status }) => status), number);
  const players = await pages.chief.evaluate(() => fetch('/api/rounds/1').then((answer) => answer.json()));
  assert.equal(await left(players.pairings[0].white.number), 200);
  assert.equal(await left(players.pairings[1].white.number), 200);
  await panel.locator('.count-of', { hasText: '1 player' }).waitFor();
  assert.equal(await panel.getByText('Berg, Anna').count(), 0);
});

test('an operator marks who is missing, and is not offered a note that he has come', { timeout: 60_000 }, async () => {
  for (const [name, offers] of [['Olga', 0], ['Sam', 1]]) {
    const page = pages[name];
    await page.goto(`${house.address}/?absent#/round`);
    const mark = page.locator('.absent').getByRole('group', { name: 'Table 3', exact: true }).getByRole('button', { name: 'Fuchs, Eva', exact: true });
    await mark.click();
    await page.getByRole('button', { name: 'Enter 1 forfeit' }).waitFor();
    assert.equal(await page.locator('.absent .come').count(), offers, name);
    assert.deepEqual(page.complaints, [], name);
  }
});
