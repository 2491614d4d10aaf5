// Where people have accounts: an arbiter of some tables asks others to go, and whoever is sent to a table of others is told what he may not do there.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';

const PASSWORD = 'rainy tuesday harbour';
const PAIRINGS = 'table,white,black\n1,Berg,Cole\n2,Dietz,Evers\n';

let house;
let chief;
before(async () => {
  house = await House.open(2, 'name = "Club Championship"\nlanguage = "en"\n', '', true);
  await house.play('b02', '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3', ['--breach', 'illegal-move@7', '--speed', '8', '--seed', '3']);
  chief = await house.device();
  await chief.goto(house.setupLink);
  await chief.locator('[name=name]').fill('Ada');
  await chief.locator('[name=password]').fill(PASSWORD);
  await chief.locator('button').click();
  await chief.waitForSelector('a.card[data-board="b01"]');
  const done = await chief.evaluate(async (file) => {
    const ask = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then(({ status }) => status);
    return [await ask('/api/pairings', { file, round: 1 }), await ask('/api/rounds/1/start', {})];
  }, Buffer.from(PAIRINGS).toString('base64'));
  assert.deepEqual(done, [200, 200]);
});
after(() => house.close());

/** An account, and a page on which it is logged in. */
async function arbiter(name, tables) {
  await chief.goto(`${house.address}/people.html`);
  const add = chief.locator('form', { has: chief.locator('button', { hasText: /^Add$/ }) });
  await add.locator('[name=name]').fill(name);
  await add.locator('[name=role]').selectOption('sector');
  await add.locator('[name=tables]').fill(tables);
  await add.locator('button').click();
  const password = await chief.locator('strong.squares').last().innerText();
  const page = await house.device();
  await page.goto(`${house.address}/login.html`);
  await page.locator('[name=name]').fill(name);
  await page.locator('[name=password]').fill(password);
  await page.locator('button').click();
  await page.waitForSelector('a.card[data-board="b01"]');
  return page;
}

test('an arbiter of a sector is shown who may be asked, and whoever is sent elsewhere is told what is not his', { timeout: 120_000 }, async () => {
  const [ben, cleo] = [await arbiter('Ben', '2-2'), await arbiter('Cleo', '1-1')];
  const found = await until(() => ben.evaluate(async () => (await (await fetch('/api/incidents')).json()).find(({ board, kind }) => board === 'b02' && kind === 'irregularity')), 'an incident', 60_000);
  await ben.goto(`${house.address}/#/incident/${found.id}`);
  await ben.getByText('Send somebody').click();
  const asked = ben.locator('.send-to .choices button');
  await asked.nth(1).waitFor();
  assert.deepEqual((await asked.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')).sort(), ['Ada', 'Cleo tables 1–1']);
  await asked.filter({ hasText: 'Cleo' }).click();
  await ben.getByText(/^Cleo is asked to go/).waitFor();

  await cleo.goto(`${house.address}/#/incident/${found.id}`);
  const forms = cleo.locator('fieldset.of-table');
  await forms.getByText('Table 2 is not one of yours (1–1). You are asked to go there; penalties and notes are written by its own arbiter or the chief arbiter.').waitFor();
  assert.equal(await forms.evaluate((set) => set.disabled), true);
  await cleo.getByRole('button', { name: 'I am going' }).waitFor();
  await sound(cleo, 'an incident at a table of others');
  // What accounts there are else is nobody's business but the chief's.
  assert.equal(await cleo.evaluate(async () => (await fetch('/api/people/accounts')).status), 403);
  await Promise.all([ben.close(), cleo.close()]);
});
