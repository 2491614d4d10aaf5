// What is written of a game and of its players: both clocks and the time of day at a finding, breaks, who came late; and who must write his moves down.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';

const PHONE = { width: 390, height: 844 };
const PAIRINGS = ['table,white,black', ...[1, 2, 3].map((n) => `${n},"White ${n}","Black ${n}"`)].join('\n');
const MOVES = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';

let house;
before(async () => {
  house = await House.open(3, 'language = "en"\n');
  await post('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 });
  await post('/api/rounds/1/start', {});
  await house.play('b01', MOVES, ['--breach', 'illegal-move@7', '--speed', '8', '--seed', '3']);
  await house.play('b02', MOVES, ['--speed', '20'], { hand: 'hurried' });
  await until(async () => (await house.board('b02')).ply === 7, 'the moves are played', 60_000);
});
after(() => house.close());

async function post(path, body) {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const picture = (page, name) => process.env.PICTURES && page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });

test('who is short of time may have stopped writing, unless enough is added with each move', { timeout: 90_000 }, async () => {
  const page = await house.page('#/map', PHONE);
  const short = page.locator('.short');
  await short.locator('li[data-table="2"]').waitFor();
  await short.getByText('the event names no time control').waitFor();
  assert.equal(await short.locator('.may-stop').count(), 0, 'what is not known accuses nobody');
  const describe = async (control) => post('/api/event/describe', { ...(await house.json('/api/event')).details, name: 'Open', time_control: control });
  await describe('40/6000+10:900+10');
  await short.getByText('+10 s with each move: under five minutes a player may stop writing').waitFor();
  await short.locator('li[data-table="2"] .time', { hasText: '+10' }).waitFor();
  await until(async () => (await short.locator('li[data-table="2"] .may-stop').count()) === 2, 'both are marked');
  await sound(page, 'who is short of time');
  await picture(page, 'short');
  await describe('5400+30');
  await short.getByText('+30 s with each move: everybody goes on writing his moves').waitFor();
  await until(async () => (await short.locator('.may-stop').count()) === 0, 'nobody is marked');
  const told = await page.evaluate(async () => {
    const { addedAfter, periodsOf } = await import('/state/recording.mjs');
    const two = periodsOf('40/6000+30:900+5');
    return [[39, 40, 90].map((made) => addedAfter(two, made)), addedAfter(periodsOf('20/3600:20/3600+10'), 60), periodsOf('?'), periodsOf('*60'), periodsOf('')];
  });
  assert.deepEqual(told, [[30, 5, 5], 10, null, null, null]);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a finding stands in protocol, report and file with both clocks and the time of day', { timeout: 90_000 }, async () => {
  const found = await until(async () => (await house.json('/api/incidents')).find(({ board, kind }) => board === 'b01' && kind === 'irregularity'), 'a finding', 60_000);
  const [{ id, evidence }] = found.findings;
  const before = await house.page('#/report/1');
  const open = before.locator('.report tbody tr', { hasText: 'Clocks: White 0:1' });
  await open.locator('td', { hasText: /^\d\d:\d\d:\d\d$/ }).waitFor();
  await open.locator('td', { hasText: /^White$/ }).waitFor();
  await before.close();
  await post(`/api/incidents/${found.id}/rule`, { id: 'upheld-1', order: { event: 'arbiter', action: 'uphold', id } });
  const press = evidence.findLast(({ event }) => event === 'press');
  const page = await house.page(`#/game/${found.game}`, { width: 1280, height: 900 });
  const clocks = page.locator('.protocol .found .hint', { hasText: /^\d\d:\d\d:\d\d · Clocks: White 0:1\d:\d\d, Black 0:1\d:\d\d\.$/ });
  await clocks.waitFor();
  const [, minutes, second] = /White 0:(\d\d):(\d\d)/.exec(await clocks.innerText());
  assert.equal(Number(minutes) * 60 + Number(second), Math.floor(press.white_ms / 1000));
  await picture(page, 'clocks-protocol');
  await page.goto(`${house.address}/#/report/1`);
  const row = page.locator('.report tbody tr', { hasText: 'Clocks: White 0:1' });
  await row.locator('td', { hasText: /^\d\d:\d\d:\d\d$/ }).waitFor();
  await sound(page, 'the report with clocks');
  await picture(page, 'clocks-report');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  assert.match(readFileSync(await download.path(), 'utf8'), /\(White 1\), \d\d:\d\d:\d\d, Clocks: White 0:1\d:\d\d, Black 0:1\d:\d\d\./);
  const unknown = await page.evaluate(async () => {
    const { clocksText } = await import('/record/times.mjs');
    const plies = [{ clock_ms: 61_000 }, { clock_ms: null }, { clock_ms: 30_000 }];
    const view = { plies, start_fen: 'x w' };
    return [clocksText({ plies: [], start_fen: 'x w' }, { ply: 1, evidence: [] }), clocksText(view, { ply: 3, evidence: [] })];
  });
  assert.deepEqual(unknown, ['Clocks: unknown.', 'Clocks at the last presses before: White 0:01:01, Black unknown.']);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('breaks, and who came late, stand in the player’s file', { timeout: 90_000 }, async () => {
  const number = (await house.json('/api/event')).players.find(({ name }) => name === 'White 2').number;
  await post('/api/rounds/1/breaks', { player: number, out: true });
  await post('/api/rounds/1/breaks', { player: number, out: false });
  const page = await house.page('#/round/1', PHONE);
  const table = page.locator('.missing li', { hasText: 'Black 3' });
  await table.getByRole('button', { name: 'Black 3' }).click();
  await sound(page, 'somebody is missing');
  await picture(page, 'late');
  await table.getByRole('button', { name: 'Black 3 has come' }).click();
  await table.getByRole('button', { name: 'Black 3 has come' }).waitFor({ state: 'detached' });
  assert.equal(await table.locator('[aria-pressed="true"]').count(), 0, 'he is missing no more');
  await page.goto(`${house.address}/#/report`);
  await page.locator('.player-file', { hasText: 'White 2' }).locator('li', { hasText: /^Round 1: 1 break, 0:0\d(, 1 time having the move)?$/ }).waitFor();
  await page.locator('.player-file', { hasText: 'Black 3' }).getByText(/^Came \d minutes? after the round had been started\.$/).waitFor();
  await sound(page, 'files of players');
  await picture(page, 'files');
  assert.deepEqual(page.complaints, []);
  await page.close();
});
