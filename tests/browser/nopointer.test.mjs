// Everything about boards, the hall, breaks, shifts and devices without a pointer. A round by keyboard is in evenings.test.mjs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { choose, type, use } from './keyboard.mjs';

const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n2,"Dupont, Émile","Ek, Freja"\n';
const PASSWORD = 'rainy tuesday harbour';
const houses = [];
const opened = async (...about) => {
  const house = await House.open(...about);
  houses.push(house);
  return house;
};
let house;
before(async () => { house = await opened(2, 'language = "en"\n'); });
after(() => Promise.all(houses.map((one) => one.close())));

const post = async (path, body) => {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
};
const tables = async () => Object.fromEntries((await house.json('/api/tables')).filter(({ board }) => board).map(({ table, board }) => [table, board]));

test('boards are bound, exchanged, turned and given another line', { timeout: 90_000 }, async () => {
  await house.play('b01', '1. e4 e5 2. Nf3', ['--speed', '20']);
  await until(async () => (await house.board('b01')).connected, 'the board is there');
  const page = await house.page('#/devices');
  const of = (id) => page.locator(`[data-board="${id}"]`);
  const put = async (id, table) => {
    await type(page, of(id).locator('[name=table]'), String(table));
    await page.keyboard.press('Enter');
  };
  for (const id of ['b01', 'b02']) await use(page, of(id).locator('summary').last());
  await put('b01', 1);
  await put('b02', 2);
  await until(async () => JSON.stringify(await tables()) === '{"1":"b01","2":"b02"}', 'both stand on their tables');
  await put('b01', 2);
  await page.locator('dialog.confirm[open]').waitFor();
  await page.keyboard.press('Enter');
  await until(async () => JSON.stringify(await tables()) === '{"1":"b02","2":"b01"}', 'they are exchanged');
  await use(page, of('b01').getByRole('button', { name: '180' }));
  await page.locator('dialog.confirm[open]').waitFor();
  await page.keyboard.press('Enter');
  await until(async () => (await house.board('b01')).turned === 180, 'it lies turned');
  await type(page, of('b02').locator('[name=port]'), house.line('b09'));
  await page.keyboard.press('Enter');
  await until(async () => (await house.json('/api/ports')).some(({ board, port }) => board === 'b02' && port.endsWith('b09')), 'it is on another line');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('rows of the hall, a break and the end of a shift', { timeout: 90_000 }, async () => {
  await post('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 });
  await post('/api/rounds/1/start', {});
  const page = await house.page('#/map');
  await type(page, page.getByLabel('Rows of tables'), '2-1');
  await use(page, page.getByRole('button', { name: 'Keep the rows' }));
  await until(async () => (await page.locator('.map-row .tile').evaluateAll((all) => all.map((one) => one.dataset.table))).join() === '2,1', 'the rows are kept');

  await page.keyboard.press('4');
  await use(page, page.locator('.breaks summary'));
  await use(page, page.locator('.breaks').getByRole('button', { name: /Dupont, Émile/ }));
  await until(async () => (await house.json('/api/rounds/1/breaks')).some(({ out }) => out), 'he is out');
  await use(page, page.locator('.breaks > .out').getByRole('button', { name: /Dupont/ }));
  await until(async () => (await house.json('/api/rounds/1/breaks')).every(({ out }) => !out), 'he is back');

  await page.keyboard.press('2');
  await type(page, page.getByLabel(/Your name/), 'Ada');
  await page.keyboard.press('Tab');
  const { id } = await until(async () => (await house.json('/api/incidents'))[0], 'a fault of a board');
  await post(`/api/incidents/${encodeURIComponent(id)}/going`, { author: 'Ada' });
  await use(page, page.locator('.handover summary'));
  await type(page, page.getByLabel('To whom'), 'Ben');
  await page.keyboard.press('Enter');
  await until(async () => (await house.json('/api/incidents')).some((one) => one.id === id && one.going?.who === 'Ben'), 'Ben goes there');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a device is let in, and shut out', { timeout: 90_000 }, async () => {
  const hall = await opened(1, '', '', true);
  const chief = await hall.device();
  await chief.goto(hall.setupLink);
  await type(chief, chief.locator('[name=name]'), 'Ada');
  await type(chief, chief.locator('[name=password]'), PASSWORD);
  await chief.keyboard.press('Enter');
  await chief.waitForSelector('a.card');
  await chief.goto(`${hall.address}/people.html?en`);
  const add = chief.locator('form', { has: chief.locator('button', { hasText: 'Make a code' }) });
  await type(chief, add.locator('[name=name]'), 'rows 1-10');
  await choose(chief, add.locator('[name=role]'), await add.locator('[name=role] option[value=sector]').innerText());
  await type(chief, add.locator('[name=tables]'), '1-10');
  await chief.keyboard.press('Enter');
  const code = await chief.locator('.invited .code').innerText();
  const phone = await hall.device();
  await phone.goto(`${hall.address}/pair.html`);
  await type(phone, phone.locator('[name=code]'), code);
  await phone.keyboard.press('Enter');
  await use(chief, chief.locator('.asking button', { hasText: 'Let in' }));
  await phone.waitForSelector('a.card');
  await use(chief, chief.locator('tr', { hasText: 'rows 1-10' }).locator('button').last());
  await phone.waitForURL('**/login.html');
  await chief.close();
});
