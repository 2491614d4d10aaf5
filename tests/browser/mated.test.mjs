// A mate that a finding keeps from counting: every page says so, and before the finding is dismissed, or that is taken back, it is said what becomes of the result.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const PGN = [['Berg, Anna', 'Cole, Ben'], ['Dietz, Clara', 'Evers, Dan']].map(([white, black], n) => `[Round "1.${n + 1}"]\n[White "${white}"]\n[Black "${black}"]\n[Result "*"]\n\n*\n`).join('\n');
const MATE = '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#';
const STALEMATE = '1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3 8. Qxb8 Qh7 9. Qxc8 Kg6 10. Qe6';

let house;
before(async () => {
  house = await House.open(2, 'name = "Harbour Open"\nlanguage = "en"\n');
  await post('/api/pairings', { file: Buffer.from(PGN).toString('base64') });
  await post('/api/rounds/1/start', {});
  await Promise.all([
    house.play('b01', MATE, ['--breach', 'touch-move-own-piece@7', '--speed', '10']),
    house.play('b02', STALEMATE, ['--breach', 'touch-move-own-piece@19', '--speed', '20']),
  ]);
  await until(async () => (await house.board('b01')).ply === 7 && (await house.board('b01')).findings.length === 1, 'it is found', 60_000);
});
after(() => house.close());

const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test('nobody is to move after a mate that does not count yet', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01', { width: 1440, height: 900 });
  await page.locator('.phase', { hasText: 'Checkmate on the board, not decided yet' }).waitFor();
  assert.equal(await page.locator('.player .turn').count(), 0);
  assert.equal((await house.board('b01')).result, null);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('that the game ends with the dismissal is asked first, and so is that it goes on again', { timeout: 60_000 }, async () => {
  const { game, findings: [finding] } = await house.board('b01');
  const page = await house.page(`#/incident/${game}.${finding.ply}`, { width: 390, height: 844 });
  await page.locator('.dock').getByRole('button', { name: 'Dismiss' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('Then the game has ended: 1–0.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await house.board('b01')).result, null);
  await page.locator('.dock').getByRole('button', { name: 'Dismiss' }).click();
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await until(async () => (await house.board('b01')).result?.reason === 'checkmate', 'the mate counts');

  await page.locator('.ruled').getByRole('button').click();
  await dialog.getByText('The result 1–0 goes then: the game goes on.').waitFor();
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await until(async () => (await house.board('b01')).result === null, 'it counts no more');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the page of a board says the same before it is dismissed there', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01', { width: 1440, height: 900 });
  await page.locator('.irregularity').waitFor();
  // Twice in one moment: it is asked once.
  await page.evaluate(() => [1, 2].forEach(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'd', bubbles: true }))));
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('Then the game has ended: 1–0.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForTimeout(300);
  assert.equal(await dialog.count(), 0);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a result that is confirmed stays, and is not said to go', { timeout: 60_000 }, async () => {
  const { game, findings: [finding] } = await house.board('b01');
  const page = await house.page(`#/incident/${game}.${finding.ply}`, { width: 1440, height: 900 });
  await page.locator('.dock').getByRole('button', { name: 'Dismiss' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await until(async () => (await house.json('/api/rounds/1')).pairings[0].result === '1-0', 'the mate is proposed');
  const answer = await post('/api/rounds/1/confirm', { tables: [1] });
  assert.equal(answer.status, 200, await answer.text());
  await until(async () => (await house.json('/api/rounds/1')).pairings[0].confirmed, 'it is confirmed');
  await page.locator('.ruled').getByRole('button').click();
  await dialog.getByText('The finding waits for somebody again.').waitFor();
  assert.equal(await dialog.getByText('goes then').count(), 0);
  await dialog.getByRole('button', { name: 'Take back' }).click();
  // The mate counts no more by itself: that it was confirmed is what the result rests on.
  const reopened = await until(async () => {
    const board = await house.board('b01');
    return board.findings[0].status === 'open' && board;
  }, 'the finding waits again');
  assert.deepEqual([reopened.result.result, reopened.result.reason, reopened.held_back], ['1-0', 'confirmed', null]);
  await page.goto(`${house.address}/?again#/board/b01`);
  await page.locator('.phase', { hasText: '1–0 · confirmed at the desk' }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a stalemate that a finding keeps from counting is asked about as a mate is', { timeout: 90_000 }, async () => {
  const { game, findings: [finding], held_back: held } = await until(async () => {
    const board = await house.board('b02');
    return board.ply === 19 && board.findings.length === 1 && board;
  }, 'it is found', 60_000);
  assert.equal(held, 'stalemate');
  const page = await house.page('#/board/b02', { width: 1440, height: 900 });
  await page.locator('.phase', { hasText: 'Stalemate on the board, not decided yet' }).waitFor();
  assert.equal(await page.locator('.player .turn').count(), 0);
  await page.goto(`${house.address}/?incident#/incident/${game}.${finding.ply}`);
  const dismiss = page.locator('.dock').getByRole('button', { name: 'Dismiss' });
  await dismiss.click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('Then the game has ended: ½–½.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  // On a line that hangs the press is seen at once, and the ruling is possible all the same.
  await page.route('**/trial', () => {});
  await dismiss.click();
  assert.equal(await dismiss.getAttribute('aria-busy'), 'true');
  await dialog.getByText('What follows from it could not be found out in time.').waitFor();
  assert.equal(await dialog.locator('h2').innerText(), 'Dismiss it all the same?');
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await until(async () => (await house.board('b02')).result?.reason === 'stalemate', 'the stalemate counts');
  assert.deepEqual(page.complaints, []);
  await page.close();
});
