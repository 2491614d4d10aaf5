// A round from its pairings to its report, at the desk.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { House, give, until } from './house.mjs';
import { sound } from './sound.mjs';

const MATE = '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#';
const PLAYERS = ['Berg, Anna', 'Cole, Ben', 'Dietz, Clara', 'Evers, Dan', 'Fuchs, Eva', 'Gross, Finn', 'Hahn, Greta', 'Ihle, Hugo'];
const pgn = (round, pairs) => pairs.map(([white, black], n) =>
  `[Event "Harbour Open"]\n[Round "${round}.${n + 1}"]\n[White "${PLAYERS[white]}"]\n[Black "${PLAYERS[black]}"]\n[Result "*"]\n\n*\n`).join('\n');

let house;
before(async () => {
  house = await House.open(3, 'language = "en"\n');
});
after(() => house.close());

const upload = (page, text) => page.locator('.next-round input[type=file]').setInputFiles({ name: 'round.pgn', mimeType: 'text/plain', buffer: Buffer.from(text) });
const picture = (page, name) => process.env.PICTURES && page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });

test('pairings are looked at first, then drawn; the boards tick the list; the round starts', { timeout: 60_000 }, async () => {
  const page = await house.page('#/round', { width: 1440, height: 900 });
  await upload(page, pgn(1, [[0, 1], [2, 3], [4, 5], [6, 7]]));
  await page.locator('.plan tbody tr').nth(3).waitFor();
  assert.equal((await house.json('/api/event')).rounds.length, 0, 'nothing is written down yet');
  await picture(page, 'desk-plan');
  await page.getByRole('button', { name: 'Use these pairings for round 1' }).click();
  await page.locator('[data-table="4"]').waitFor();
  // Drawn by mistake, it is taken back, and drawn again.
  await page.getByRole('button', { name: 'Take this round back' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Take this round back' }).click();
  await until(async () => (await house.json('/api/event')).rounds.length === 0, 'no round');
  await page.locator('.stages').waitFor({ state: 'detached' });
  // The page may ask for the round once more, before it has heard that there is none.
  page.complaints.splice(0, page.complaints.length, ...page.complaints.filter((said) => !said.includes('404')));
  await upload(page, pgn(1, [[0, 1], [2, 3], [4, 5], [6, 7]]));
  await page.locator('.plan tbody tr').nth(3).waitFor();
  await page.getByRole('button', { name: 'Use these pairings for round 1' }).click();
  await page.locator('[data-table="4"]').waitFor();
  // One board is there, with its pieces; two are not; a table has none.
  await house.play('b02', '1. e4', ['--speed', '0.01']);
  await page.locator('.check .todo', { hasText: 'Boards answer 1 of 3' }).waitFor();
  await page.locator('.check .done', { hasText: 'Pieces stand as they should' }).or(page.locator('.check .todo', { hasText: 'Pieces stand as they should 1 of 3' })).waitFor();
  await page.locator('.check .info', { hasText: 'Table 4 has no board' }).waitFor();
  await sound(page, 'preparation');
  await page.getByRole('button', { name: 'Start round 1' }).click();
  await page.locator('.absent .missing li').first().waitFor();
  await house.play('b01', MATE, ['--speed', '4']);
  await page.getByLabel('Default time in minutes').fill('0');
  await page.getByRole('button', { name: 'Set it' }).click();
  await page.getByText('The default time is over.').waitFor();
  // It is changed as long as somebody is missing.
  await page.getByText('Default time: 0 minutes').click();
  await page.getByLabel('Default time in minutes').fill('90');
  await page.getByRole('button', { name: 'Set it' }).click();
  await page.locator('.countdown').getByRole('timer').waitFor();
  assert.equal((await house.json('/api/event')).details.default_time, 90);
  await page.getByLabel('Default time in minutes').fill('0');
  await page.getByRole('button', { name: 'Set it' }).click();
  await page.getByText('The default time is over.').waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('who is missing loses in one act; undisputed results are confirmed in one act; a change has a reason', { timeout: 60_000 }, async () => {
  const page = await house.page('#/round', { width: 1440, height: 900 });
  const row = (table) => page.locator(`[data-table="${table}"]`);
  await row(1).locator('.res-proposed, .res-confirmed').waitFor({ timeout: 40_000 });
  await page.getByRole('group', { name: 'Table 2', exact: true }).getByRole('button', { name: 'Evers, Dan' }).click();
  await page.getByRole('group', { name: 'Table 3', exact: true }).getByRole('button', { name: 'Fuchs, Eva' }).click();
  // Marks are of these two players: they stay when the page is loaded anew, and are nobody's who sits there in another event.
  await page.reload();
  const enter = page.getByRole('button', { name: 'Enter 2 forfeits' });
  await enter.waitFor();
  const kept = await page.evaluate(() => sessionStorage.getItem('arbiter-missing'));
  await page.evaluate((marks) => sessionStorage.setItem('arbiter-missing', marks.replaceAll('Evers, Dan', 'Evers, Tom')), kept);
  await page.reload();
  await page.getByRole('button', { name: 'Enter 1 forfeit' }).waitFor();
  await page.evaluate((marks) => sessionStorage.setItem('arbiter-missing', marks), kept);
  await page.reload();
  await enter.click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Enter 2 forfeits' }).click();
  await row(3).locator('.res-confirmed', { hasText: '−/+' }).waitFor();
  // Among all boards nobody waits for moves of a table where nobody plays.
  const boards = await house.page('#/', { width: 1440, height: 900 });
  const card = boards.locator('.group-ended [data-board="b02"]');
  await card.getByText('Table 2 · b02').waitFor();
  await card.getByText('+/− · forfeit').waitFor();
  await card.getByText('Dietz, Clara').waitFor();
  await boards.close();
  await give(row(4), 'postpone');
  await page.locator('dialog.ask').getByLabel('Why').fill('the train is late');
  await page.locator('dialog.ask').getByRole('button', { name: 'Postpone the game' }).click();
  await row(4).locator('.res-postponed', { hasText: 'postponed' }).waitFor();
  await page.getByText('Table 4 is postponed: its result comes later.').waitFor();
  assert.deepEqual((await house.json('/api/rounds/1')).postponed, [4]);
  await sound(page, 'a postponed game');
  await give(row(4), 'resume');
  await until(async () => (await house.json('/api/rounds/1')).open.includes(4), 'it is played now');
  // By keyboard each line is passed, and none counts before it is entered.
  await row(4).getByRole('combobox').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await row(4).getByRole('button', { name: 'Enter it' }).waitFor();
  assert.equal(await row(4).getByRole('combobox').inputValue(), '1/2-1/2');
  assert.equal((await house.json('/api/rounds/1')).pairings.find(({ table }) => table === 4).result, null, 'nothing is entered yet');
  await page.keyboard.press('Enter');
  await row(4).locator('.res', { hasText: '½–½' }).waitFor();
  await picture(page, 'desk-round');
  await page.getByRole('button', { name: /undisputed/ }).click();
  await until(async () => (await house.json('/api/rounds/1')).open.length === 0, 'all are confirmed');
  await give(row(4), '1-0');
  await page.locator('dialog.ask').getByLabel('Why').fill('the scoresheet was misread');
  await page.locator('dialog.ask').getByRole('button', { name: 'Change it' }).click();
  await row(4).locator('.res-confirmed', { hasText: '1–0' }).waitFor();
  await sound(page, 'results');
  // No word of the table is broken where there is room for it.
  await page.setViewportSize({ width: 1280, height: 800 });
  const lines = await row(1).locator('td').last().evaluate((cell) => { const range = document.createRange(); range.selectNodeContents(cell); return range.getClientRects().length; });
  assert.equal(lines, 1, 'checkmate is on one line');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the hall shows each table as a shape, in rows as they are typed', { timeout: 60_000 }, async () => {
  const page = await house.page('#/map', { width: 1440, height: 900 });
  await page.getByLabel('Rows of tables').fill('1-2 / 4-3');
  await page.getByRole('button', { name: 'Keep the rows' }).click();
  await page.locator('.map-row').nth(1).waitFor();
  const tables = await page.locator('.map-row').nth(1).locator('.tile').evaluateAll((all) => all.map((one) => [one.dataset.table, one.dataset.mark]));
  assert.deepEqual(tables, [['4', 'done'], ['3', 'done']]);
  assert.match(await page.locator('[data-table="2"] a').getAttribute('aria-label'), /^Table 2, Dietz, Clara – Evers, Dan, done/);
  await page.getByLabel('Rows of tables').fill('front');
  await page.getByRole('alert').waitFor();
  await sound(page, 'hall');
  await picture(page, 'map');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the round is closed and the next one drawn in one act; its report and a game can be printed', { timeout: 60_000 }, async () => {
  const page = await house.page('#/round', { width: 1440, height: 900 });
  const card = page.locator('.next-round');
  // What cannot be used stays at the card, a line for each place.
  await upload(page, 'table,white,black\nx,"Berg, Anna","Cole, Ben"\n2,"Dietz, Clara","Dietz, Clara"\n');
  await card.locator('.problem li').nth(1).waitFor();
  assert.deepEqual(await card.locator('.problem li').evaluateAll((all) => all.map((one) => one.textContent.split(':')[0])), ['Line 2, column 1', 'Line 3, column 3']);
  // It is told in the reader's language, and what can be read and not be done says its line too.
  await card.getByText('Line 2, column 1: “x” is no number').waitFor();
  await page.locator('.bar .language').selectOption('fr');
  await card.getByText(/Ligne 3, colonne 3\s: «\sDietz, Clara\s» est apparié avec lui-même/).waitFor();
  await page.locator('.bar .language').selectOption('de');
  await card.getByText('Zeile 2, Spalte 1: „x“ ist keine Zahl').waitFor();
  await upload(page, pgn(1, [[1, 4], [3, 2]]));
  await card.getByText(/^Zeile \d+, Spalte 1: .*Tisch \d/).waitFor();
  await page.locator('.bar .language').selectOption('en');
  page.complaints.splice(0, page.complaints.length, ...page.complaints.filter((said) => !said.includes('409')));
  page.complaints.splice(0, page.complaints.length, ...page.complaints.filter((said) => !said.includes('422')));
  // Who is new is shown, and what should be looked at is said in the language of who reads it.
  await upload(page, pgn(2, [[1, 2], [3, 0], [5, 6], [7, 4]]).replace('Fuchs, Eva', 'Jung, Ida'));
  await card.getByText('1 new player', { exact: true }).waitFor();
  await card.getByText('It would change: 1 new player and 4 new pairings.').waitFor();
  await card.getByText('9 Jung, Ida').waitFor();
  await card.getByText('Table 4 has no board.').waitFor();
  assert.equal(await card.locator('.problem').count(), 0);
  await page.locator('.bar .language').selectOption('de');
  await card.getByText('Tisch 4 hat kein Brett.').waitFor();
  await page.locator('.bar .language').selectOption('en');
  await upload(page, pgn(2, [[1, 2], [3, 0], [5, 6], [7, 4]]));
  await card.getByText('1 new player', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Close round 1 and draw round 2' }).click();
  const asked = page.locator('dialog.confirm[open]');
  await asked.getByText('A closed round is not opened again').waitFor();
  await asked.getByRole('button', { name: 'Close round 1 and draw round 2' }).click();
  await page.waitForFunction(() => location.hash === '#/round/2');
  const { rounds } = await house.json('/api/event');
  assert.deepEqual(rounds.map(({ stage }) => stage), ['closed', 'drawn']);
  // From a closed round the one at hand is one tap away.
  await page.goto(`${house.address}/#/round/1`);
  await page.getByRole('link', { name: 'The round at hand: 2' }).click();
  await page.waitForFunction(() => location.hash === '#/round/2');
  await page.goto(`${house.address}/#/report/1`);
  await page.locator('.report').getByText('Forfeits').waitFor();
  await page.getByText('Note a penalty').click();
  await page.getByLabel('Penalty').selectOption('warning');
  await page.getByLabel('Why').fill('his telephone rang');
  await page.getByRole('button', { name: 'Note it' }).click();
  await page.locator('.report').getByText('his telephone rang').waitFor();
  await sound(page, 'report');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  const csv = readFileSync(await download.path(), 'utf8');
  assert.match(csv, /^\ufeffRound,Table,White,Black,Result/);
  assert.match(csv, /\r\n1,1,"Berg, Anna","Cole, Ben",1-0,"board, checkmate",1/);
  await picture(page, 'report');
  // Noted for the wrong player, it is taken back.
  await page.locator('.report').getByRole('button', { name: 'Take back' }).click();
  await page.locator('dialog[open]').getByRole('textbox').fill('it was Black');
  await page.locator('dialog[open]').getByRole('button', { name: 'Take back' }).click();
  await page.locator('.report').getByText('his telephone rang').waitFor({ state: 'detached' });
  await page.locator('.report tbody th a').first().click();
  await page.locator('.score li').nth(3).waitFor();
  assert.match(await page.locator('.score').innerText(), /Qxf7#/);
  await sound(page, 'protocol');
  await picture(page, 'protocol');
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('header.bar').isVisible(), false);
  assert.equal(await page.locator('.protocol').isVisible(), true);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the slider moves the pieces as the sensors saw them', { timeout: 60_000 }, async () => {
  const { pairings: [{ game }] } = await house.json('/api/rounds/1');
  const page = await house.page(`#/game/${game}`);
  const slider = page.getByRole('slider');
  await slider.waitFor();
  const lines = (await house.script(game)).filter((line) => ['lift', 'place'].includes(line.event));
  assert.ok(lines.length > 10);
  const pieces = () => page.locator('.replay cg-board piece').count();
  await slider.evaluate((one) => { one.value = 0; one.dispatchEvent(new Event('input', { bubbles: true })); });
  // Wherever the focus is, and with Alt, where the keyboard has brackets there.
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press(']');
  await page.getByText(/^2 \//).waitFor();
  await page.keyboard.press('Alt+[');
  await page.getByText(/^1 \//).waitFor();
  await slider.focus();
  // The first lift: a piece less on the board, and it is said to be in the hand.
  for (let n = 0; n < 6 && await page.getByText('Nothing is lifted.').isVisible(); n += 1) await page.keyboard.press(']');
  await page.getByText(/^Lifted: /).waitFor();
  await until(async () => (await pieces()) === 31, 'a piece is in the hand');
  await page.keyboard.press(']');
  await until(async () => (await pieces()) === 32, 'it stands again');
  assert.deepEqual(page.complaints, []);
});

for (const [width, height] of [[320, 640], [768, 1024], [3840, 2160]]) {
  test(`the desk at ${width} px`, { timeout: 60_000 }, async () => {
    const { pairings: [{ game }] } = await house.json('/api/rounds/1');
    const page = await house.page('#/round/1', { width, height });
    for (const place of ['#/round/1', '#/map', '#/report/1', '#/report', `#/game/${game}`]) {
      await page.goto(`${house.address}/${place}`);
      await page.waitForSelector('.desk .results, .tile, .report, .protocol');
      await sound(page, `${place} at ${width}`);
      const cut = await page.locator('.grid, .table-frame').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className));
      assert.deepEqual(cut, [], `${place} at ${width}: nothing lies beside what is seen`);
      await picture(page, `${place.replace(/\W+/g, '-')}-${width}`);
    }
    await page.close();
  });
}
