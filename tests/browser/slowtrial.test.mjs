// A ruling on the page of a board: what comes first is the filled button, a press is seen at once, and what comes up after a while is not answered by a press that was aimed at something else.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6';

let house;
before(async () => {
  house = await House.open(1, 'language = "en"\n');
  await house.play('b01', MOVES, ['--breach', 'illegal-move@5', '--breach', 'illegal-move@9', '--speed', '10', '--seed', '9']);
  await until(async () => {
    const { ply, findings } = await house.board('b01');
    return ply === 14 && findings.length === 2;
  }, 'both are found, and play has gone on', 60_000);
});
after(() => house.close());

test('what comes first is the filled button', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01', { width: 1440, height: 900 });
  await page.locator('.need-panel.proposed').waitFor();
  const panels = await page.locator('.side-needs .need-panel').evaluateAll((all) => all.filter((one) => one.matches('.irregularity, .proposed')).map((one) => [one.classList.contains('proposed') ? 'result' : 'finding', one.querySelector('button.strong') !== null]));
  assert.deepEqual(panels, [['finding', true], ['finding', true], ['result', false]]);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a press is seen at once, and the question is held that comes up after a while', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01', { width: 1440, height: 900 });
  const uphold = page.locator('.irregularity[data-finding="1"]').getByRole('button', { name: 'Uphold' });
  const dialog = page.locator('dialog.confirm[open]');
  await uphold.click();
  await dialog.waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Uphold' }).isEnabled(), true, 'it has come at once');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.route('**/trial', async (route) => {
    await new Promise((done) => setTimeout(done, 700));
    await route.continue();
  });
  await uphold.click();
  assert.equal(await uphold.getAttribute('aria-busy'), 'true');
  await dialog.waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Uphold' }).isEnabled(), false, 'nobody has read it yet');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await uphold.getAttribute('aria-busy'), 'false');
  // A line that hangs leaves the ruling possible, and nobody in the dark.
  await page.unroute('**/trial');
  await page.route('**/trial', () => {});
  await uphold.click();
  await dialog.getByText('What follows from it could not be found out in time.').waitFor();
  await dialog.getByRole('button', { name: 'Uphold' }).click();
  await until(async () => (await house.board('b01')).findings[0].status === 'upheld', 'it is upheld');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('clocks of which nobody has said that they were set are told so once the game is over', { timeout: 60_000 }, async () => {
  const { game, findings: [, second] } = await house.board('b01');
  const order = async (body) => {
    const answer = await fetch(`${house.address}/api/boards/b01/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ event: 'arbiter', ...body }) });
    assert.equal(answer.status, 200, await answer.text());
  };
  await order({ action: 'dismiss', id: second.id });
  await until(async () => (await house.json('/api/incidents')).some(({ steps }) => steps.some(({ step, done }) => step === 'clocks' && !done)), 'the clocks are to be set');
  assert.deepEqual((await house.json(`/api/games/${game}`)).clocks_not_set, [], 'it waits');
  await order({ action: 'result', result: '1/2-1/2' });
  await until(async () => (await house.json(`/api/games/${game}`)).clocks_not_set.length === 1, 'it is told');
  const page = await house.page(`#/game/${game}`, { width: 1440, height: 900 });
  await page.locator('.protocol .found').getByText('Nobody has said that both clocks were set for it.').waitFor();
  await page.goto(`${house.address}/?gone#/incident/${game}.5`);
  await page.locator('.ruled').getByText('Nobody has said that both clocks were set for it.').waitFor();
  assert.deepEqual(page.complaints.filter((text) => !text.includes('404')), []);
  await page.close();
});
