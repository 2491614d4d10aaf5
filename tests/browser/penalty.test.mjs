// Penalties of Article 12.9: chosen at the table, in an incident and in the report, with what both clocks are to show.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';

const PHONE = { width: 390, height: 844 };
const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n2,"Dietz, Clara","Evers, Dan"\n';
const MOVES = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';

let house;
before(async () => {
  house = await House.open(2, 'language = "en"\n');
  await post('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 });
  await post('/api/rounds/1/start', {});
  await Promise.all([house.play('b01', MOVES, ['--speed', '20']), house.play('b02', MOVES, ['--breach', 'illegal-move@7', '--speed', '8', '--seed', '3'])]);
  await until(async () => (await house.board('b01')).ply === 7, 'the moves are played', 60_000);
});
after(() => house.close());

async function post(path, body) {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const picture = (page, name) => process.env.PICTURES && page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
const penalties = async () => (await house.json('/api/event')).penalties;
const seconds = (text) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

test('time is given at the table: what both clocks are to show stands there first, and is written down', { timeout: 60_000 }, async () => {
  await post('/api/boards/b01/orders', { event: 'arbiter', action: 'pause', order: 'stop-1' });
  const page = await house.page('#/board/b01', PHONE);
  await page.getByText('Give a penalty (Article 12.9)').click();
  const form = page.locator('.give-penalty');
  await form.getByLabel('Whom it is about').selectOption({ label: '1 Berg, Anna' });
  assert.deepEqual(await form.getByLabel('Penalty').locator('option').evaluateAll((all) => all.map((one) => one.value)),
    ['warning', 'time', 'offender-time', 'opponent-points', 'points', 'game', 'fine', 'exclusion', 'expulsion']);
  assert.equal(await form.getByLabel('Minutes').count(), 0, 'a warning takes none');
  await form.getByLabel('Penalty').selectOption('time');
  await form.getByLabel('Minutes').fill('2.5');
  const [set, stays] = await form.locator('.sums li').allInnerTexts();
  const [, from, to] = /^Black (0:1\d:\d\d) \+ 2:30 = (0:1\d:\d\d)$/.exec(set);
  assert.equal(seconds(to) - seconds(from), 150);
  assert.match(stays, /^White 0:1\d:\d\d$/);
  await sound(page, 'a penalty at a table');
  await picture(page, 'penalty-table');
  await form.getByLabel('Why').fill('he spoke to his opponent');
  await form.getByRole('button', { name: 'Note it' }).click();
  await page.locator('.set-clocks', { hasText: `and Black to ${to}.` }).waitFor();
  await form.locator('li', { hasText: 'he spoke to his opponent' }).waitFor();
  assert.deepEqual((await penalties()).map(({ player, round, what }) => [player, round, what]), [[1, 1, `more time for the opponent, +2:30 (${set}; ${stays})`]]);
  await page.locator('.set-clocks').getByRole('button', { name: 'Both clocks are set' }).click();
  await page.locator('.set-clocks').waitFor({ state: 'detached' });
  // Nobody takes off what is not there.
  await form.getByLabel('Penalty').selectOption('offender-time');
  await form.getByLabel('Minutes').fill('45');
  await form.getByRole('alert').getByText('White has less time than that.').waitFor();
  assert.equal(await form.getByRole('button', { name: 'Note it' }).isDisabled(), true);
  await form.getByLabel('Minutes').fill('1');
  await form.locator('.sums li', { hasText: /^White 0:1\d:\d\d − 1:00 = 0:1\d:\d\d$/ }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a penalty that is taken back takes with it what the clocks were to show, or is taken off them again', { timeout: 90_000 }, async () => {
  const page = await house.page('#/board/b01', { width: 1280, height: 900 });
  await page.getByText('Give a penalty (Article 12.9)').click();
  const form = page.locator('.give-penalty');
  const sums = page.locator('.set-clocks');
  /** @param {string} reason */
  const give = async (reason) => {
    await form.getByLabel('Penalty').selectOption('time');
    await form.getByLabel('Minutes').fill('2');
    await form.getByLabel('Why').fill(reason);
    await form.getByRole('button', { name: 'Note it' }).click();
    await sums.filter({ hasText: 'Set White to' }).waitFor();
    await form.locator('li', { hasText: reason }).waitFor();
    return (await penalties()).at(-1);
  };
  const noted = await give('he hummed');
  assert.deepEqual(noted.time, { of: 'opponent', seconds: 120 });
  for (const [language, words] of [['de', 'Stellen Sie Weiß auf'], ['fr', 'Réglez les Blancs à'], ['en', 'Set White to']]) {
    await page.locator('.bar .language').selectOption(language);
    await sums.filter({ hasText: words }).waitFor();
  }
  // Taken back there itself, before the clocks are set: nothing is to be set.
  await form.locator('li', { hasText: 'he hummed' }).getByRole('button', { name: 'Take back' }).click();
  const dialog = page.locator('dialog.ask[open]');
  await dialog.getByLabel('Reason').or(dialog.getByRole('textbox')).first().fill('it was his neighbour');
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await sums.waitFor({ state: 'detached' });
  await form.locator('li', { hasText: 'he hummed' }).waitFor({ state: 'detached' });
  // Two of which nobody has set the clocks: what the first would take off the sum of both goes with that.
  for (const one of [await give('he whistled'), await give('he clapped')]) {
    const { player, round, what, at } = one;
    await post('/api/penalties/take-back', { player, round, what, at, reason: 'it was outside' });
    await form.locator('li', { hasText: one.reason }).waitFor({ state: 'detached' });
  }
  await sums.waitFor({ state: 'detached' });
  // Taken back elsewhere, with the clocks set: they go back.
  const { player, round, what, at } = await give('he sang');
  await sums.getByRole('button', { name: 'Both clocks are set' }).click();
  await sums.waitFor({ state: 'detached' });
  await post('/api/penalties/take-back', { player, round, what, at, reason: 'it was the radio' });
  await sums.getByText('Penalty taken back. Correct the clock: Black −2:00.').waitFor();
  await page.reload();
  await sums.getByText('Penalty taken back. Correct the clock: Black −2:00.').waitFor();
  await sums.getByRole('button', { name: 'Both clocks are set' }).click();
  await sums.waitFor({ state: 'detached' });
  await page.evaluate(() => localStorage.removeItem('arbiter-language'));
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the loss of a game enters no result, and says where that is done', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01', PHONE);
  await page.getByText('Give a penalty (Article 12.9)').click();
  const form = page.locator('.give-penalty');
  await form.getByLabel('Penalty').selectOption('game');
  await form.getByText('This enters no result.').waitFor();
  await form.getByLabel('Why').fill('he played on with a telephone');
  await form.getByRole('button', { name: 'Note it' }).click();
  await form.locator('li', { hasText: 'loss of the game. he played on' }).waitFor();
  assert.equal((await house.json('/api/rounds/1')).pairings[0].result, null);
  assert.equal((await house.board('b01')).result, null);
  await form.getByLabel('Penalty').selectOption('game');
  await form.getByRole('link', { name: 'Round 1' }).click();
  await page.locator('.desk .results').waitFor();
  await page.close();
});

test('in an incident it is about whoever is at fault there', { timeout: 90_000 }, async () => {
  const found = await until(async () => (await house.json('/api/incidents')).find(({ board, kind }) => board === 'b02' && kind === 'irregularity'), 'a finding', 60_000);
  const { by } = found.findings[0];
  const page = await house.page(`#/incident/${found.id}`, PHONE);
  await page.getByText('Give a penalty (Article 12.9)').click();
  const form = page.locator('.give-penalty');
  assert.equal(await form.getByLabel('Whom it is about').inputValue(), by === 'white' ? '3' : '4');
  await form.getByLabel('Penalty').selectOption('time');
  await form.locator('.sums li', { hasText: `${by === 'white' ? 'Black' : 'White'} 0:1` }).and(page.locator('.sums li:first-child')).waitFor();
  await form.getByLabel('Why').fill('it was the third time');
  await sound(page, 'a penalty in an incident');
  await picture(page, 'penalty-incident');
  await form.getByRole('button', { name: 'Note it' }).click();
  await page.locator('.set-clocks', { hasText: 'Set White to 0:1' }).waitFor();
  assert.equal((await penalties()).at(-1).player, by === 'white' ? 3 : 4);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('in the report a player’s clock counts where his game is at hand; what was noted in other words stays readable', { timeout: 60_000 }, async () => {
  await post('/api/penalties', { player: 4, round: 1, what: 'a word under four eyes', reason: 'his telephone rang' });
  const page = await house.page('#/report/1', { width: 1280, height: 900 });
  await page.locator('.report li', { hasText: 'a word under four eyes. his telephone rang' }).waitFor();
  await page.getByText('Note a penalty').click();
  const form = page.locator('.penalty-form');
  await form.getByLabel('Whom it is about').selectOption({ label: '2 Cole, Ben' });
  await form.getByLabel('Penalty').selectOption('offender-time');
  await form.locator('.sums li', { hasText: /^Black 0:1\d:\d\d − 2:00 = 0:1\d:\d\d$/ }).waitFor();
  await form.getByLabel('Penalty').selectOption('fine');
  await form.getByLabel('How much').fill('50 euros');
  await form.getByLabel('Why').fill('twice late');
  await picture(page, 'penalty-report');
  await form.getByRole('button', { name: 'Note it' }).click();
  await page.locator('.report li', { hasText: 'fine, announced beforehand, 50 euros. twice late' }).waitFor();
  await sound(page, 'the report with penalties');
  await page.goto(`${house.address}/#/report`);
  await page.locator('.player-file', { hasText: 'Evers, Dan' }).getByText('a word under four eyes').waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

for (const language of ['de', 'fr']) {
  test(`${language} has room on a phone`, { timeout: 60_000 }, async () => {
    const page = await house.device({ width: 320, height: 640 });
    await page.addInitScript((tag) => localStorage.setItem('arbiter-language', tag), language);
    await page.goto(`${house.address}/#/board/b01`);
    await page.locator('.give-penalty summary').click();
    for (const kind of ['time', 'points', 'game']) {
      await page.locator('.give-penalty [name=what]').selectOption(kind);
      await sound(page, `${language} ${kind}`);
      await picture(page, `penalty-${language}-${kind}`);
    }
    assert.deepEqual(page.complaints, []);
    await page.close();
  });
}

test('two penalties that are alike are told apart, in the report and where one is taken back', { timeout: 60_000 }, async () => {
  const note = (reason) => post('/api/penalties', { player: 3, round: 1, what: 'warning', reason });
  await note('his telephone rang');
  await new Promise((done) => setTimeout(done, 1_100));
  await note('his telephone rang');
  const page = await house.page('#/report/1', { width: 1280, height: 900 });
  const lines = page.locator('.report li', { hasText: 'his telephone rang' }).filter({ has: page.getByRole('button', { name: 'Take back' }) });
  await lines.nth(1).waitFor();
  const texts = await lines.allInnerTexts();
  assert.notEqual(texts[0], texts[1]);
  const [time] = /\d\d:\d\d:\d\d/.exec(texts[1]);
  await lines.nth(1).getByRole('button', { name: 'Take back' }).click();
  const dialog = page.locator('dialog.ask[open]');
  await dialog.getByText(`${time}: warning. his telephone rang`).waitFor();
  await sound(page, 'a penalty that is taken back');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.close();
});
