// A loss that was declared, and of whose offences one is dismissed then: every page, the interface and the command say so, and the daemon alone decides it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, give, until } from './house.mjs';

const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6';
const PAIRS = [['Berg, Anna', 'Cole, Ben'], ['Dietz, Clara', 'Evers, Dan']];
const PGN = PAIRS.map(([white, black], n) => `[Round "1.${n + 1}"]\n[White "${white}"]\n[Black "${black}"]\n[Result "*"]\n\n*\n`).join('\n');
const FELL = 'it may rest on a finding that was dismissed';

let house;
before(async () => {
  house = await House.open(2, 'name = "Harbour Open"\nlanguage = "en"\n');
  await post('/api/pairings', { file: Buffer.from(PGN).toString('base64') });
  await post('/api/rounds/1/start', {});
  const hands = ['--speed', '10', '--seed', '9'];
  await house.play('b01', MOVES, ['--breach', 'illegal-move@5', '--breach', 'illegal-move@9', ...hands]);
  await house.play('b02', MOVES, ['--breach', 'clock-pressed-without-move@3', '--breach', 'illegal-move@7', ...hands]);
  for (const id of ['b01', 'b02']) {
    await until(async () => {
      const { ply, findings } = await house.board(id);
      return ply === 14 && findings.length === 2;
    }, 'both are found, and play has gone on', 60_000);
  }
});
after(() => house.close());

const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

async function order(board, body) {
  const answer = await post(`/api/boards/${board}/orders`, { event: 'arbiter', ...body });
  assert.equal(answer.status, 200, await answer.text());
}

/** The incident of a finding. */
const incidentOf = async (board, finding) => `${(await house.board(board)).game}.${finding.ply}`;

test('a report says of a side, and of no person, what nobody has ruled on', { timeout: 60_000 }, async () => {
  const page = await house.page('#/report/1');
  const open = page.locator('.report h2', { hasText: 'Not ruled on' }).locator('xpath=following-sibling::table[1]');
  await open.locator('td', { hasText: /^White$/ }).first().waitFor();
  assert.equal(await open.locator('td', { hasText: 'Berg, Anna' }).count(), 0);
  // It tells what happened, and how sure that is, and not what is to be done about it.
  const text = await open.innerText();
  assert.match(text, /White completed an illegal move.*Article 7\.5\.1/);
  assert.match(text, /certain/);
  assert.doesNotMatch(text, /Stop the clocks|Give Black|declare it/);
  await page.close();
});

test('before an offence is upheld that ends the game with another, it is said that it does', { timeout: 60_000 }, async () => {
  const [first, second] = (await house.board('b02')).findings;
  assert.deepEqual([first.certainty, first.penalty.then, second.penalty.then], ['likely', null, null]);
  const page = await house.page(`#/incident/${await incidentOf('b02', first)}`);
  await page.locator('.if-upheld').waitFor();
  assert.equal(await page.locator('.if-upheld').getByText('0–1').count(), 0, 'alone it brings time');
  await order('b02', { action: 'uphold', id: second.id });
  await page.locator('.if-upheld li', { hasText: '0–1' }).waitFor();
  await page.locator('.dock').getByRole('button', { name: 'Uphold' }).click();
  await until(async () => (await house.board('b02')).result?.proposed, 'the loss is proposed');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('what was ruled a loss is said to have been one, with what it may rest on', { timeout: 60_000 }, async () => {
  const [first, second] = (await house.board('b01')).findings;
  await order('b01', { action: 'uphold', id: second.id });
  const desk = await house.page('#/round/1', { width: 1440, height: 900 });
  const row = desk.locator('tr[data-table="1"]');
  await give(row, '0-1');
  await desk.locator('dialog.confirm[open]').getByRole('button', { name: 'Declare' }).click();
  await row.locator('.res-confirmed').waitFor();
  assert.equal(await row.getByText(FELL).count(), 0);
  assert.equal((await house.board('b01')).result.reason, 'forfeit-illegal-moves', 'it rests on the offences');

  // The desk has given what the board only proposes: nothing waits to be declared.
  const page = await house.page(`#/incident/${await incidentOf('b01', second)}`);
  await page.locator('.ruled', { hasText: 'upheld' }).waitFor();
  assert.doesNotMatch(await page.locator('.empty').innerText(), /waits to be declared/);

  await page.goto(`${house.address}/?first#/incident/${await incidentOf('b01', first)}`);
  await page.locator('.dock').getByRole('button', { name: 'Dismiss' }).click();
  await page.locator('dialog.confirm[open]').getByRole('button', { name: 'Dismiss' }).click();
  // The desk was open all the while, and is told nothing of findings that are ruled on.
  await row.getByText(FELL).waitFor();
  await desk.locator('section.panel', { hasText: 'Close round 1' }).getByText('1 declared loss that may rest on a dismissed finding').waitFor();
  assert.deepEqual((await house.json('/api/rounds/1')).rests_on_dismissed, [1]);
  const { game } = await house.board('b01');
  assert.deepEqual((await house.json(`/api/games/${game}`)).rests_on_dismissed, [second.id]);

  await desk.goto(`${house.address}/#/map`);
  await desk.locator('.tile[data-table="1"][data-mark="question"]').waitFor();
  assert.match(await desk.locator('.tile[data-table="1"] a').getAttribute('aria-label'), new RegExp(FELL));

  await page.goto(`${house.address}/?gone#/incident/${await incidentOf('b01', second)}`);
  const ruled = page.locator('.ruled', { hasText: 'upheld' });
  await ruled.getByText('White loses the game. The loss may rest on a finding that was dismissed since.').waitFor();
  assert.equal(await ruled.getByText('minutes more').count(), 0);

  await page.goto(`${house.address}/?board#/board/b01`);
  await page.locator('.room-head .phase', { hasText: new RegExp(FELL, 'i') }).waitFor();

  await page.goto(`${house.address}/?report#/report/1`);
  const report = page.locator('.report');
  await report.locator('tr', { hasText: 'Berg, Anna' }).filter({ hasText: FELL }).waitFor();
  await report.getByText('White loses the game. The loss may rest on a finding that was dismissed since.').first().waitFor();
  // What was ruled is said, and not what the Laws would propose by now.
  const lost = report.locator('tr', { hasText: 'The loss may rest on a finding' });
  assert.doesNotMatch(await lost.first().innerText(), /Give Black/);
  await page.goto(`${house.address}/?game#/game/${game}`);
  await page.locator('.protocol .found').getByText('The loss may rest on a finding that was dismissed since.').waitFor();
  assert.doesNotMatch(await page.locator('.protocol .found', { hasText: 'The loss may rest' }).innerText(), /Give Black/);
  assert.deepEqual([...page.complaints, ...desk.complaints].filter((text) => !text.includes('404')), []);
  await Promise.all([page.close(), desk.close()]);
});

test('it is not confirmed together with what nobody disputes, whoever asks', { timeout: 60_000 }, async () => {
  const [first] = (await house.board('b02')).findings;
  await order('b02', { action: 'result', result: '0-1' });
  await until(async () => (await house.json('/api/rounds/1')).pairings[1].result, 'the loss is given in the game');
  assert.equal((await house.board('b02')).result.reason, 'forfeit-illegal-moves', 'it rests on the offences here as well');
  const page = await house.page('#/round/1', { width: 1440, height: 900 });
  await page.locator('.results-head button.strong:enabled').waitFor();
  const { orders } = await house.board('b02');
  const upheld = orders.find((one) => one.action === 'uphold' && one.id === first.id);
  await order('b02', { action: 'take-back', order: upheld.order });
  await order('b02', { action: 'dismiss', id: first.id });
  await page.locator('tr[data-table="2"]').getByText(FELL).waitFor();
  await page.locator('.results-head button.strong:disabled').waitFor();
  const all = await (await post('/api/rounds/1/confirm', {})).json();
  assert.deepEqual(all.passed_over, [{ table: 2, why: 'rests-on-dismissed' }]);
  const named = await post('/api/rounds/1/confirm', { tables: [2], undisputed: true });
  assert.equal((await named.json()).why.kind, 'rests-on-dismissed-meanwhile');
  assert.equal((await house.json('/api/rounds/1')).pairings[1].confirmed, false);

  // By itself it is confirmed, and the round is closed once somebody has read what it leaves.
  await give(page.locator('tr[data-table="2"]'), 'confirm');
  await page.locator('tr[data-table="2"] .res-confirmed').waitFor();
  await page.getByRole('button', { name: 'Close round 1' }).click();
  await page.locator('dialog.confirm[open]').getByText('Tables 1, 2: losses were declared there').waitFor();
  await page.keyboard.press('Escape');
  assert.equal((await house.json('/api/rounds/1')).stage, 'under-way');
  assert.deepEqual(page.complaints, []);
  await page.close();
});
