// Pages by which people and devices come in stay of use however long they stand open.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const PASSWORD = 'rainy tuesday harbour';

let house;
let chief;
before(async () => {
  house = await House.open(1, 'language = "en"\n', '', true);
  chief = await house.device();
  await chief.goto(house.setupLink);
  await chief.locator('[name=name]').fill('Ada');
  await chief.locator('[name=password]').fill(PASSWORD);
  await chief.locator('button').click();
  await chief.waitForSelector('a.card[data-board="b01"]');
});
after(() => house.close());

test('whoever is asked for the password again is shown where to give it', { timeout: 60_000 }, async () => {
  await chief.goto(`${house.address}/people.html`);
  const add = chief.locator('form', { has: chief.locator('button', { hasText: 'Make a code' }) });
  await add.locator('[name=name]').fill('at the desk');
  await add.locator('[name=role]').selectOption('operator');
  const proof = chief.locator('section', { hasText: 'To change accounts or devices' });
  assert.equal(await proof.count(), 0);
  // As it is ten minutes later.
  const later = async (route) => route.fulfill({ status: 428, json: { error: 'give your password again', why: { kind: 'password-again', with: {} } } });
  const unproved = async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), proved: false } });
  };
  await chief.route('**/api/people/codes', later);
  await chief.route('**/api/people/me', unproved);
  await add.locator('button').click();
  await proof.waitFor();
  await until(() => proof.locator('[name=password]').evaluate((field) => field === document.activeElement), 'the field is ready to be typed in');
  await chief.unroute('**/api/people/codes');
  await chief.unroute('**/api/people/me');
  await chief.keyboard.type(PASSWORD);
  await chief.keyboard.press('Enter');
  await proof.waitFor({ state: 'detached' });
  assert.equal(await add.locator('[name=name]').inputValue(), 'at the desk', 'what was typed is still there');
  await add.locator('button').click();
  await chief.locator('.invited .code').waitFor();
});

/** As it is ten minutes later. */
const lapsed = (page) => page.route('**/api/people/collect', (route) => route.fulfill({ status: 410, json: { error: 'not let in', why: { kind: 'turned-away', with: {} } } }), { times: 1 });

test('a screen whose code has lapsed shows another by itself', { timeout: 60_000 }, async () => {
  const screen = await house.device();
  // The daemon is not there yet, or is asked too often.
  let tries = 0;
  await screen.route('**/api/people/screen', (route) => {
    tries += 1;
    return tries === 1 ? route.abort() : route.continue();
  });
  await screen.goto(`${house.address}/screen.html`);
  const first = await screen.locator('.code').innerText();
  // What passes does not end it.
  await screen.route('**/api/people/collect', (route) => route.fulfill({ status: 503, json: { error: 'not now' } }), { times: 1 });
  await screen.getByText('not now').or(screen.getByText('Not now')).waitFor();
  assert.equal(await screen.locator('.code').innerText(), first);
  await lapsed(screen);
  await until(async () => {
    const [code] = await screen.locator('.code').allInnerTexts();
    return code && code !== first;
  }, 'another code');
  await chief.goto(`${house.address}/people.html`);
  const form = chief.locator('form', { has: chief.locator('[name=code]') });
  await form.locator('[name=code]').fill(await screen.locator('.code').innerText());
  await form.locator('[name=name]').fill('at the door');
  await form.locator('button').click();
  await screen.waitForURL('**/wall.html');
  await screen.close();
});

test('a phone that was not answered in time is asked for the next code, and counts no wrong one', { timeout: 60_000 }, async () => {
  await chief.goto(`${house.address}/people.html`);
  const add = chief.locator('form', { has: chief.locator('button', { hasText: 'Make a code' }) });
  const invite = async (name) => {
    await add.locator('[name=name]').fill(name);
    await add.locator('[name=role]').selectOption('operator');
    const before = await chief.locator('.invited').count() && await chief.locator('.invited .code').innerText();
    await add.locator('button').click();
    return until(async () => {
      const [code] = await chief.locator('.invited .code').allInnerTexts();
      return code && code !== before && code;
    }, 'a code');
  };
  const phone = await house.device();
  await phone.goto(`${house.address}/pair.html#${await invite('phone 1')}`);
  await phone.locator('.door button').click();
  await phone.locator('p.squares').waitFor();
  await lapsed(phone);
  await phone.locator('.problem', { hasText: 'did not answer in time' }).waitFor();
  await phone.locator('[name=code]').fill(await invite('phone 2'));
  await phone.locator('.door button').click();
  await phone.locator('p.squares').waitFor();
  await chief.locator('.asking', { hasText: 'phone 2' }).getByRole('button', { name: 'Let in' }).click();
  await phone.waitForSelector('a.card[data-board="b01"]');
  await phone.close();
});
