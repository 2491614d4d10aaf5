// Results against what the board has seen, and rulings after a result: asked first, and told in the protocol and the report.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, give, until } from './house.mjs';

const MATE = '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#';
const SHORT = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';
const PAIRS = [['Berg, Anna', 'Cole, Ben'], ['Dietz, Clara', 'Evers, Dan'], ['Fuchs, Eva', 'Gross, Finn'], ['Hahn, Greta', 'Ihle, Hugo']];
const PGN = PAIRS.map(([white, black], n) => `[Round "1.${n + 1}"]\n[White "${white}"]\n[Black "${black}"]\n[Result "*"]\n\n*\n`).join('\n');

let house;
before(async () => {
  house = await House.open(4, 'language = "en"\n');
  await post('/api/pairings', { file: Buffer.from(PGN).toString('base64') });
  await post('/api/rounds/1/start', {});
});
after(() => house.close());

const picture = (page, name) => process.env.PICTURES && page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function adas(hash) {
  const page = await house.page('#/', { width: 1440, height: 900 });
  await page.evaluate(() => localStorage.setItem('arbiter-name', 'Ada'));
  await page.goto(`${house.address}/?ada${hash}`);
  return page;
}

test('an event without a name is given one, and a table in play begins no other game', { timeout: 60_000 }, async () => {
  const page = await adas('#/round/1');
  if (!(await house.json('/api/event')).details.name) {
    await page.locator('.name-event').getByRole('textbox').fill('Harbour Open');
    await page.locator('.name-event').getByRole('button', { name: 'Name it' }).click();
  }
  await page.locator('h1', { hasText: 'Harbour Open' }).waitFor();
  await page.locator('.name-event').waitFor({ state: 'detached' });
  await house.play('b01', MATE, ['--speed', '10']);
  await page.goto(`${house.address}/?ada#/board/b01`);
  await page.locator('h1', { hasText: 'Table 1 · b01' }).waitFor();
  await page.locator('.no-new-game', { hasText: 'Table 1 plays round 1' }).waitFor();
  // Nobody is told of a game in play that it is still to begin.
  await page.locator('.no-new-game', { hasText: 'another game is not begun on its board' }).waitFor();
  assert.equal(await page.locator('.new-game').count(), 0);
  await page.close();
});

test('a draw is not typed over a mate without a question, and both stand in the protocol', { timeout: 90_000 }, async () => {
  await until(async () => (await house.json('/api/rounds/1')).pairings[0].result, 'the mate is proposed', 60_000);
  const page = await adas('#/round/1');
  const row = page.locator('[data-table="1"]');
  await row.locator('.res-proposed').waitFor();
  await give(row, '1/2-1/2');
  const dialog = page.locator('dialog.ask');
  await dialog.getByText('The game at this table has ended with 1–0 (checkmate).').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await house.json('/api/rounds/1')).pairings[0].result, '1-0');
  await give(row, '1/2-1/2');
  await dialog.getByLabel('Why').fill('the flag fell before');
  await dialog.getByRole('button', { name: 'Enter ½–½' }).click();
  await row.locator('.res-confirmed', { hasText: '½–½' }).waitFor();
  const { game } = (await house.json('/api/rounds/1')).pairings[0];
  await page.goto(`${house.address}/?ada#/game/${game}`);
  const said = page.locator('.protocol .results-said tbody tr');
  await said.first().waitFor();
  assert.match(await said.innerText(), /½–½ entered \(arbiter\) instead of 1–0\s+the flag fell before\s+Ada/);
  // What the program does by itself is nobody's intervention.
  assert.equal(await page.locator('.protocol').getByText('paused').count(), 0);
  await page.goto(`${house.address}/?ada#/report/1`);
  await page.locator('.report .results-said', { hasText: 'the flag fell before' }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a confirmed result is changed with a reason: who played, what stands and what is to stand are said', { timeout: 60_000 }, async () => {
  const page = await adas('#/round/1');
  const row = page.locator('[data-table="1"]');
  await row.locator('.res-confirmed', { hasText: '½–½' }).waitFor();
  await give(row, '0-1');
  const dialog = page.locator('dialog.ask');
  await dialog.getByText('Berg, Anna – Cole, Ben: ½–½ → 0–1.').waitFor();
  await picture(page, 'change');
  await dialog.getByLabel('Why').fill('  ');
  await dialog.getByRole('button', { name: 'Change it' }).click();
  await dialog.getByRole('alert').getByText('Nothing is written yet: “Why”.').waitFor();
  assert.equal((await house.json('/api/rounds/1')).pairings[0].result, '½-½');
  await dialog.getByLabel('Why').fill('the scoresheets say so');
  await dialog.getByRole('button', { name: 'Change it' }).click();
  await row.locator('.res-confirmed', { hasText: '0–1' }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a game in play is forfeited with a reason, which is asked for', { timeout: 90_000 }, async () => {
  await house.play('b04', SHORT, ['--speed', '10']);
  await until(async () => (await house.board('b04')).ply >= 2, 'it is played', 60_000);
  // Whoever was to be forfeited for not being there has moved meanwhile: whatever the reason.
  const late = await post('/api/rounds/1/results', { results: { 4: '-/+' }, reason: 'not there at the default time', not_begun: true });
  assert.equal((await late.json()).why.kind, 'has-begun');
  const page = await adas('#/round/1');
  const row = page.locator('[data-table="4"]');
  await give(row, '-/+');
  const dialog = page.locator('dialog.ask');
  await dialog.getByText('Hahn, Greta – Ihle, Hugo. A forfeit behind the moves of a game needs a reason.').waitFor();
  await picture(page, 'forfeit');
  assert.equal(await page.locator('.notice-refused').count(), 0, 'what is asked is not refused');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await house.json('/api/rounds/1')).pairings[3].result, null);
  await give(row, '-/+');
  await dialog.getByLabel('Why').fill('White has left the hall for good');
  await dialog.getByRole('button', { name: 'Enter −/+' }).click();
  await row.locator('.res-confirmed', { hasText: '−/+' }).waitFor();
  const said = (await house.json('/api/rounds/1/results')).filter(({ table }) => table === 4);
  assert.deepEqual(said.map(({ reason, by }) => [reason, by]), [['White has left the hall for good', 'Ada']]);
  // A request that was answered with a question is none that failed.
  assert.deepEqual(page.complaints.filter((text) => !/\b4(09|22)\b/.test(text)), []);
  await page.close();
});

for (const [board, table, code, late] of [['b02', 2, 'illegal-move', false], ['b03', 3, 'touch-move-own-piece', true]]) {
  test(`after the result nothing is put back: ${code}`, { timeout: 120_000 }, async () => {
    await house.play(board, SHORT, ['--breach', `${code}@${late ? 5 : 7}`, '--speed', '8', '--seed', '3']);
    const found = await until(async () => (await house.json('/api/incidents')).find((one) => one.board === board && one.kind === 'irregularity'), 'a finding', 60_000);
    if (late) await until(async () => (await house.board(board)).ply >= 6, 'play has gone on', 60_000);
    assert.equal((await post('/api/rounds/1/results', { results: { [table]: '1-0' } })).status, 200);
    await until(async () => (await house.board(board)).state === 'ended', 'it is over');
    const page = await adas(`#/board/${board}`);
    const panel = page.locator(`.need-panel.irregularity[data-finding="${found.findings[0].id}"]`);
    await panel.locator('.after-end').waitFor();
    assert.equal(await panel.locator('.required').count(), 0);
    assert.equal(await panel.getByRole('button', { name: 'Uphold' }).count(), 1);
    assert.equal(await panel.getByRole('button', { name: 'Uphold without consequence' }).count(), late ? 1 : 0);
    await page.goto(`${house.address}/?ada#/incident/${found.id}`);
    await page.locator('.need-panel .after-end').first().waitFor();
    assert.equal(await page.locator('.if-upheld .move-groups').count(), 0, 'no move is promised');
    const order = { event: 'arbiter', action: 'uphold', id: found.findings[0].id };
    const answer = await post(`/api/incidents/${found.id}/rule?confirmed=true`, { id: 'late-1', order });
    assert.equal(answer.status, late ? 409 : 200, await answer.text());
    if (late) {
      const { plies, result } = await house.board(board);
      await page.locator('.dock').getByRole('button', { name: 'Uphold without consequence' }).click();
      await until(async () => (await house.board(board)).findings.some(({ status }) => status === 'upheld'), 'it is upheld');
      const stands = await house.board(board);
      assert.deepEqual([stands.plies, stands.result], [plies, result]);
    }
    const left = (await house.json('/api/incidents')).filter((one) => one.board === board);
    assert.deepEqual(left.filter(({ kind, restore, steps }) => kind === 'restore' || restore || steps.some(({ done }) => !done)), []);
    assert.equal((await house.board(board)).restore, null);
    await page.close();
  });
}
