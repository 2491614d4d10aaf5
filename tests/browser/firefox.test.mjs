// The main views in Firefox, over WebDriver BiDi: what needs the arbiter, a ruling, the round.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { until } from './house.mjs';
import { lively } from './views.mjs';

let house;
let views;
let browser;
before(async () => {
  const executablePath = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
  [{ house, views }, browser] = await Promise.all([lively(), puppeteer.launch({ browser: 'firefox', executablePath })]);
});
after(async () => {
  await browser?.close();
  await house?.close();
});

/** A page on the console; what the browser complains of is kept. */
async function open(hash, size = { width: 1280, height: 800 }) {
  const page = await browser.newPage();
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(error.message));
  await page.setViewport(size);
  await page.goto(`${house.address}/${hash}`);
  return page;
}

test('every view is drawn, at a desk and on a phone', { timeout: 120_000 }, async () => {
  for (const [width, height] of [[1280, 800], [390, 720]]) {
    const page = await open('#/', { width, height });
    for (const [name, hash, drawn] of views) {
      await page.goto(`${house.address}/${hash}`);
      await page.waitForSelector(drawn, { timeout: 15_000 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${name} at ${width}: ${wide} px too wide`);
    }
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});

test('an incident is ruled on by one and seen by the other; the ruling is taken back', { timeout: 60_000 }, async () => {
  const [page, other] = [await open('#/inbox'), await open('#/inbox')];
  const ruled = async () => (await house.json('/api/incidents')).some(({ rulings }) => rulings.length > 0);
  // A tab in the background is drawn late.
  await page.bringToFront();
  const click = async (selector, text = '') => {
    const found = await until(async () => {
      for (const one of await page.$$(selector)) if ((await one.evaluate((element) => element.textContent)).includes(text)) return one;
      return null;
    }, `${selector} ${text}`);
    await found.click();
  };
  await click('.incident a', 'Illegal move');
  await click('.dock .rule button', 'Uphold');
  // Before the first order of a device its name is asked.
  const name = await page.waitForSelector('dialog.ask input');
  await name.type('Eva');
  await page.keyboard.press('Enter');
  await until(ruled, 'the ruling');
  await page.waitForSelector('.steps');
  await other.bringToFront();
  await other.waitForSelector('.incident.state-ruled');
  await page.bringToFront();
  await click('.ruled button', 'Take back');
  await click('dialog.confirm[open] button', 'Take back');
  await until(async () => !(await ruled()), 'it is taken back');
  await other.bringToFront();
  await other.waitForSelector('.incident.state-undone, .incident.state-seen, .incident.state-new');
  assert.deepEqual([...page.complaints, ...other.complaints], []);
});

test('a board is shown from either side, by a key', { timeout: 60_000 }, async () => {
  const page = await open('#/board/b01');
  await page.waitForSelector('.room cg-board piece');
  const before = await page.$$eval('.position cg-board piece', (all) => all.length);
  assert.ok(before >= 20, `${before} pieces`);
  await page.keyboard.press('f');
  await page.waitForSelector('.position .orientation-black');
  assert.deepEqual(page.complaints, []);
});
