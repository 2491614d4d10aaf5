// What happens on the floor of the hall: how its tables stand, notes with photos, who leaves.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';

const PHONE = { width: 320, height: 640 };
const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n2,"Dietz, Clara","Evers, Dan"\n3,"Fuchs, Eva","Gross, Finn"\n';

let house;
before(async () => {
  // The section after the event's.
  house = await House.open(2, 'language = "en"\n[incidents]\nunseen-standard = 45\n');
  await post('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 });
  await post('/api/rounds/1/start', {});
  await house.play('b01', '1. e4 e5 2. Nf3 Nc6', ['--speed', '20']);
  await until(async () => (await house.board('b01')).ply === 4, 'the game is played', 60_000);
});
after(() => house.close());

async function post(path, body) {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const picture = (page, name) => process.env.PICTURES && page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });

/** A grey PNG of so many pixels a side, with noise in it, so that it is long. */
function png(side) {
  const crcs = Array.from({ length: 256 }, (_, n) => Array.from({ length: 8 }).reduce((c) => (c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1), n));
  const crc = (bytes) => (bytes.reduce((c, byte) => crcs[(c ^ byte) & 255] ^ (c >>> 8), -1) ^ -1) >>> 0;
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = 8;
  let seed = 1;
  const rows = Buffer.from(Array.from({ length: side * (side + 1) }, (_, n) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return n % (side + 1) === 0 ? 0 : 200 + (seed >> 16) % 50;
  }));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

test('rows that one browser had kept become the hall’s; what is typed then, every device sees', { timeout: 60_000 }, async () => {
  const old = await house.device(PHONE);
  await old.goto(`${house.address}/offline.html`);
  await old.evaluate(() => localStorage.setItem('arbiter-hall', '3 / 2-1'));
  await old.goto(`${house.address}/#/map`);
  await until(async () => (await house.json('/api/event')).layout === '3 / 2-1', 'the store has it');
  await until(() => old.evaluate(() => localStorage.getItem('arbiter-hall') === null), 'the browser has it no more');
  const other = await house.page('#/map');
  const rows = (page) => page.locator('.map-row').evaluateAll((all) => all.map((row) => [...row.querySelectorAll('.tile')].map((tile) => tile.dataset.table).join(' ')));
  await until(async () => (await rows(other)).join('/') === '3/2 1', 'the other sees it');
  await old.getByLabel('Rows of tables').fill('front');
  await old.getByRole('alert').waitFor();
  assert.equal(await old.getByRole('button', { name: 'Keep the rows' }).isDisabled(), true);
  await old.getByLabel('Rows of tables').fill('1-2 / 3');
  await old.keyboard.press('Enter');
  await until(async () => (await rows(other)).join('/') === '1 2/3', 'the other follows');
  await sound(old, 'the hall on a phone');
  await picture(old, 'floor-map-320');
  // One that has rows of its own is not asked any more.
  await other.evaluate(() => localStorage.setItem('arbiter-hall', '9'));
  await other.reload();
  await until(() => other.evaluate(() => localStorage.getItem('arbiter-hall') === null), 'it is forgotten');
  assert.equal((await house.json('/api/event')).layout, '1-2 / 3');
  assert.deepEqual([...old.complaints, ...other.complaints], []);
  await old.close();
  await other.close();
});

test('a note with a photo stands at the table, in the protocol and in the report', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01', PHONE);
  await page.getByText('Note something').click();
  await page.getByLabel('What is noted').fill('Black’s sheet cannot be read\nfrom move 12 on');
  await page.getByLabel('Photo of a scoresheet').setInputFiles({ name: 'sheet.png', mimeType: 'image/png', buffer: png(1200) });
  await page.getByRole('button', { name: 'Note it' }).click();
  await page.locator('.note-list .note-text', { hasText: 'cannot be read' }).waitFor();
  const image = page.locator('.note-list img');
  await image.scrollIntoViewIfNeeded();
  await until(() => image.evaluate((one) => one.naturalWidth === 1200), 'the photo is shown');
  const kept = await fetch(`${house.address}/api/notes/1/photo`);
  assert.equal(kept.headers.get('content-type'), 'image/jpeg', 'made smaller, without what the camera said');
  assert.ok((await kept.arrayBuffer()).byteLength <= 360 * 1024);
  await sound(page, 'a table with a note');
  await picture(page, 'floor-note-320');
  await page.getByLabel('Photo of a scoresheet').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await page.getByRole('button', { name: 'Note it' }).click();
  await page.getByText('That file is no picture that can be kept.').waitFor();
  assert.equal((await house.json('/api/notes')).length, 1);
  const { game } = await house.board('b01');
  await page.goto(`${house.address}/#/game/${game}`);
  await page.locator('.protocol .note-text', { hasText: 'cannot be read' }).waitFor();
  await page.goto(`${house.address}/#/report/1`);
  await page.locator('.report .note-list', { hasText: 'Table 1, Berg, Anna – Cole, Ben' }).waitFor();
  // The second board was never on the line: it is nobody's fault, and stands in the report.
  const fault = page.locator('.faults-report tbody tr', { hasText: 'b02' });
  await fault.getByText('not over').waitFor();
  assert.equal(await fault.locator('th').textContent(), '2');
  await page.getByText('Note something of a player').click();
  await page.getByRole('combobox', { name: 'Whom it is about' }).last().selectOption({ label: '5 Fuchs, Eva' });
  await page.getByLabel('What is noted').fill('asked twice for water');
  await page.getByRole('button', { name: 'Note it' }).last().click();
  await page.locator('.report .note-list', { hasText: 'asked twice for water' }).waitFor();
  await page.goto(`${house.address}/#/report`);
  await page.locator('.player-file', { hasText: 'Fuchs, Eva' }).getByText('asked twice for water').waitFor();
  const seal = await house.json('/api/event/seal');
  await page.locator('.foot', { hasText: `the ${seal.acts} acts in the store` }).getByText(seal.sum).waitFor();
  await sound(page, 'the report of the event');
  await picture(page, 'floor-report-320');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('one tap when a player leaves, one when he is back; who had the move is marked', { timeout: 60_000 }, async () => {
  const phone = await house.page('#/board/b01', PHONE);
  const desk = await house.page('#/round', { width: 1440, height: 900 });
  const white = phone.locator('.breaks').getByRole('button', { name: /Berg, Anna/ });
  await white.focus();
  await phone.keyboard.press('Enter');
  await phone.locator('.breaks button[aria-pressed="true"]', { hasText: 'left having the move' }).waitFor();
  const out = desk.locator('.breaks > .out');
  await out.getByRole('button', { name: /Berg, Anna.*out/ }).waitFor();
  await desk.locator('.breaks .count-of', { hasText: '1 player' }).waitFor();
  await sound(phone, 'a table whose player is out');
  await picture(phone, 'floor-breaks-320');
  await picture(desk, 'floor-desk');
  await desk.getByText('Somebody leaves').click();
  await desk.locator('.breaks').getByRole('button', { name: /Evers, Dan/ }).click();
  await out.getByRole('button', { name: /Evers, Dan.*out/ }).waitFor();
  await sound(desk, 'the list of who is out');
  await desk.setViewportSize(PHONE);
  await sound(desk, 'the list on a phone');
  await picture(desk, 'floor-desk-320');
  await out.getByRole('button', { name: /Berg, Anna/ }).click();
  await phone.locator('.breaks button[aria-pressed="false"]', { hasText: '1 break' }).waitFor();
  const breaks = await house.json('/api/rounds/1/breaks');
  assert.deepEqual(breaks.map(({ player, out: is, having_move: had }) => [player.name, is, had]), [['Berg, Anna', false, 1], ['Evers, Dan', true, 0]]);
  await phone.goto(`${house.address}/#/report/1`);
  const row = phone.locator('.breaks-report tbody tr');
  await row.first().waitFor();
  assert.match((await row.first().innerText()).replaceAll(/\s+/g, ' '), /1 Berg, Anna 1 0:\d\d 1/);
  await sound(phone, 'the report with breaks');
  await picture(phone, 'floor-breaks-report-320');
  assert.deepEqual([...phone.complaints, ...desk.complaints], []);
  await phone.close();
  await desk.close();
});

test('a fire alarm stops what is played, says what that was, and lets it go on', { timeout: 60_000 }, async () => {
  const phone = await house.page('#/map', PHONE);
  const other = await house.page('#/map');
  await phone.getByRole('button', { name: 'Pause all' }).click();
  await phone.locator('dialog.confirm').getByRole('button', { name: 'Pause all' }).click();
  await other.locator('.halted', { hasText: 'stopped at table 1' }).waitFor();
  await until(async () => (await house.board('b01')).state === 'paused', 'it is stopped');
  await phone.locator('button:disabled', { hasText: 'Pause all' }).waitFor();
  await sound(phone, 'the hall after the alarm');
  await picture(phone, 'floor-halt-320');
  await other.getByRole('button', { name: 'Resume all' }).click();
  await other.locator('dialog.confirm', { hasText: 'What was stopped together: 1.' }).getByRole('button', { name: 'Resume all' }).click();
  await phone.locator('.halted').waitFor({ state: 'detached' });
  await until(async () => (await house.board('b01')).state !== 'paused', 'it goes on');
  await phone.goto(`${house.address}/#/report/1`);
  await phone.locator('.report li', { hasText: 'went on at table 1' }).waitFor();
  await sound(phone, 'the report after the alarm');
  assert.deepEqual([...phone.complaints, ...other.complaints], []);
  await phone.close();
  await other.close();
});

test('both players are given time, and what the clocks are to show then stands there', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01', PHONE);
  await page.getByText('Give both players time').click();
  await page.getByLabel('Minutes each').fill('2.5');
  await page.locator('.give-time').getByLabel('Why').fill('the light went out');
  await page.locator('.give-time').getByRole('button', { name: 'Give it' }).click();
  await page.locator('.give-time li', { hasText: '2.5 minutes each. the light went out' }).waitFor();
  // What the clocks are to show stays there until somebody says that they do.
  await page.locator('.set-clocks').getByText(/Set White to 17:\d\d and Black to 17:\d\d\./).waitFor();
  await page.locator('.set-clocks').getByRole('button', { name: 'Both clocks are set' }).click();
  await page.locator('.set-clocks').waitFor({ state: 'detached' });
  await sound(page, 'a table that was given time');
  await picture(page, 'floor-time-320');
  assert.equal((await house.json('/api/event')).times[0].seconds, 150);
  await page.goto(`${house.address}/#/report/1`);
  await page.locator('.report li', { hasText: 'Round 1, Table 1' }).getByText('the light went out').waitFor();
  await sound(page, 'the report with times');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a shift is handed over with what its arbiter goes to; the inbox says when the chief is told once more', { timeout: 60_000 }, async () => {
  const page = await house.page('#/inbox', PHONE);
  await page.getByLabel('Your name, for the other arbiters').fill('Ada');
  await until(async () => (await house.json('/api/incidents')).some(({ table }) => table === 2), 'a fault');
  const { id } = (await house.json('/api/incidents')).find(({ table }) => table === 2);
  await post(`/api/incidents/${encodeURIComponent(id)}/going`, { author: 'Ada' });
  await page.getByText('Hand over the shift').click();
  await page.locator('.handover', { hasText: 'You are on the way to 1' }).locator('li', { hasText: 'Table 2' }).first().waitFor();
  await sound(page, 'the inbox with a shift to hand over');
  await page.getByLabel('To whom').fill('Ben');
  await picture(page, 'floor-handover-320');
  await page.keyboard.press('Enter');
  await page.getByText('Ben goes to 1 now.').waitFor();
  assert.equal((await house.json('/api/incidents')).find((one) => one.id === id).going.who, 'Ben');
  await page.getByText('told you once more after 45 s, in rapid play 60 s, in blitz 20 s').waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

/** A device of an arbiter who has said who he is. */
async function arbiter(name, hash, size) {
  const page = await house.device({ ...size, fresh: true });
  await page.addInitScript((own) => localStorage.setItem('arbiter-name', own), name);
  await page.goto(`${house.address}/#/${hash}`);
  return page;
}

test('an arbiter marks the games that he observes: every other sees it, and it stands in the records until the game ends', { timeout: 90_000 }, async () => {
  const phone = await arbiter('Ada', 'board/b01', PHONE);
  const other = await arbiter('Ben', 'map', { width: 1440, height: 900 });
  const tap = phone.getByRole('button', { name: /^I am observing this game/ });
  await tap.focus();
  await phone.keyboard.press('Enter');
  await phone.locator('.observing button[aria-pressed="true"]', { hasText: /since \d\d:\d\d/ }).waitFor();
  const tile = (table) => other.locator(`.tile[data-table="${table}"]`);
  await other.getByRole('link', { name: /^Table 1, .*observed by Ada since \d\d:\d\d$/ }).waitFor();
  await tile(1).locator('.icon-eye').waitFor();
  await other.locator('.legend', { hasText: 'observed by an arbiter 1' }).waitFor();
  await sound(phone, 'a table that is observed');
  await sound(other, 'the hall with a table that is observed');
  await picture(phone, 'floor-observed-320');
  await picture(other, 'floor-observed-map');
  // Tables without a board, and those whose board is not there, are observed from the round's page.
  await phone.goto(`${house.address}/#/round`);
  await phone.getByText('Observe another table').click();
  for (const table of [2, 3]) await phone.getByRole('button', { name: `I am observing table ${table}` }).click();
  await tile(3).locator('.icon-eye').waitFor();
  await phone.locator('.observing .count-of', { hasText: '3 tables' }).waitFor();
  await phone.locator('.results tr[data-table="3"] .observed').waitFor();
  await sound(phone, 'the round with tables that are observed');
  await picture(phone, 'floor-observed-round-320');
  await phone.goto(`${house.address}/#/inbox`);
  const row = phone.locator('.incident', { has: phone.locator('.table-number', { hasText: '2' }) });
  await row.locator('.observed', { hasText: 'observed by Ada since' }).waitFor();
  await sound(phone, 'the inbox with a table that is observed');
  await picture(phone, 'floor-observed-inbox-320');
  await row.getByRole('link').click();
  await phone.locator('.incident-head .observed', { hasText: 'observed by Ada since' }).waitFor();
  await sound(phone, 'an incident of a table that is observed');
  await picture(phone, 'floor-observed-incident-320');
  // Two arbiters; one of them leaves while he has no line.
  await other.goto(`${house.address}/#/board/b01`);
  await other.locator('.observing', { hasText: 'observed by Ada since' }).waitFor();
  await other.getByRole('button', { name: /^I am observing this game/ }).click();
  await other.locator('.observing button[aria-pressed="true"]').waitFor();
  await other.context().setOffline(true);
  await other.getByRole('button', { name: /^I am observing this game/ }).click();
  await other.locator('.waiting', { hasText: 'You are no longer observing table 1' }).waitFor();
  await other.context().setOffline(false);
  await other.locator('.observing button[aria-pressed="false"]').waitFor();
  await post('/api/rounds/1/results', { results: { 3: '1-0' } });
  await other.goto(`${house.address}/#/map`);
  await tile(1).locator('.icon-eye').waitFor();
  await until(async () => (await tile(3).locator('.icon-eye').count()) === 0, 'its game has ended');
  const observed = await house.json('/api/event/observed');
  assert.deepEqual(observed.map(({ table, by, until: end, by_itself: with_game }) => [table, by, end !== null, with_game]),
    [[1, 'Ada', false, false], [2, 'Ada', false, false], [3, 'Ada', true, true], [1, 'Ben', true, false]]);
  const { game } = await house.board('b01');
  await phone.goto(`${house.address}/#/game/${game}`);
  await phone.locator('.observed-record li', { hasText: /^Ada, \d\d:\d\d – not over$/ }).waitFor();
  await phone.locator('.observed-record li', { hasText: /^Ben, \d\d:\d\d – \d\d:\d\d$/ }).waitFor();
  await phone.goto(`${house.address}/#/report/1`);
  await phone.locator('.observed-report tr', { hasText: /^3Ada\d\d:\d\d – \d\d:\d\d with the game$/ }).waitFor();
  assert.equal(await phone.locator('.observed-report tbody tr').count(), 4);
  await sound(phone, 'the report with games that were observed');
  await picture(phone, 'floor-observed-report-320');
  const [download] = await Promise.all([phone.waitForEvent('download'), phone.getByRole('button', { name: 'CSV' }).click()]);
  const csv = readFileSync(await download.path(), 'utf8');
  assert.match(csv, /,Games observed by arbiters,Penalties \(Article 12\.9\)\r\n/);
  assert.match(csv, /\r\n1,3,.*,"?Ada, \d\d:\d\d – \d\d:\d\d with the game"?,\r\n/);
  assert.match(csv, /\r\n1,1,.*Ada, \d\d:\d\d – not over; Ben, \d\d:\d\d – \d\d:\d\d"?,\r\n/);
  assert.deepEqual([...phone.complaints, ...other.complaints].filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED')), []);
  await phone.close();
  await other.close();
});

for (const [language, word] of [['fr', 'Hors de la salle'], ['de', 'Nicht im Saal']]) {
  test(`${language} has room on a phone`, { timeout: 60_000 }, async () => {
    const page = await house.device(PHONE);
    await page.addInitScript((tag) => localStorage.setItem('arbiter-language', tag), language);
    for (const [hash, part] of [['board/b01', '.breaks'], ['map', '.layout'], ['inbox', '.handover'], ['round', '.breaks'], ['report', '.observed-report'], ['report', '.breaks-report']]) {
      await page.goto(`${house.address}/#/${hash}`);
      await page.locator(part).first().waitFor();
      await page.evaluate(() => document.querySelectorAll('details').forEach((one) => { one.open = true; }));
      await sound(page, `${language} ${hash}`);
      await picture(page, `floor-${language}-${hash.replace('/', '-')}`);
    }
    await page.getByRole('heading', { name: word }).waitFor();
    assert.deepEqual(page.complaints, []);
    await page.close();
  });
}

test('all of it is there again after the daemon was killed', { timeout: 60_000 }, async () => {
  const all = () => Promise.all(['/api/event', '/api/notes', '/api/rounds/1/breaks', '/api/event/observed'].map((path) => house.json(path)));
  const before = await all();
  await house.killDaemon();
  await house.startDaemon();
  const [event, notes, breaks, observed] = await all();
  assert.deepEqual([event.layout, notes, breaks, observed], [before[0].layout, ...before.slice(1)]);
});

test('the sign of a table stays inside of it on a phone', { timeout: 60_000 }, async () => {
  const large = await House.open(24, 'language = "fr"\n');
  try {
    for (const [width, fontSize] of [[320, 15], [390, 15], [390, 30], [1280, 15]]) {
      const page = await large.page('#/map', { width, height: 844 });
      await page.evaluate((size) => { document.documentElement.style.fontSize = `${size}px`; }, fontSize);
      await until(async () => (await page.locator('.tile .icon').count()) === 24, 'every board is unplugged');
      const out = await page.locator('.tile > a').evaluateAll((all) => all.filter((tile) => tile.querySelector('.icon').getBoundingClientRect().right > tile.getBoundingClientRect().right - 2).length);
      assert.equal(out, 0, `at ${width} px with text of ${fontSize} px`);
      await page.close();
    }
  } finally {
    await large.close();
  }
});

test('a game that is played on after its round was closed can be observed, at its table and from the page of that round', { timeout: 60_000 }, async () => {
  await post('/api/rounds/1/postpone', { tables: [1] });
  await post('/api/rounds/1/results', { results: { 2: '1-0' } });
  await post('/api/rounds/1/close', {});
  await post('/api/rounds/1/resume', { tables: [1] });
  const phone = await arbiter('Ada', 'board/b01', PHONE);
  await phone.getByRole('button', { name: /^I am observing this game/ }).click();
  await phone.locator('.observing button[aria-pressed="true"]').waitFor();
  await phone.goto(`${house.address}/#/round/1`);
  await phone.locator('.observing li[data-table="1"] button[aria-pressed="true"]').click();
  await phone.getByText('Observe another table').click();
  assert.equal(await phone.locator('.observing li').count(), 1, 'the other games of the round are over');
  const observed = await house.json('/api/event/observed');
  assert.deepEqual(observed.slice(-1).map(({ round, table, by, until: end }) => [round, table, by, end !== null]), [[1, 1, 'Ada', true]]);
  await sound(phone, 'a closed round with a game that is played on');
  assert.deepEqual(phone.complaints, []);
  await phone.close();
});
