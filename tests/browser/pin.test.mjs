// The PIN of a phone that was let in: chosen before anything else.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const PASSWORD = 'rainy tuesday harbour';

let house;
before(async () => {
  house = await House.open(1, '', '', true, 'device-pin = 30\n');
});
after(() => house.close());

async function give(phone, pin) {
  await phone.locator('[name=pin]').fill(pin);
  await phone.locator('.door button').click();
}

test('a phone chooses its PIN before it is shown anything', { timeout: 90_000 }, async () => {
  const chief = await house.device();
  await chief.goto(house.setupLink);
  await chief.locator('[name=name]').fill('Ada');
  await chief.locator('[name=password]').fill(PASSWORD);
  await chief.locator('button').click();
  await chief.waitForSelector('a.card[data-board="b01"]');
  await chief.goto(`${house.address}/people.html`);
  const add = chief.locator('form', { has: chief.locator('button', { hasText: 'Make a code' }) });
  await add.locator('[name=name]').fill('rows 1-10');
  await add.locator('[name=role]').selectOption('sector');
  await add.locator('[name=tables]').fill('1-10');
  await add.locator('button').click();
  const code = await chief.locator('.invited .code').innerText();

  const phone = await house.device({ width: 390, height: 780 });
  await phone.goto(`${house.address}/pair.html`);
  await phone.locator('[name=code]').fill(code);
  await phone.locator('.door button').click();
  await chief.locator('.asking button', { hasText: 'Let in' }).click();
  await phone.waitForURL('**/pin.html');
  await phone.locator('p', { hasText: 'Choose a PIN' }).waitFor();
  await give(phone, '123456');
  await phone.locator('.problem', { hasText: 'among the first to be tried' }).waitFor();
  await give(phone, '204917');
  await phone.waitForSelector('a.card[data-board="b01"]');
  await until(() => phone.locator('.line-live').count(), 'the phone is live');

  // Nobody asks for it now: the page leads on.
  const wanted = await phone.evaluate(async () => {
    const answer = await fetch('/api/people/me');
    return (await answer.json()).pin;
  });
  assert.equal(wanted, null, 'it is not asked again yet');
  await phone.goto(`${house.address}/pin.html`);
  await phone.waitForSelector('a.card[data-board="b01"]');
  assert.deepEqual(phone.complaints.filter((text) => !text.includes('422')), []);
});
