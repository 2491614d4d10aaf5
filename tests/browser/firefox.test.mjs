// The main views in Firefox, over WebDriver BiDi: what needs the arbiter, a ruling, the round, a claim, a position that is set up.
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

/** Clicks the first that has this text. */
async function click(page, selector, text = '') {
  const found = await until(async () => {
    for (const one of await page.$$(selector)) if ((await one.evaluate((element) => element.textContent)).includes(text)) return one;
    return null;
  }, `${selector} ${text}`);
  await found.click();
}

/** Before the first order of a device its name is asked. */
async function name(page) {
  const asked = await page.waitForSelector('dialog.ask input');
  await asked.type('Eva');
  await page.keyboard.press('Enter');
}

const text = (page, selector) => page.$eval(selector, (element) => element.textContent).catch(() => '');

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
  await click(page, '.incident a', 'Illegal move');
  await click(page, '.dock .rule button', 'Uphold');
  await name(page);
  await until(ruled, 'the ruling');
  await page.waitForSelector('.steps');
  await other.bringToFront();
  await other.waitForSelector('.incident.state-ruled');
  await page.bringToFront();
  await click(page, '.ruled button', 'Take back');
  await click(page, 'dialog.confirm[open] button', 'Take back');
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

test('what nobody disputes in a round is confirmed in one act', { timeout: 60_000 }, async () => {
  const page = await open('#/round/1');
  await page.waitForSelector('[data-table="2"] .res-proposed');
  await click(page, '.results button, .desk button', 'undisputed');
  const pairing = async () => (await house.json('/api/rounds/1')).pairings.find(({ table }) => table === 2);
  await until(async () => (await pairing()).confirmed, 'it is confirmed');
  await page.waitForSelector('[data-table="2"] .res-confirmed');
  assert.match(await text(page, '[data-table="2"] td:last-child'), /Eva|board|checkmate/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a claim is judged before it is entered', { timeout: 60_000 }, async () => {
  const page = await open('#/board/b01', { width: 1280, height: 1000 });
  await click(page, '.claims summary');
  await until(async () => (await text(page, '.claims .verdict')).includes('The claim is wrong'), 'the verdict');
  await click(page, '.claims button', 'Enter the claim');
  await until(async () => (await house.board('b01')).findings.some(({ code }) => code === 'incorrect-draw-claim'), 'it is entered');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a position is set up by dragging, checked, and ordered', { timeout: 60_000 }, async () => {
  const page = await open('#/board/b01', { width: 1440, height: 1000 });
  await click(page, '.set-position summary');
  const board = await page.waitForSelector('.set-position .move-board cg-board');
  await board.evaluate((one) => one.scrollIntoView({ block: 'center' }));
  const { x, y, width } = await board.boundingBox();
  const middle = (file, rank) => [x + (width * (file + 0.5)) / 8, y + (width * (8 - rank + 0.5)) / 8];
  await page.mouse.move(...middle(4, 1));
  await page.mouse.down();
  await page.mouse.move(5, 5, { steps: 4 });
  await page.mouse.up();
  await until(async () => (await text(page, '.set-position .problem')).includes('White has no king.'), 'the king is off the board');
  await click(page, '.set-position button', 'As recorded');
  await until(async () => (await page.$$('.set-position .problem')).length === 0, 'nothing is wrong with it');
  await click(page, '.set-position button', 'Starting position');
  await click(page, '.set-position button', 'Order this position');
  await until(async () => (await text(page, 'dialog.confirm[open]')).includes('leave the record'), 'what leaves the record is said');
  await click(page, 'dialog.confirm[open] button', 'Order it');
  await until(async () => /^rnbqkbnr\/pppppppp\/8\/8\/8\/8\/PPPPPPPP\/RNBQKBNR/.test((await house.board('b01')).restore ?? ''), 'it is ordered');
  assert.deepEqual(page.complaints, []);
  await page.close();
});
