// People and devices: the first chief arbiter, a phone, a screen on the wall, and how they are shut out.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { browserOf } from '../../daemon/console/people/browsers.mjs';
import { House, give, until } from './house.mjs';

const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6';
const PASSWORD = 'rainy tuesday harbour';
const PHONE = { width: 390, height: 780 };
// Where pictures of every page go, for people to look at: PICTURES=DIR.
const PICTURES = process.env.PICTURES;

let house;
let chief;
before(async () => {
  house = await House.open(2, 'name = "Club Championship"\n', '', true);
  await house.play('b01', MOVES, ['--breach', 'illegal-move@5', '--speed', '20']);
});
after(() => house.close());

async function picture(page, name) {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

test('the first chief arbiter comes in by the setup link', { timeout: 60_000 }, async () => {
  chief = await house.device();
  await chief.goto(house.address);
  assert.equal(new URL(chief.url()).pathname, '/login.html', 'whoever is not in goes to the login');
  await picture(chief, 'login');
  await chief.goto(house.setupLink);
  assert.equal(new URL(chief.url()).hash, '', 'the secret is taken out of the address');
  await chief.locator('[name=name]').fill('Ada');
  await chief.locator('[name=password]').fill('password1');
  await chief.locator('button').click();
  await chief.locator('.problem', { hasText: 'first to be tried' }).waitFor();
  await picture(chief, 'setup');
  await chief.locator('[name=password]').fill(PASSWORD);
  await chief.locator('button').click();
  await chief.waitForSelector('a.card[data-board="b01"]');
  await chief.locator('.bar a', { hasText: 'Ada' }).waitFor();
});

test('a phone is let in by a code and a yes, rules, and is shut out', { timeout: 90_000 }, async () => {
  await chief.goto(`${house.address}/people.html`);
  const add = chief.locator('form', { has: chief.locator('button', { hasText: 'Make a code' }) });
  await add.locator('[name=name]').fill('rows 1-10');
  await add.locator('[name=role]').selectOption('operator');
  assert.equal(await add.locator('[name=tables]').count(), 0, 'an operator is one of all tables');
  await add.locator('[name=role]').selectOption('sector');
  await add.locator('[name=tables]').fill('1-10');
  await add.locator('button').click();
  const code = await chief.locator('.invited .code').innerText();
  const drawn = await chief.locator('.invited img').evaluate((image) => image.decode().then(() => image.naturalWidth));
  assert.ok(drawn > 20, 'the QR code is drawn');

  const phone = await house.device(PHONE);
  await phone.goto(`${house.address}/pair.html`);
  await phone.locator('.door .language').selectOption('fr');
  await phone.locator('h1', { hasText: 'Admettre cet appareil' }).waitFor();
  await phone.locator('[name=code]').fill(code.toLowerCase());
  await phone.locator('.door button').click();
  const squares = await phone.locator('p.squares').innerText();
  await picture(phone, 'pair');
  const asking = chief.locator('.asking', { hasText: 'rows 1-10' });
  await asking.waitFor();
  assert.equal(await asking.locator('.squares').innerText(), squares);
  await picture(chief, 'people');
  await asking.locator('button', { hasText: 'Let in' }).click();
  await phone.waitForSelector('a.card[data-board="b01"]');
  await until(() => phone.locator('.line-live').count(), 'the phone is live');

  // Shut out while it has no line, it is told what was not given.
  await phone.goto(`${house.address}/#/board/b01`);
  const pause = phone.getByRole('button', { name: 'Suspendre' });
  await pause.waitFor();
  await phone.context().setOffline(true);
  await pause.click();
  await phone.locator('.waiting li').waitFor();
  const row = chief.locator('tr', { hasText: 'rows 1-10' });
  await row.locator('button').click();
  await row.waitFor({ state: 'detached' });
  await phone.context().setOffline(false);
  await phone.waitForURL('**/login.html');
  await phone.locator('.waiting', { hasText: '1 ordre n’a pas été donné' }).waitFor();
  assert.match(await phone.locator('.waiting li').innerText(), /^rows 1-10 · /);
  await picture(phone, 'unsent');
  assert.deepEqual(chief.complaints.filter((text) => !text.includes('422')), []);
});

test('a phone with which one only looks comes in by itself, and is told so', { timeout: 60_000 }, async () => {
  await chief.goto(`${house.address}/people.html`);
  const add = chief.locator('form', { has: chief.locator('button', { hasText: 'Make a code' }) });
  await add.locator('[name=name]').fill('press');
  await add.locator('[name=role]').selectOption('viewer');
  await add.locator('button').click();
  const code = await chief.locator('.invited .code').innerText();
  const phone = await house.device(PHONE);
  await phone.goto(`${house.address}/pair.html`);
  await phone.locator('.door .language').selectOption('en');
  await phone.locator('[name=code]').fill(code);
  await phone.locator('.door button').click();
  await phone.getByText('You are let in').waitFor();
  assert.equal(await phone.getByText('is asked').count(), 0);
  await phone.waitForURL((url) => !url.pathname.endsWith('pair.html'));
  await phone.context().close();
});

test('a screen on the wall shows a code, then boards and nothing that was found', { timeout: 90_000 }, async () => {
  const screen = await house.device({ width: 1280, height: 720 });
  await screen.goto(`${house.address}/screen.html`);
  const code = await screen.locator('.code').innerText();
  await picture(screen, 'screen');
  await chief.goto(`${house.address}/people.html`);
  const form = chief.locator('form', { has: chief.locator('[name=code]') });
  await form.locator('[name=code]').fill(code);
  await form.locator('[name=name]').fill('at the door');
  assert.equal(await form.locator('[name=tables]').getAttribute('placeholder'), 'all tables');
  await form.locator('button').click();
  await screen.waitForURL('**/wall.html');
  await until(() => screen.locator('.wall cg-board piece').count(), 'a board is drawn');
  await until(async () => /\d/.test(await screen.locator('.wall .last').first().innerText()), 'a move is shown');
  // Few boards are as large as they can be with all of them in sight.
  await screen.locator('.wall.few').waitFor();
  const wall = await screen.locator('.wall').evaluate((main) => ({ page: document.documentElement.scrollHeight, seen: innerHeight, widths: [...main.querySelectorAll('figure')].map((board) => board.getBoundingClientRect().width) }));
  assert.ok(wall.page <= wall.seen, `the wall is ${wall.page} of ${wall.seen} px high`);
  assert.ok(wall.widths.every((width) => width > 500), `boards are ${wall.widths} px wide`);
  await picture(screen, 'wall');
  const row = chief.locator('tr', { hasText: 'at the door' });
  assert.match(await row.innerText(), /screen all tables/);
  assert.match(await row.innerText(), /Chrome on Linux/);
  assert.doesNotMatch(await screen.locator('body').innerText(), /illegal|4\.|7\.5/i);
  assert.deepEqual(screen.complaints, []);

  // A screen of tables that have no board says so.
  const bare = await house.device();
  await bare.goto(`${house.address}/screen.html`);
  await form.locator('[name=code]').fill(await bare.locator('.code').innerText());
  await form.locator('[name=name]').fill('gallery');
  await form.locator('[name=tables]').fill('40-50');
  await form.locator('button').click();
  await bare.getByText('no board at the tables of this screen').waitFor();
  assert.deepEqual(bare.complaints, []);
});

test('browsers are called by the names that people know', () => {
  const of = (agent) => Object.values(browserOf(agent) ?? {});
  assert.deepEqual(of('Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15'), ['Safari', 'iPhone']);
  assert.deepEqual(of('Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36 Edg/124.'), ['Edge', 'Windows']);
  assert.deepEqual(of('Mozilla/5.0 (Android 14; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0'), ['Firefox', 'Android']);
  assert.equal(browserOf('curl/8.5.0'), null);
});

test('an operator sees devices and nothing that was found', { timeout: 60_000 }, async () => {
  await chief.goto(`${house.address}/people.html`);
  const add = chief.locator('form', { has: chief.locator('button', { hasText: /^Add$/ }) });
  await add.locator('[name=name]').fill('Olga');
  await add.locator('[name=role]').selectOption('operator');
  await add.locator('button').click();
  const password = await chief.locator('strong.squares').innerText();
  await picture(chief, 'accounts');
  const operator = await house.device();
  await operator.goto(`${house.address}/login.html`);
  await operator.locator('[name=name]').fill('Olga');
  await operator.locator('[name=password]').fill(password);
  await operator.locator('button').click();
  await operator.waitForSelector('a.card[data-board="b01"]');
  await operator.goto(`${house.address}/#/board/b01`);
  await operator.waitForSelector('.room');
  await picture(operator, 'operator');
  assert.equal(await operator.locator('.need-panel.irregularity').count(), 0);
  assert.deepEqual(operator.complaints, []);

  // Results he proposes.
  const pairings = Buffer.from('table,white,black\n1,Berg,Cole\n2,Dietz,Evers\n').toString('base64');
  const began = await chief.evaluate(async (file) => {
    const ask = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    return [await ask('/api/pairings', { file, round: 1 }), await ask('/api/rounds/1/start', {})].map(({ status }) => status);
  }, pairings);
  assert.deepEqual(began, [200, 200]);
  await operator.goto(`${house.address}/#/round/1`);
  const row = operator.locator('tr[data-table="2"]');
  await give(row, '1-0');
  await row.locator('.res-typed', { hasText: '1–0' }).waitFor();
});

test('who is refused is told why in his language', { timeout: 60_000 }, async () => {
  const stranger = await house.device();
  await stranger.goto(`${house.address}/login.html`);
  await stranger.locator('[name=name]').fill('Ada');
  await stranger.locator('[name=password]').fill('wrong words here');
  for (const [language, words] of [['fr', /^Le nom ou le mot de passe est faux$/i], ['de', /^Der Name oder das Passwort ist falsch$/i]]) {
    await stranger.locator('.language select, select.language, select').first().selectOption(language);
    await stranger.locator('button.strong').click();
    await stranger.locator('.problem', { hasText: words }).waitFor();
  }
  await chief.goto(`${house.address}/people.html`);
  await chief.locator('select[name=language], .language select, header select').first().selectOption('de');
  const add = chief.locator('form', { has: chief.locator('[name=name]') }).last();
  await add.locator('[name=name]').fill('0wner');
  await add.locator('[name=role]').selectOption('operator');
  await add.locator('button.strong').click();
  await chief.locator('.problem', { hasText: /kann für owner gehalten werden/ }).waitFor();
  await chief.locator('header select').first().selectOption('en');
});
