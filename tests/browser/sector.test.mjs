// The inbox of whoever is responsible for all tables, of some of them only; and how long an incident waits.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';

const PHONE = { width: 390, height: 844 };
const PAIRINGS = ['table,white,black', ...[1, 2, 3].map((n) => `${n},"White ${n}","Black ${n}"`)].join('\n');

let house;
before(async () => {
  house = await House.open(3, 'language = "en"\n');
  const send = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  await send('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 });
  await send('/api/rounds/1/start', {});
  // No board is on the line: each table has an incident.
  await until(async () => (await house.json('/api/incidents')).filter(({ table }) => table).length === 3, 'an incident at each table');
});
after(() => house.close());

const picture = (page, name) => process.env.PICTURES && page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
const tables = (page) => page.locator('.incident .table-number').allInnerTexts();

test('a device looks after a range of tables, and keeps it', { timeout: 60_000 }, async () => {
  const page = await house.page('#/inbox', PHONE);
  await page.getByRole('heading', { name: '3 incidents need somebody' }).waitFor();
  await page.getByText('Look after some tables only').click();
  await page.getByLabel('Tables', { exact: true }).fill('some');
  await page.getByRole('alert').getByText('such as 1–20').waitFor();
  await page.getByLabel('Tables', { exact: true }).fill('3-2');
  await page.keyboard.press('Enter');
  await page.locator('.filters button[aria-pressed="true"]', { hasText: 'Tables 2–3 2' }).waitFor();
  assert.deepEqual((await tables(page)).sort(), ['2', '3']);
  await page.getByRole('heading', { name: '2 incidents need somebody' }).waitFor();
  await sound(page, 'the inbox of some tables');
  await picture(page, 'sector-inbox');
  await page.getByRole('button', { name: /^All/ }).click();
  assert.equal((await tables(page)).length, 3, 'the others are one tap away');
  await page.reload();
  await page.locator('.filters button[aria-pressed="true"]', { hasText: 'Tables 2–3' }).waitFor();
  await page.getByRole('heading', { name: '2 incidents need somebody' }).waitFor();
  // *Next* keeps to them.
  await page.locator('.incident a').first().click();
  await page.getByRole('button', { name: 'Next (1)' }).waitFor();
  const other = await house.page('#/inbox', PHONE);
  await other.getByRole('heading', { name: '3 incidents need somebody' }).waitFor();
  await page.goto(`${house.address}/#/inbox`);
  await page.getByText('Look after some tables only').click();
  await page.getByLabel('Tables', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Keep them' }).click();
  await page.getByRole('heading', { name: '3 incidents need somebody' }).waitFor();
  assert.equal(await page.locator('.filters button', { hasText: 'Tables' }).count(), 0);
  assert.deepEqual([...page.complaints, ...other.complaints], []);
  await page.close();
  await other.close();
});

test('an incident waits as long as is chosen, and the next one as long as that', { timeout: 60_000 }, async () => {
  const [one, next] = (await house.json('/api/incidents')).filter(({ table }) => table);
  const page = await house.page(`#/incident/${one.id}`, PHONE);
  const waits = async ({ id }) => {
    const { state, until: end } = (await house.json('/api/incidents')).find((other) => other.id === id);
    return state === 'later' ? Math.round((end - Date.now()) / 60_000) : 0;
  };
  await page.getByRole('button', { name: 'Later', exact: true }).click();
  await until(async () => (await waits(one)) === 5, 'it waits for five minutes');
  const choice = page.getByRole('group', { name: 'How long it waits' });
  await choice.getByRole('button', { name: '5 min' }).and(page.locator('[aria-pressed="true"]')).waitFor();
  await sound(page, 'an incident that waits');
  await picture(page, 'later');
  // The dock holds still for a moment after it has changed.
  await until(async () => {
    await choice.getByRole('button', { name: '10 min' }).click();
    return (await waits(one)) === 10;
  }, 'it waits for ten');
  await page.goto(`${house.address}/#/incident/${next.id}`);
  await until(async () => {
    await page.getByRole('button', { name: 'Later', exact: true }).click({ timeout: 500 }).catch(() => {});
    return (await waits(next)) === 10;
  }, 'the next one as well');
  await page.getByRole('button', { name: 'Now', exact: true }).waitFor();
  // One that is not told yet is looked for on record.
  assert.deepEqual(page.complaints.filter((text) => !text.includes('404')), []);
  await page.close();
});

test('the chief asks another to go: it is first said to him, and he goes or does not', { timeout: 60_000 }, async () => {
  const one = (await house.json('/api/incidents')).find(({ table, state }) => table && state !== 'later');
  const named = async (name) => {
    const page = await house.device(PHONE);
    await page.addInitScript((own) => localStorage.setItem('arbiter-name', own), name);
    return page;
  };
  const [chief, ben] = [await named('Ada'), await named('Ben')];
  await ben.goto(`${house.address}/#/inbox`);
  await chief.goto(`${house.address}/#/incident/${one.id}`);
  const stand = (text) => ben.locator('.incident', { has: ben.locator('.table-number', { hasText: new RegExp(`^${one.table}$`) }) }).getByText(text);
  await chief.getByText('Send somebody').click();
  await chief.locator('.send-to').getByLabel('To whom').fill('Ben');
  await sound(chief, 'somebody is asked to go');
  await picture(chief, 'send');
  await chief.locator('.send-to').getByRole('button', { name: 'Ask' }).click();
  await chief.getByText(/^Ben is asked to go, \d+ s/).waitFor();
  await stand(/^Ada asks you to go/).waitFor();
  assert.equal(await ben.locator('.sent-here').count(), 1);
  await ben.locator('.sent-here a').click();
  await ben.getByRole('button', { name: 'I am going' }).click();
  await chief.getByText('Ben is going').waitFor();
  assert.equal((await house.json('/api/incidents')).find(({ id }) => id === one.id).sent, null);
  // Whoever is known is one tap.
  await chief.getByText('Send somebody').click();
  await chief.locator('.send-to').getByRole('button', { name: 'Ben' }).waitFor();
  assert.deepEqual([...chief.complaints, ...ben.complaints].filter((text) => !text.includes('404')), []);
  await Promise.all([chief.close(), ben.close()]);
});

test('the title of a fault says what it means, and its details which device it is', { timeout: 60_000 }, async () => {
  const page = await house.page('#/inbox', PHONE);
  const title = page.locator('.incident .what strong').first();
  await title.waitFor();
  assert.equal(await title.innerText(), 'No port for this board: is it plugged in?');
  assert.deepEqual((await page.locator('.incident .what').allInnerTexts()).filter((text) => text.includes('/')), []);
  const [one] = (await house.json('/api/incidents')).filter(({ kind }) => kind === 'fault');
  await page.goto(`${house.address}/#/incident/${one.id}`);
  await page.locator('.need-panel.fault h2', { hasText: 'No port for this board: is it plugged in?' }).waitFor();
  await page.locator('.need-panel.fault .fault-details', { hasText: house.line(one.board) }).waitFor();
  assert.deepEqual(page.complaints.filter((text) => !text.includes('404')), []);
  await page.close();
});
