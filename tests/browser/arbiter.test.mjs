// What only people see: the arbiter enters what players say, reports what he saw, and says which move was played.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6';
// A capture that an occupancy board cannot tell from another: the captured pawn's square never reads empty.
const UNSEEN = '1. e4 d5 2. Nc3 f5 3. exf5';

let house;
before(async () => {
  house = await House.open(4);
  await Promise.all(['b01', 'b02', 'b04'].map((id) => house.play(id, MOVES, ['--speed', '20'])));
  for (const id of ['b01', 'b02', 'b04']) await until(async () => (await house.board(id)).ply === 6, 'the moves are played', 60_000);
});
after(() => house.close());

const inputs = async (id) => {
  const { game } = await house.board(id);
  return (await house.script(game)).filter((e) => !['setup', 'lift', 'place', 'press', 'tick', 'snapshot'].includes(e.event));
};

async function room(id) {
  const page = await house.page(`#/board/${id}`);
  await page.waitForSelector('.room');
  await page.locator('.orders details').evaluateAll((all) => all.forEach((one) => { one.open = true; }));
  return page;
}

test('a claim is entered with its move, answered, and journalled', { timeout: 60_000 }, async () => {
  const page = await room('b01');
  const claim = page.locator('.claims');
  await claim.getByRole('button', { name: 'Threefold repetition' }).click();
  await claim.getByLabel('written down and not made').check();
  await claim.getByRole('combobox', { name: 'From' }).selectOption('b5');
  await claim.getByRole('combobox', { name: 'To' }).selectOption('a4');
  // The verdict and the positions stand there, and nothing is entered yet.
  await claim.locator('.verdict', { hasText: 'By the record it has stood not once so far' }).waitFor();
  assert.equal(await claim.locator('.occurrences li').count(), 1);
  assert.equal((await inputs('b01')).length, 0);
  await claim.getByRole('button', { name: 'Enter the claim' }).click();
  await page.locator('.lately').getByText(/White claims: threefold repetition \(Article 9\.2\S*\). The claim is (right|wrong)/).waitFor();
  const { at, order, ...entered } = (await inputs('b01')).find((e) => e.event === 'claim');
  assert.deepEqual(entered, { event: 'claim', by: 'white', kind: 'threefold', move: 'b5a4' });
  // People read it as a move.
  await page.getByText(/Bb5–a4/).first().waitFor({ state: 'attached' });
  assert.match(order, /^o\d+$/, 'it can be taken back by its name');
  assert.deepEqual(page.complaints, []);
});

test('a claim that two enter is one claim, and one offence', { timeout: 60_000 }, async () => {
  const both = [await room('b04'), await room('b04')];
  for (const page of both) {
    await page.locator('.claims').getByRole('button', { name: 'Fifty moves' }).click();
    await page.locator('.claims .verdict').waitFor();
  }
  // Whoever is slow enters what the other has entered meanwhile.
  for (const page of both) {
    await page.locator('.claims').getByRole('button', { name: 'Enter the claim' }).click();
    await page.waitForTimeout(500);
  }
  await both[1].locator('.notice', { hasText: 'has given another order meanwhile' }).waitFor();
  await both[1].locator('.claims').getByRole('button', { name: 'Enter the claim' }).click();
  await both[1].locator('.notice', { hasText: 'this claim was entered already' }).waitFor();
  assert.equal((await inputs('b04')).filter(({ event }) => event === 'claim').length, 1);
  assert.equal((await house.board('b04')).findings.filter(({ code }) => code === 'incorrect-draw-claim').length, 1);
  await Promise.all(both.map((page) => page.close()));
});

test('words of the player who has the move are entered at once, and those of the other are asked about', { timeout: 60_000 }, async () => {
  const page = await room('b02');
  const [white, black] = ['White', 'Black'].map((name) => page.locator('.words').getByRole('group', { name }));
  const question = page.locator('dialog.confirm');
  assert.equal((await house.board('b02')).turn, 'white');
  // One after the other, before the page is told of the first.
  await white.getByRole('button', { name: 'Offers draw' }).click();
  await white.getByRole('button', { name: 'Stops the clocks' }).click();
  await until(async () => (await inputs('b02')).length === 2, 'offer and stop are in the journal');
  assert.deepEqual((await inputs('b02')).map((e) => [e.event, e.by]), [['draw', 'white'], ['stop', 'white']]);
  for (const [word, why] of [['Adjusts', 'Only the player who has the move'], ['Stops the clocks', 'to call the arbiter'], ['Offers draw', 'after one’s own move'], ['Declines', 'whoever was offered it']]) {
    await black.getByRole('button', { name: word }).click();
    await question.getByRole('heading', { name: 'b02: it is not Black’s move' }).waitFor();
    assert.match(await question.innerText(), new RegExp(`Anna Berg has the move, not Ben Cole\\. .*${why}`));
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.locator('h2').waitFor({ state: 'detached' });
  }
  assert.equal((await inputs('b02')).length, 2, 'nothing of it was entered');
  await black.getByRole('button', { name: 'Declines' }).click();
  await question.getByRole('button', { name: 'Black declines the draw' }).click();
  await until(async () => (await inputs('b02')).length === 3, 'it is in the journal');
  const [{ event, by, step }] = (await inputs('b02')).slice(-1);
  assert.deepEqual([event, by, step], ['draw', 'black', 'decline']);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('what ends the game is asked first', { timeout: 60_000 }, async () => {
  const page = await room('b02');
  const black = page.locator('.words').getByRole('group', { name: 'Black' });
  await black.getByRole('button', { name: 'Flag fell' }).click();
  await page.locator('dialog.confirm', { hasText: 'Anna Berg has the move, not Ben Cole.' }).getByRole('button', { name: 'Cancel' }).click();
  await black.getByRole('button', { name: 'Flag fell' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Black’s flag fell' }).click();
  await page.locator('.phase', { hasText: '1–0 · flag fall' }).waitFor();
  const { result_text: text } = await house.board('b02');
  assert.equal(text, 'Black overstepped the time: White wins (Article 6.9).');
  assert.deepEqual(page.complaints, []);
});

test('a report is upheld at once and counts', { timeout: 60_000 }, async () => {
  const page = await room('b01');
  const report = page.locator('.report form');
  await report.getByLabel('What').selectOption('two-hands');
  await report.getByLabel('Who').selectOption('black');
  await report.getByRole('button', { name: 'Report it' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Report it' }).click();
  await page.locator('.settled summary').click();
  await page.locator('.settled').getByText('Moved with two hands').waitFor();
  const finding = (await house.board('b01')).findings.find((f) => f.code === 'two-hands');
  assert.deepEqual([finding.by, finding.status, finding.article], ['black', 'upheld', '7.5.4']);
  assert.equal(await page.locator('.player', { hasText: 'Ben Cole' }).locator('.offences').innerText(), '1 illegal move / 2');
  assert.equal(await page.locator('.player', { hasText: 'Anna Berg' }).locator('.offences').count(), 0);
  assert.deepEqual(page.complaints, []);
});

test('of two moves that fit the arbiter names the one that was played', { timeout: 90_000 }, async () => {
  await house.play('b03', UNSEEN, ['--sensor', 'occupancy', '--seed', '1', '--speed', '10'], { hand: 'human', noise: '1' });
  const page = await house.page('#/board/b03');
  const doubt = page.locator('.need-panel.doubt', { hasText: 'More than one move fits' });
  await doubt.waitFor({ timeout: 60_000 });
  assert.match(await doubt.innerText(), /exd5/);
  assert.equal(await doubt.getByRole('button').count(), 2);
  await doubt.getByRole('button', { name: 'It was e4×f5' }).click();
  await doubt.waitFor({ state: 'detached' });
  const { moves, doubts } = await house.board('b03');
  assert.deepEqual([moves.at(-1), doubts], ['e4f5', []]);
  const { at, order, ...named } = (await inputs('b03')).at(-1);
  assert.deepEqual(named, { event: 'arbiter', action: 'reading', ply: 5, move: 'e4f5' });
  assert.match(order, /^o\d+$/);
  assert.deepEqual(page.complaints, []);
});

test('a board whose position nobody knows is taken as it stands', { timeout: 60_000 }, async () => {
  const order = await fetch(`${house.address}/api/boards/b02/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'new-game', fen: 'unknown' }),
  });
  assert.equal(order.status, 200, await order.text());
  const page = await house.page('#/board/b02');
  const doubt = page.locator('.need-panel.doubt', { hasText: 'Which position is it?' });
  await doubt.getByRole('button', { name: 'What the board reads, White to move' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Order it' }).click();
  await doubt.waitFor({ state: 'detached' });
  assert.equal((await house.board('b02')).fen.split(' ').slice(0, 3).join(' '), 'r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq');
  assert.deepEqual(page.complaints, []);
});

test('an order decided before another arbiter’s is refused with what that was, and one’s own before it is no other’s', { timeout: 120_000 }, async () => {
  const page = await room('b01');
  const [orders, claim] = ['.orders', '.claims'].map((part) => page.locator(part));
  const words = [{ event: 'adjust' }, { event: 'draw', step: 'offer' }, { event: 'stop' }];
  // Another arbiter is sooner by a moment: the page knows nothing of it when the button is pressed.
  let held = null;
  await page.route('**/api/boards/b01/orders*', async (route) => {
    await held?.();
    held = null;
    await route.continue();
  });
  const sooner = async () => {
    const other = await fetch(`${house.address}/api/boards/b01/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...words.shift(), by: 'white', author: 'Ben' }) });
    assert.equal(other.status, 200, await other.text());
  };
  const refused = async (press) => {
    const given = (await inputs('b01')).length;
    // What was ordered before has come to the page.
    await page.waitForTimeout(500);
    held = sooner;
    await press();
    await page.locator('.notice-refused', { hasText: 'Ben has given another order meanwhile' }).waitFor();
    assert.equal((await inputs('b01')).length, given + 1, 'his alone is in the journal');
    await page.locator('.notice-refused button').click();
  };
  await refused(() => orders.getByRole('button', { name: 'Pause', exact: true }).click());
  assert.notEqual((await house.board('b01')).state, 'paused');
  await refused(() => page.locator('.words').getByRole('group', { name: 'White' }).getByRole('button', { name: 'Adjusts' }).click());
  await claim.getByRole('button', { name: 'Fifty moves' }).click();
  await refused(() => claim.getByRole('button', { name: 'Enter the claim' }).click());
  // The first of two is held up: the second is given upon the same.
  held = () => new Promise((done) => setTimeout(done, 700));
  const given = (await inputs('b01')).length;
  await page.locator('.words').getByRole('group', { name: 'White' }).getByRole('button', { name: 'Stops the clocks' }).click();
  await orders.getByRole('button', { name: 'Pause', exact: true }).click();
  await until(async () => (await house.board('b01')).state === 'paused', 'both count');
  assert.deepEqual((await inputs('b01')).slice(given).map(({ event, action }) => action ?? event), ['stop', 'pause']);
  await orders.getByRole('button', { name: 'Resume' }).click();
  await until(async () => (await house.board('b01')).state !== 'paused', 'it goes on');
  assert.deepEqual(page.complaints.filter((one) => !one.includes('409')), []);
  await page.close();
});

test('a result that was decided upon another is refused with what has changed', { timeout: 60_000 }, async () => {
  const page = await room('b01');
  await page.locator('.orders').getByRole('button', { name: '1–0', exact: true }).click();
  const question = page.locator('dialog.confirm');
  await question.getByRole('button', { name: 'Declare 1–0' }).waitFor();
  // Another arbiter is sooner.
  const other = await fetch(`${house.address}/api/boards/b01/orders`, {
    method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'arbiter', action: 'result', result: '1/2-1/2', author: 'Ben' }),
  });
  assert.equal(other.status, 200);
  await page.locator('.phase', { hasText: '½–½' }).waitFor();
  await question.getByRole('button', { name: 'Declare 1–0' }).click();
  await page.getByText('Ben has given another order meanwhile: the arbiter: result ½–½').first().waitFor();
  assert.equal((await house.board('b01')).result.result, '1/2-1/2');
  // Whoever has seen that decides anew.
  await page.locator('.orders').getByRole('button', { name: '1–0', exact: true }).click();
  await question.getByRole('button', { name: 'Declare 1–0' }).click();
  await page.locator('.phase', { hasText: '1–0' }).waitFor();
  await page.close();
});
