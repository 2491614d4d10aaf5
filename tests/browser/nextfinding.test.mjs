// Two findings of one turn: a key that is held, or pressed twice, means the one that it was pressed for; and once one is ruled on, the keyboard is at what comes next.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';

const MOVES = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';
/** So long no key rules on what has taken the place of another finding, and a little more. */
const NEXT_MS = 1_200;

let house;
before(async () => {
  house = await House.open(3, 'language = "en"\n');
  await Promise.all(['b01', 'b02', 'b03'].map((id) => house.play(id, MOVES, ['--breach', 'touch-move-own-piece@7', '--speed', '8', '--seed', '9'])));
  for (const id of ['b01', 'b02', 'b03']) await until(async () => (await house.board(id)).findings.length === 2, 'two findings of one turn', 60_000);
});
after(() => house.close());

// What waits is told a moment after the board has told it.
const incidentAt = (id) => until(async () => (await house.json('/api/incidents'))
  .find(({ board, kind, findings }) => board === id && kind === 'irregularity' && findings.length === 2), 'the incident with both of them');
const ruled = async (id) => (await house.board(id)).findings.filter(({ status }) => status !== 'open').length;
/** What has the keyboard. */
const focused = (page) => page.evaluate(() => {
  const { tagName, className, dataset } = document.activeElement;
  return tagName === 'BODY' ? 'BODY' : dataset.finding ? `finding ${dataset.finding}` : className || tagName;
});

test('a key that is held rules once, and so does one that is pressed twice', { timeout: 60_000 }, async () => {
  const page = await house.page(`#/incident/${(await incidentAt('b01')).id}`);
  await page.locator('.dock .rule').waitFor();
  // Held: the browser says again and again that it is pressed, also long after.
  const end = Date.now() + 2 * NEXT_MS;
  while (Date.now() < end) {
    await page.keyboard.down('d');
    await page.waitForTimeout(60);
  }
  await page.keyboard.up('d');
  assert.equal(await ruled('b01'), 1, 'what is held means one finding');
  await page.close();

  const twice = await house.page(`#/incident/${(await incidentAt('b02')).id}`);
  await twice.locator('.dock .rule').waitFor();
  await twice.keyboard.press('d');
  await twice.locator('.ruled').waitFor();
  await twice.keyboard.press('d');
  await twice.waitForTimeout(300);
  assert.equal(await ruled('b02'), 1, 'nobody has read the other one yet');
  await twice.waitForTimeout(NEXT_MS);
  await twice.keyboard.press('d');
  await until(async () => (await ruled('b02')) === 2, 'the other one, once it was read');
  assert.deepEqual([...page.complaints, ...twice.complaints].filter((text) => !text.includes('404')), []);
  await twice.close();
});

test('after a ruling the keyboard is at what comes next, on the page of the incident', { timeout: 60_000 }, async () => {
  const one = await incidentAt('b03');
  const [, second] = one.findings;
  const page = await house.page(`#/incident/${one.id}`);
  const press = async (name) => {
    await page.locator('.dock .rule').getByRole('button', { name }).focus();
    // The dock holds still for a moment after it has changed.
    await page.waitForTimeout(900);
    await page.keyboard.press('Enter');
  };
  await page.locator('.dock .rule').waitFor();
  await press('Dismiss');
  await until(async () => (await focused(page)) === `finding ${second.id}`, 'the other finding of the turn');
  await sound(page, 'a finding that has the keyboard');
  await press('Dismiss');
  // Nothing is left to be done: the next incident, or where none is, what this page is called.
  await until(async () => /next|H1/.test(await focused(page)), 'the next incident');
  assert.deepEqual(page.complaints.filter((text) => !text.includes('404')), []);
  await page.close();
});

test('after an uphold the keyboard is at what is left to be done, on the page of the board', { timeout: 60_000 }, async () => {
  const one = await incidentAt('b01');
  const open = one.findings.find(({ status }) => status === 'open');
  const page = await house.page('#/board/b01');
  const panel = page.locator(`[data-finding="${open.id}"]`);
  await panel.getByRole('button', { name: 'Uphold' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('dialog.confirm[open]').waitFor();
  await page.keyboard.press('Enter');
  await panel.waitFor({ state: 'detached' });
  await until(async () => (await focused(page)) === 'steps', 'what is to be done has the keyboard');
  await page.close();
});
