// What was noted by mistake is taken back, each by itself, and the checksum of a report is of what it was made of.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';

const PHONE = { width: 320, height: 640 };
const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n2,"Dietz, Clara","Evers, Dan"\n';
const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 5. exd5 Na5 6. Bb5+ c6';

let house;
before(async () => {
  house = await House.open(2, 'language = "en"\n');
  await post('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 });
  await post('/api/rounds/1/start', {});
});
after(() => house.close());

async function post(path, body) {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

test('of two warnings that read alike the one that is meant is taken back', { timeout: 60_000 }, async () => {
  const player = (await house.json('/api/rounds/1')).pairings[0].white.number;
  for (const reason of ['he talked', 'his telephone rang']) await post('/api/penalties', { player, round: 1, what: 'a warning', reason });
  const page = await house.page('#/report/1');
  const lines = page.locator('.report .plain-list li', { hasText: 'a warning' });
  await lines.nth(1).waitFor();
  await lines.filter({ hasText: 'he talked' }).getByRole('button', { name: 'Take back' }).click();
  const dialog = page.locator('dialog.ask');
  await dialog.getByRole('textbox').fill('it was player 2');
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await lines.filter({ hasText: 'he talked' }).waitFor({ state: 'detached' });
  assert.deepEqual((await house.json('/api/event')).penalties.map(({ reason }) => reason), ['his telephone rang']);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a penalty is told in the words of whoever reads it, and stands in the CSV', { timeout: 60_000 }, async () => {
  const player = (await house.json('/api/rounds/1')).pairings[0].black.number;
  await post('/api/penalties', { player, round: 1, what: 'more time for the opponent, +2:00 (Black 0:41:07 + 2:00 = 0:43:07; White 0:35:10)', reason: 'he spoke' });
  const page = await house.page('#/report/1');
  const line = page.locator('.report .plain-list li', { hasText: 'he spoke' });
  await line.waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  const rows = readFileSync(await file.path(), 'utf8').trim().split('\r\n');
  assert.match(rows[0], /,Penalties \(Article 12\.9\)$/);
  assert.match(rows[1], /\d\d:\d\d:\d\d Cole, Ben: more time for the opponent, \+2:00 \(Black .*he spoke"$/);
  assert.doesNotMatch(rows[2], /he spoke/);
  for (const [language, what] of [['de', 'mehr Zeit für den Gegner, +2:00 (Schwarz 0:41:07 + 2:00 = 0:43:07; Weiß 0:35:10). he spoke'], ['fr', 'temps ajouté pour l’adversaire, +2:00 (Les Noirs 0:41:07 + 2:00 = 0:43:07; Les Blancs 0:35:10). he spoke']]) {
    await page.evaluate((tag) => localStorage.setItem('arbiter-language', tag), language);
    await page.goto(`${house.address}/?${language}#/report/1`);
    await line.waitFor();
    assert.ok((await line.innerText()).includes(what), await line.innerText());
  }
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a tap on the wrong player is taken back: neither his file nor a report has it', { timeout: 60_000 }, async () => {
  const page = await house.page('#/round', PHONE);
  await page.getByText('Somebody leaves').click();
  const panel = page.locator('.breaks');
  await panel.getByRole('button', { name: /Evers, Dan/ }).click();
  await panel.getByRole('button', { name: /Evers, Dan.*out/ }).waitFor();
  await panel.getByRole('button', { name: /Dietz, Clara/ }).click();
  await panel.locator('.count-of', { hasText: '2 players' }).waitFor();
  await panel.getByText('Breaks noted').click();
  const line = panel.locator('details li', { hasText: /Evers, Dan: \d\d:\d\d – out/ });
  await sound(page, 'the breaks that are noted');
  await line.getByRole('button', { name: 'Take back' }).click();
  const dialog = page.locator('dialog.confirm[open]');
  await dialog.getByText('Take back that Evers, Dan left?').waitFor();
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await line.waitFor({ state: 'detached' });
  await page.getByText('Taken back: Evers, Dan was here.').waitFor();
  await panel.locator('.count-of', { hasText: '1 player' }).waitFor();
  const breaks = await house.json('/api/rounds/1/breaks');
  assert.deepEqual(breaks.map(({ player, out }) => [player.name, out]), [['Dietz, Clara', true]]);
  await page.goto(`${house.address}/#/report`);
  await page.locator('.breaks-report tbody tr', { hasText: 'Dietz, Clara' }).waitFor();
  assert.equal(await page.locator('.breaks-report', { hasText: 'Evers, Dan' }).count(), 0);
  assert.equal(await page.locator('.player-file', { hasText: 'Evers, Dan' }).count(), 0);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the checksum of a report is the same in every language', { timeout: 90_000 }, async () => {
  await house.play('b01', MOVES, ['--breach', 'illegal-move@5', '--speed', '10', '--seed', '9']);
  await until(async () => (await house.board('b01')).findings.some(({ code }) => code === 'illegal-move'), 'an illegal move', 40_000);
  await post('/api/boards/b01/orders', { event: 'arbiter', action: 'uphold', id: 1 });
  await until(async () => (await house.board('b01')).ply === 12, 'the game is played', 60_000);
  await ruledAnew();
  // Its simulated board goes with that: nothing changes any more once that is kept.
  await until(async () => (await house.json('/api/faults')).some(({ board, until: end }) => board === 'b01' && end === null), 'the board is gone', 30_000);
  const page = await house.page('#/report');
  const [texts, sums] = [[], []];
  for (const language of ['en', 'de', 'en']) {
    await page.evaluate((tag) => localStorage.setItem('arbiter-language', tag), language);
    await page.goto(`${house.address}/?${language}${sums.length}#/report`);
    await page.locator('.report .foot code').first().waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), language);
    texts.push(await page.locator('.report td', { hasText: '7.5' }).first().innerText());
    sums.push(await page.locator('.report .foot code').first().innerText());
  }
  assert.notEqual(texts[0], texts[1], 'it is told in the reader\'s language');
  assert.deepEqual(sums, [sums[0], sums[0], sums[0]]);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

/** What is upheld, taken back and dismissed is told with its table, and without a player; then it is upheld again. */
async function ruledAnew() {
  const takeBack = async () => post('/api/boards/b01/orders', { event: 'arbiter', action: 'take-back', order: (await house.json('/api/boards'))[0].orders.at(-1).order });
  await takeBack();
  await post('/api/boards/b01/orders', { event: 'arbiter', action: 'dismiss', id: 1 });
  const page = await house.page('#/report/1');
  const row = page.locator('.interventions tbody tr', { hasText: 'taken back' });
  await row.waitFor();
  assert.match(await row.innerText(), /^1\t1\t\d\d:\d\d:\d\d\tIllegal move: upheld taken back/);
  await page.close();
  await takeBack();
  await post('/api/boards/b01/orders', { event: 'arbiter', action: 'uphold', id: 1 });
}

test('what was wrong with a board for seconds is counted in a report, and not listed', { timeout: 60_000 }, async () => {
  const page = await house.page();
  await page.goto(`${house.address}/?modules#/`);
  await page.evaluate(() => localStorage.setItem('arbiter-language', 'en'));
  await page.reload();
  const told = await page.evaluate(async () => {
    const { faultsLine } = await import('/record/faults.mjs');
    const [since, what] = [new Date(2026, 11, 3, 10, 0, 0).getTime(), [{ kind: 'silent', text: 'It is silent.' }]];
    const fault = (seconds, times = 1) => ({ board: 'b01', what, since, until: seconds === null ? null : since + seconds * 1000, times });
    return faultsLine([fault(4), fault(9), fault(61), fault(5, 3), fault(null)]).split(/(?<=\)); /);
  });
  assert.equal(told.length, 4, told.join('; '));
  assert.match(told[0], /2026-12-03, 10:00:00 – 10:01:01\)$/);
  assert.match(told[1], /3 times.* – 10:00:05\)$/);
  assert.match(told[2], /not over\)$/);
  assert.equal(told[3], '2 faults passed within 10 seconds.');
  await page.close();
});

test('what was said is not among what the sensors saw', { timeout: 60_000 }, async () => {
  const page = await house.page();
  await page.goto(`${house.address}/?modules#/`);
  const said = await page.evaluate(async () => {
    const { isSaid } = await import('/record/given.mjs');
    const lines = [{ event: 'lift', square: 'e2' }, { event: 'press', by: 'white' }, { event: 'claim', by: 'black', kind: 'threefold' }, { event: 'arbiter', action: 'resume', order: 'o1' }, { event: 'flag-fall', by: 'white' }, { event: 'flag-fall', by: 'white', order: 'o2' }];
    return lines.map((line) => isSaid({ at: 0, ...line }));
  });
  assert.deepEqual(said, [false, false, true, true, false, true]);
  await page.close();
});
