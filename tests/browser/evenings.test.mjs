// A whole round from the file with its pairings to its report: once by keyboard alone, once on a phone with a thumb.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { House, until } from './house.mjs';
import * as hands from './keyboard.mjs';

const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n2,"Dupont, Émile","Ek, Freja"\n3,"Fox, Ida","Gray, Sam"\n';
const MATE = '1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#';
const houses = [];
after(() => Promise.all(houses.map((house) => house.close())));

/** Whoever has no pointer. */
const keyboard = {
  ...hands,
  size: { viewport: { width: 1280, height: 800 } },
  inbox: (page) => page.keyboard.press('2'),
  async open(page) {
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
  },
  uphold: (page) => page.keyboard.press('u'),
  round: (page) => page.keyboard.press('4'),
};

/** A thumb on a small screen. */
const thumb = {
  size: { viewport: { width: 390, height: 720 }, hasTouch: true, isMobile: true },
  async use(page, target) {
    await target.tap();
  },
  async choose(page, target, text) {
    await target.tap();
    await target.selectOption({ label: text });
  },
  inbox: (page) => page.locator('header').getByRole('link', { name: /^Inbox/ }).tap(),
  open: (page) => page.locator('.incident a').first().tap(),
  uphold: (page) => page.locator('.dock').getByRole('button', { name: 'Uphold' }).tap(),
  round: (page) => page.locator('header').getByRole('link', { name: /^Round/ }).tap(),
};

for (const [name, by] of [['by keyboard', keyboard], ['on a phone', thumb]]) {
  test(`a whole round ${name}`, { timeout: 120_000 }, async () => {
    const house = await House.open(2, 'language = "en"\n');
    houses.push(house);
    const page = await house.device(by.size);
    await page.goto(`${house.address}/#/`);
    await by.round(page);
    const file = page.locator('.next-round input[type=file]');
    const chooser = page.waitForEvent('filechooser');
    await by.use(page, file);
    await (await chooser).setFiles({ name: 'round1.csv', mimeType: 'text/csv', buffer: Buffer.from(PAIRINGS) });
    await page.locator('.plan tbody tr').nth(2).waitFor();
    await by.use(page, page.getByRole('button', { name: 'Use these pairings for round 1' }));
    await by.use(page, page.getByRole('button', { name: 'Start round 1' }));
    await until(async () => (await house.json('/api/rounds/1')).stage === 'under-way', 'the round is under way');

    await house.play('b01', MATE, ['--breach', 'illegal-move@5', '--speed', '3', '--seed', '3']);
    await house.play('b02', MATE, ['--speed', '6']);
    await by.inbox(page);
    await page.locator('.incident', { hasText: 'Illegal move' }).waitFor({ timeout: 60_000 });
    await by.open(page);
    await page.locator('.dock .rule').waitFor();
    await by.uphold(page);
    await page.locator('.steps').waitFor();
    await by.use(page, page.locator('.steps input[type=checkbox]').or(page.locator('.steps').getByRole('button', { name: /clock/i })).first());

    await by.round(page);
    const row = (table) => page.locator(`[data-table="${table}"]`);
    for (const table of [1, 2]) await row(table).locator('.res-proposed').waitFor({ timeout: 60_000 });
    await by.choose(page, row(3).getByRole('combobox'), '½–½');
    await by.use(page, row(3).getByRole('button', { name: 'Enter it' }));
    await row(3).locator('.res', { hasText: '½–½' }).waitFor();
    await by.use(page, page.getByRole('button', { name: /undisputed/ }));
    await until(async () => (await house.json('/api/rounds/1')).open.length === 0, 'all results are confirmed');
    await by.use(page, page.getByRole('button', { name: 'Close round 1' }));
    await until(async () => (await house.json('/api/rounds/1')).stage === 'closed', 'the round is closed');
    await by.use(page, page.locator('.desk-head').getByRole('link', { name: 'Report' }));
    await page.locator('.report').getByText('Illegal move').first().waitFor();
    const results = (await house.json('/api/rounds/1')).pairings.map(({ result }) => result);
    assert.deepEqual(results, ['1-0', '1-0', '½-½']);
    assert.deepEqual(page.complaints, []);
  });
}
