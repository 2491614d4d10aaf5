// What was ordered without a line counts only where it is still what it was decided upon; what is lost is named.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, give, until } from './house.mjs';

const PHONE = { width: 390, height: 844 };
const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n2,"Dietz, Clara","Evers, Dan"\n3,"Falk, Eva","Gast, Finn"\n4,"Hahn, Gil","Iven, Ida"\n';
const SHORT = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';

let house;
before(async () => {
  house = await House.open(4, 'language = "en"\n');
  await post('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 });
  await post('/api/rounds/1/start', {});
  const breach = ['--breach', 'illegal-move@7', '--seed', '3'];
  await Promise.all(['b01', 'b02', 'b03', 'b04'].map((id) => house.play(id, SHORT, ['--speed', '8', ...(id < 'b03' ? breach : [])])));
  await until(async () => (await house.board('b03')).ply === 7 && (await house.board('b04')).ply === 7, 'the moves are played', 60_000);
});
after(() => house.close());

async function post(path, body) {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const line = (page, isThere) => page.context().setOffline(!isThere);
const order = (board, what) => post(`/api/boards/${board}/orders`, { event: 'arbiter', author: 'Ben', ...what });
const incidentAt = (board) => until(async () => (await house.json('/api/incidents')).find((one) => one.board === board && one.kind === 'irregularity'), `an incident at ${board}`, 60_000);
const rule = (incident, id, what) => post(`/api/incidents/${incident}/rule`, { id, order: { event: 'arbiter', author: 'Ben', ...what } });
const dock = (page, name) => page.locator('.dock').getByRole('button', { name });
const lost = async (page, text) => {
  await page.locator('.lost-order', { hasText: text }).waitFor({ timeout: 20_000 });
  // It is said in one place.
  assert.equal(await page.locator('.notice', { hasText: text }).count(), 0);
};

test('a ruling that is taken back late, when more has come to its turn, is not said to be taken back', { timeout: 120_000 }, async () => {
  const { id, ply } = await incidentAt('b01');
  const page = await house.page(`#/incident/${id}`, PHONE);
  await dock(page, 'Uphold').click();
  await page.locator('.steps').waitFor();
  await page.waitForTimeout(1_000);
  await line(page, false);
  await page.locator('.ruled').getByRole('button', { name: 'Take back' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Take back' }).click();
  await page.locator('.waiting li').waitFor();
  await order('b01', { action: 'report', code: 'two-hands', by: 'white' });
  await until(async () => (await house.json('/api/incidents')).find((one) => one.id === id)?.findings.length === 2, `more at turn ${ply}`);
  await line(page, true);
  await lost(page, 'more has come to it');
  assert.deepEqual(await page.locator('.notice-done').count(), 0);
  const given = (await house.board('b01')).findings.filter(({ status }) => status === 'upheld').map(({ code }) => code);
  assert.deepEqual(given, ['illegal-move', 'two-hands'], 'it stands');
  await page.close();
});

test('a ruling that another has taken back is not shown as given on the page of what is settled', { timeout: 120_000 }, async () => {
  const { id, findings: [{ id: finding }] } = await incidentAt('b02');
  const page = await house.page(`#/incident/${id}`, PHONE);
  await dock(page, 'Dismiss').click();
  await page.locator('.ruled', { hasText: 'dismissed' }).waitFor();
  const own = (await house.board('b02')).orders.at(-1).order;
  await line(page, false);
  await rule(id, 'unused', { action: 'dismiss', id: finding }).catch(() => {});
  await post(`/api/games/${(await house.board('b02')).game}/orders`, { event: 'arbiter', author: 'Ben', action: 'take-back', order: own });
  const undone = await until(async () => (await house.json('/api/incidents')).find((one) => one.id === id), 'it is open again');
  assert.equal(undone.undone?.who, 'Ben', 'who took it back is named');
  await rule(id, 'ben-1', { action: 'dismiss', id: finding });
  await line(page, true);
  await page.locator('.line-live').waitFor({ timeout: 20_000 });
  await page.reload();
  await page.locator('.ruled', { hasText: 'by Ben' }).waitFor();
  await until(async () => await page.locator('.ruled').count() === 1, 'only that');
  await page.goto(`${house.address}/#/inbox`);
  await page.locator('.line-live').waitFor();
  assert.equal(await page.locator('.ruled-here').count(), 0);
  await page.close();
});

for (const [where, id, open, list] of [['on the page of the board', 'ada-1', () => '#/board/b04', '.given'], ['at the incident', 'ada-2', (of) => `#/incident/${of}`, '.ruled']]) {
  test(`what another has taken back meanwhile is said to be, once the line is back: ${where}`, { timeout: 120_000 }, async () => {
    await order('b04', { action: 'report', code: 'two-hands', by: 'white', order: id });
    const incident = await until(async () => (await house.json('/api/incidents')).find((one) => one.board === 'b04' && one.rulings.some((ruling) => ruling.order === id)), 'it is ruled');
    const page = await house.page(open(incident.id), PHONE);
    const back = page.locator(list).getByRole('button', { name: 'Take back' }).first();
    if (list === '.given') await page.locator('.given summary').click();
    await back.waitFor();
    await page.waitForTimeout(1_000);
    await line(page, false);
    await back.click();
    await page.locator('dialog.confirm').getByRole('button', { name: 'Take back' }).click();
    await page.locator('.waiting li').waitFor();
    await order('b04', { action: 'take-back', order: id });
    await line(page, true);
    await lost(page, 'had been done meanwhile by somebody else');
    await page.locator('.lost-order').getByRole('button', { name: 'Close' }).click();
    assert.equal(await page.locator('.waiting').count(), 0);
    await page.close();
  });
}

test('all games are not stopped late, after they have gone on; what was stopped since for a reason of its own stays so', { timeout: 120_000 }, async () => {
  const page = await house.page('#/map', PHONE);
  const pause = page.getByRole('button', { name: 'Pause all' });
  await pause.waitFor();
  await page.waitForTimeout(500);
  await line(page, false);
  await pause.click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Pause all' }).click();
  await page.locator('.waiting li').waitFor();
  await post('/api/event/halt', { author: 'Ben' });
  await post('/api/event/go-on', { author: 'Ben' });
  await line(page, true);
  await lost(page, 'Ben has let the games go on meanwhile');
  assert.notEqual((await house.board('b03')).state, 'paused');

  const tables = ({ halt }) => halt.boards.map(({ table }) => table);
  const all = tables(await post('/api/event/halt', { author: 'Ben' }));
  assert.ok(all.includes(3) && all.includes(4));
  await page.locator('.halted', { hasText: `${all.join(', ')} (Ben)` }).waitFor();
  await order('b03', { action: 'resume' });
  await order('b03', { action: 'pause' });
  const others = all.filter((table) => table !== 3);
  await page.locator('.halted', { hasText: `${others.join(', ')} (Ben)` }).waitFor();
  assert.deepEqual(tables(await post('/api/event/go-on', { author: 'Ben' })), others);
  assert.equal((await house.board('b03')).state, 'paused');
  await order('b03', { action: 'resume' });
  await page.close();
});

test('a break that is said late has its own hour, and nobody is said to have had the move', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b04', PHONE);
  const out = page.locator('.breaks').getByRole('button', { name: 'Iven, Ida' });
  await out.waitFor();
  await line(page, false);
  const tapped = Date.now();
  await out.click();
  await page.locator('.waiting li').waitFor();
  await page.waitForTimeout(7_000);
  await line(page, true);
  const breaks = () => house.json('/api/rounds/1/breaks');
  const [one] = await until(async () => { const all = await breaks(); return all.length > 0 && all; }, 'it is sent', 20_000);
  const [{ left, having_move: having }] = one.breaks;
  assert.ok(Math.abs(Date.parse(left) - tapped) < 4_000, `${left} is when it was said`);
  assert.equal(having, null);
  await page.close();
});

test('time that was given late and refused leaves nothing to be set', { timeout: 120_000 }, async () => {
  const page = await house.page('#/board/b04', PHONE);
  await page.getByText('Give both players time').click();
  await page.locator('.give-time').getByLabel('Why').fill('the light went out');
  await line(page, false);
  await page.locator('.give-time').getByRole('button', { name: 'Give it' }).click();
  await page.locator('.waiting li').waitFor();
  assert.equal(await page.locator('.set-clocks').count(), 0);
  await post('/api/rounds/1/time', { table: 4, seconds: 120, reason: 'the light went out', author: 'Ben' });
  await line(page, true);
  await lost(page, 'Ben has given time at this table meanwhile');
  assert.equal(await page.locator('.set-clocks').count(), 0);
  assert.deepEqual((await house.json('/api/event')).times.map(({ by }) => by), ['Ben']);
  await page.close();
});

test('a result that is confirmed late is that which its arbiter saw', { timeout: 120_000 }, async () => {
  await order('b03', { action: 'result', result: '1-0' });
  await order('b04', { action: 'result', result: '1/2-1/2' });
  await until(async () => (await house.json('/api/rounds/1')).pairings.slice(2).every(({ result }) => result), 'both results');
  const page = await house.page('#/round/1', PHONE);
  const all = page.getByRole('button', { name: 'Confirm the 2 undisputed' });
  await all.waitFor();
  await page.waitForTimeout(500);
  await line(page, false);
  await all.click();
  await page.locator('.waiting li').waitFor();
  await post('/api/rounds/1/results', { results: { 3: '0-1' }, reason: 'so the sheets', decided: true });
  await line(page, true);
  await lost(page, 'table 3 has the result 0–1 by now');
  const stands = (await house.json('/api/rounds/1')).pairings.slice(2).map(({ result, confirmed }) => [result, confirmed]);
  assert.deepEqual(stands, [['0-1', true], ['½-½', false]]);
  await page.locator('.lost-order').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Confirm the undisputed one' }).click();
  await until(async () => (await house.json('/api/rounds/1')).pairings[3].confirmed, 'it is confirmed knowingly');
  await page.close();
});

test('what was ruled and taken back meanwhile is decided anew', { timeout: 120_000 }, async () => {
  await order('b02', { action: 'take-back', order: 'ben-1' });
  const { id, findings: [one] } = await incidentAt('b02');
  const page = await house.page(`#/incident/${id}`, PHONE);
  await dock(page, 'Uphold').waitFor();
  await page.waitForTimeout(800);
  await line(page, false);
  await dock(page, 'Uphold').click();
  await page.locator('.dock .waits').waitFor();
  await rule(id, 'aba-1', { action: 'uphold', id: one.id });
  await rule(id, 'aba-2', { action: 'take-back', order: 'aba-1' });
  await line(page, true);
  await lost(page, 'more has come to it, or something of it is settled');
  assert.equal((await house.board('b02')).findings.find(({ id: is }) => is === one.id).status, 'open');
  await page.close();
});

test('a result that was entered and taken back meanwhile is not entered late', { timeout: 120_000 }, async () => {
  const page = await house.page('#/round/1', PHONE);
  const row = page.locator('tr[data-table="2"]');
  await row.waitFor();
  await page.waitForTimeout(500);
  await line(page, false);
  await give(row, '1-0');
  await page.locator('.waiting li').waitFor();
  await post('/api/rounds/1/results', { results: { 2: '0-1' }, decided: true });
  await post('/api/rounds/1/withdraw', { tables: [2], reason: 'they play on' });
  await line(page, true);
  await lost(page, 'the result of table 2 was entered or taken back meanwhile');
  assert.equal((await house.json('/api/rounds/1')).pairings[1].result, null);
  await page.close();
});

test('an order on a board that was given and taken back meanwhile is decided anew', { timeout: 60_000 }, async () => {
  const { game, orders, ordered, result } = await house.board('b01');
  const upon = encodeURIComponent(`${game}/${orders.at(-1)?.order ?? '0'}/${result?.result ?? '*'}#${ordered}`);
  await order('b01', { action: 'report', code: 'two-hands', by: 'black', order: 'aba-3' });
  await order('b01', { action: 'take-back', order: 'aba-3' });
  await until(async () => (await house.board('b01')).ordered === ordered + 2, 'both are told');
  const answer = await fetch(`${house.address}/api/boards/b01/orders?upon=${upon}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ event: 'arbiter', action: 'pause' }) });
  assert.deepEqual([answer.status, (await answer.json()).why.kind], [409, 'taken-back-meanwhile']);
});

test('a game that is postponed is played on from its round, and time that was given by mistake is taken back', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b02', PHONE);
  await post('/api/rounds/1/time', { table: 2, seconds: 180, reason: 'a noise', author: 'Ben' });
  await page.getByText('Give both players time').click();
  const given = page.locator('.give-time li', { hasText: '3 minutes each. a noise (Ben)' });
  await given.getByRole('button', { name: 'Take back' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByRole('textbox').fill('the wrong table');
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await page.locator('.set-clocks', { hasText: 'take 3 minutes off each' }).waitFor();
  await given.waitFor({ state: 'detached' });
  await post('/api/rounds/1/postpone', { tables: [2], reason: 'ill' });
  await until(async () => (await house.board('b02')).state === 'paused', 'it is stopped');
  await page.getByText('Postponed: it is played on from').waitFor();
  assert.equal(await page.locator('.orders').getByRole('button', { name: 'Resume' }).count(), 0);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('whoever corrects his own result without a line is heard', { timeout: 60_000 }, async () => {
  const page = await house.page('#/round/1', PHONE);
  const row = page.locator('tr[data-table="1"]');
  await row.waitFor();
  await page.waitForTimeout(500);
  await line(page, false);
  for (const choice of ['1-0', '1/2-1/2']) {
    await give(row, choice);
    const dialog = page.locator('dialog[open]');
    await Promise.race([dialog.waitFor(), page.locator('.waiting li').waitFor()]);
    if (await dialog.count()) await dialog.locator('button.strong').click();
    await page.locator('.waiting li').waitFor();
  }
  assert.equal(await page.locator('.waiting li').count(), 1, 'the second takes the place of the first');
  await line(page, true);
  await until(async () => (await house.json('/api/rounds/1')).pairings[0].result === '½-½', 'the last word counts', 20_000);
  await page.close();
});

test('a result that is corrected while the first may have arrived is asked why, and the last word counts', { timeout: 90_000 }, async () => {
  const page = await house.page('#/round/1', PHONE);
  const row = page.locator('tr[data-table="2"]');
  await row.waitFor();
  let answer;
  const held = new Promise((free) => { answer = free; });
  // It arrives, and its answer hangs.
  await page.route('**/api/rounds/1/results', async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response }).catch(() => {});
  }, { times: 1 });
  await give(row, '1-0');
  await page.locator('.waiting li').waitFor();
  await give(row, '0-1');
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('1–0 → 0–1').waitFor();
  await dialog.getByRole('textbox').fill('the wrong way round');
  await dialog.locator('button.strong').click();
  answer();
  await until(async () => (await house.json('/api/rounds/1')).pairings[1].result === '0-1', 'the last word counts', 20_000);
  assert.equal(await page.locator('.lost-order').count(), 0);
  await page.close();
});
