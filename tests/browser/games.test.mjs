// The list of games: on narrow pages nothing of it is off the page, whatever players are called; and it follows what begins and ends.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const PAIRS = [['Hohenstetten-Brückl, Maximilian von', 'Wolfeschlegelsteinhausenbergerdorff, Hubert'], ['Łęcka-Borowy, Agnieszka', 'Đặng, Vũ Anh'], ['Ek, Freja', 'Önnudóttir, Þórdís']];
const PGN = PAIRS.map(([white, black], n) => `[Event "Harbour Open"]\n[Round "1.${n + 1}"]\n[White "${white}"]\n[Black "${black}"]\n[Result "*"]\n\n*\n`).join('\n');
/** What cannot be seen, or only by scrolling sideways. */
const offPage = () => [...document.querySelectorAll('.table-frame, .games :is(th, td, a)')]
  .filter((one) => one.checkVisibility() && (one.getBoundingClientRect().right > innerWidth || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline'))
  .map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`);

/** What does not stand under its head. */
const columns = () => [...document.querySelectorAll('.games tbody td')].filter((one) => Math.abs(one.getBoundingClientRect().left - document.querySelectorAll('.games th')[one.cellIndex].getBoundingClientRect().left) > 1).map(({ textContent }) => textContent);

let house;
const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
before(async () => {
  house = await House.open(3, 'language = "en"\n');
  await post('/api/pairings', { file: Buffer.from(PGN).toString('base64') });
  await post('/api/rounds/1/start', {});
  await Promise.all(['b01', 'b02', 'b03'].map((id) => house.play(id, '1. e4 e5 2. Nf3', ['--speed', '20'])));
  await until(async () => (await house.json('/api/games')).filter(({ plies }) => plies > 0).length === 3, 'three games are played', 60_000);
  await post('/api/rounds/1/results', { results: { 1: '1/2-1/2', 2: '1-0' }, decided: true });
  await post('/api/boards/b03/orders', { event: 'arbiter', action: 'annul' });
});
after(() => house.close());

for (const [width, height] of [[1024, 768], [768, 1024], [320, 640]]) {
  test(`every column is on a page ${width} wide, in every language`, { timeout: 60_000 }, async () => {
    const page = await house.page('#/games', { width, height });
    await page.locator('.games tbody tr').nth(2).waitFor();
    for (const [language, annulled] of [['en', 'annulled by the arbiter'], ['fr', 'annulée par l’arbitre'], ['de', 'vom Schiedsrichter annulliert']]) {
      await page.evaluate((tag) => localStorage.setItem('arbiter-language', tag), language);
      await page.reload();
      await page.locator('.games .of-result', { hasText: annulled }).waitFor();
      await page.locator('.games .of-result', { hasText: '½–½' }).waitFor();
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/games-${width}-${language}.png`, fullPage: true });
      assert.deepEqual(await page.evaluate(offPage), [], language);
      if (width > 620) assert.deepEqual(await page.evaluate(columns), [], language);
      // Where it scrolls sideways the keyboard can do that too.
      assert.equal(await page.getByRole('group', { name: { en: 'Games', fr: 'Parties', de: 'Partien' }[language] }).getAttribute('tabindex'), '0');
      assert.equal(await page.locator('.games .of-result').first().isVisible(), true);
      assert.equal(await page.locator('.games .of-files').first().isVisible(), true);
    }
    assert.deepEqual(page.complaints, []);
    await page.close();
  });
}

test('what ends and begins while the list is looked at stands there without loading it again', { timeout: 60_000 }, async () => {
  const begin = (white) => post('/api/boards/b03/orders', { event: 'new-game', white, black: 'Ito, Ken' });
  // At a table of the round another game is begun only once its own is over.
  await post('/api/rounds/1/results', { results: { 3: '1-0' }, decided: true, reason: 'the sheet says so' });
  const page = await house.page('#/games', { width: 1024, height: 300 });
  const row = (white) => page.locator('.games tbody tr', { hasText: white });
  await row('Ek, Freja').waitFor();
  // Somebody reads the end of the list, and the keyboard is there.
  const link = row('Ek, Freja').locator('.of-id a');
  await link.focus();
  await page.evaluate(() => { window.scrollTo(0, 60); window.kept = document.activeElement; });
  await begin('Abe, Rin');
  await row('Abe, Rin').locator('.of-result', { hasText: 'in play' }).waitFor();
  await post('/api/boards/b03/orders', { event: 'arbiter', action: 'result', result: '1-0' });
  await row('Abe, Rin').locator('.of-result', { hasText: '1–0' }).waitFor();
  await begin('Cho, Min');
  await row('Cho, Min').locator('.of-result', { hasText: 'in play' }).waitFor();
  // Of one that is over its table says something else.
  await post('/api/rounds/1/results', { results: { 2: '0-1' }, decided: true, reason: 'the sheet says so' });
  await row('Łęcka-Borowy').locator('.of-result', { hasText: '0–1' }).waitFor();
  assert.match(await row('Abe, Rin').locator('.of-result').innerText(), /1–0/);
  assert.deepEqual(await page.evaluate(() => [window.kept === document.activeElement && window.kept.isConnected, Math.round(scrollY)]), [true, 60]);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a pair that the configuration names at several boards is no game of each of them', { timeout: 60_000 }, async () => {
  const idle = await House.open(3, 'language = "en"\n');
  try {
    await Promise.all(['b01', 'b03'].map((id) => idle.play(id, '1. e4', ['--speed', '0.01'])));
    await until(async () => (await idle.json('/api/games')).length === 2, 'each board has a game that nobody has begun');
    await idle.play('b02', '1. e4 e5', ['--speed', '20']);
    await until(async () => (await idle.board('b02')).ply === 2, 'one is played', 60_000);
    const page = await idle.page('#/games');
    await page.locator('.games tbody tr', { hasText: 'b02' }).waitFor();
    assert.equal(await page.locator('.games tbody tr', { hasText: 'Anna Berg' }).count(), 1);
    assert.deepEqual(page.complaints, []);
  } finally {
    await idle.close();
  }
});
