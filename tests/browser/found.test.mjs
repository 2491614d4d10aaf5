// What was found is shown where it belongs, and as what it is by now: put right meanwhile, not ruled on, left over where a result stands already.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6';

let house;
before(async () => { house = await House.open(1); });
after(() => house.close());

test('two illegal moves that were put right: marked where they were, counted as not ruled on', { timeout: 120_000 }, async () => {
  await house.play('b01', MOVES, ['--breach', 'illegal-move@5', '--breach', 'illegal-move@9', '--speed', '10', '--seed', '9']);
  const told = await until(async () => {
    const board = await house.board('b01');
    return board.ply === 14 && board.findings.filter(({ status }) => status === 'open').length === 2 && board;
  }, 'both are found, and play has gone on', 60_000);
  assert.deepEqual(told.findings.map(({ penalty }) => penalty.then), [null, 'loss']);

  const page = await house.page('#/board/b01');
  const badge = page.locator('.player', { hasText: 'Anna Berg' }).locator('.offences');
  await badge.waitFor();
  assert.match(await badge.getAttribute('class'), /proposed/);
  assert.equal(await badge.innerText(), '2 illegal moves / 2 · 2 not ruled on');
  const [first, second] = [0, 1].map((n) => page.locator('.need-panel.irregularity').nth(n));
  await first.getByText('The move has been put right since').waitFor();
  assert.equal(await first.locator('.required').count(), 0, 'no move is required any more');
  assert.equal(await first.getByText('Only if the offence').count(), 0);
  await second.getByText('Only if the offence of move 3 is upheld').waitFor();

  // Over what was played since, nothing of it is drawn.
  const marks = page.locator('.position square.mark-finding:visible');
  const arrows = page.locator('.position .cg-shapes line');
  assert.deepEqual([await marks.count(), await arrows.count()], [0, 0]);
  await first.getByRole('button', { name: 'Show before' }).click();
  await marks.first().waitFor();
  await page.keyboard.press('ArrowRight');
  await until(async () => (await marks.count()) === 0, 'the move that was played in its place is another');

  await first.getByRole('button', { name: 'Uphold' }).click();
  const dialog = page.locator('dialog.confirm[open]');
  assert.match(await dialog.innerText(), /The move has been put right since.*the position stays/s);
  await dialog.getByRole('button', { name: 'Uphold' }).click();
  await badge.getByText('1 not ruled on').waitFor();
  assert.equal(await page.locator('.need-panel.irregularity').getByText('Only if the offence').count(), 0);
  // What is proposed rests on the second one itself.
  await page.locator('.need-panel.proposed').getByText('Only if the offence of move 5 is upheld').waitFor();
  await page.locator('.need-panel.proposed').getByRole('button').first().click();
  await dialog.getByText('Only if the offence of move 5 is upheld').waitFor();
  await page.keyboard.press('Escape');

  // The result is only proposed: the clocks wait until somebody has set them.
  const incidents = await house.json('/api/incidents');
  const ruled = incidents.find(({ ply }) => ply === told.findings[0].ply);
  assert.equal(ruled.steps.find(({ step }) => step === 'clocks').done, false);

  // On a tablet there is room for the names besides.
  await page.setViewportSize({ width: 768, height: 1024 });
  const names = await page.locator('.player .name').evaluateAll((all) => all.map((one) => [one.textContent, one.scrollWidth <= one.clientWidth]));
  assert.deepEqual(names, [['Ben Cole', true], ['Anna Berg', true]]);

  // The incident of the second one says what was to be done as what was said then.
  const other = incidents.find(({ ply }) => ply === told.findings[1].ply);
  await page.goto(`${house.address}/#/incident/${other.id}`);
  await page.locator('.need-panel .hint', { hasText: 'When it was found: ' }).waitFor();

  // The protocol tells the ruling beside its finding, and not once more.
  await page.goto(`${house.address}/#/game/${told.game}`);
  await page.locator('.protocol .found').first().getByText('finding 1 upheld').waitFor();
  assert.equal(await page.locator('.protocol').getByText('finding 1 upheld').count(), 1);

  // Once the second is upheld nothing is left to be done of the first while the loss waits: it is not said to be settled, nor that its time was given.
  const uphold = await fetch(`${house.address}/api/boards/b01/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ event: 'arbiter', action: 'uphold', id: told.findings[1].id }) });
  assert.equal(uphold.status, 200);
  const gone = await house.page(`#/incident/${ruled.id}`);
  await gone.getByText('Nothing is done here while a result waits to be declared').waitFor();
  await gone.locator('.ruled').getByRole('button', { name: 'Take back' }).click();
  await gone.locator('dialog.confirm[open]', { hasText: 'If time was added for it' }).getByRole('button', { name: 'Cancel' }).click();
  await gone.close();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a table of the hall with something to be ruled on is not done', { timeout: 60_000 }, async () => {
  const page = await house.page('?modules#/map');
  const marks = await page.evaluate(async () => {
    const { markOf } = await import('/state/tables.mjs');
    const { applyUpdate } = await import('/state/store.mjs');
    const doubt = { ply: 3, kind: 'promotion-piece', squares: ['a8'], readings: [], text: '' };
    const finding = { id: 1, ply: 3, status: 'open', certainty: 'likely', claim: null, code: 'illegal-move', by: 'white', article: '7.5.1' };
    const round = { unruled: [7], postponed: [], waiting: [1] };
    const of = (fields, pairing = {}) => {
      applyUpdate({ board: 'x1', update: 'board', game: 'g', state: 'rest', connected: true, fault: null, white_ms: null, black_ms: null, ...fields });
      return markOf({ table: 1, board: 'x1', game: 'g', result: null, confirmed: false, how: null, ...pairing }, round);
    };
    const over = { result: '1-0', confirmed: true, how: 'board' };
    const ended = { state: 'ended', result: { result: '1-0', proposed: false } };
    return {
      done: of({ ...ended, doubts: [], findings: [] }, over),
      doubted: of({ ...ended, doubts: [doubt], findings: [] }, over),
      found: of({ ...ended, doubts: [], findings: [finding] }, over),
      another: of({ ...ended, game: 'h', doubts: [], findings: [] }, { ...over, table: 7 }),
      fault: of({ result: null, doubts: [], findings: [], connected: false, fault: 'unplugged' }),
      asked: of({ result: null, doubts: [doubt], findings: [], connected: false, fault: 'unplugged' }),
      // The game of the round before stands on the board still.
      before: of({ ...ended, doubts: [doubt], findings: [finding] }, { game: null }),
      played: of({ result: null, doubts: [], findings: [finding], plies: [{}], ply: 1 }, { game: null }),
    };
  });
  assert.deepEqual(marks, { before: 'waiting', played: 'waiting', done: 'done', doubted: 'question', found: 'question', another: 'question', fault: 'fault', asked: 'question' });
  await page.close();
});

test('what a board read before it went is shown as that', { timeout: 60_000 }, async () => {
  // Its player has played all his moves, and has left.
  await until(async () => !(await house.board('b01')).connected, 'the board is away');
  const page = await house.page('#/devices');
  await page.locator('[data-board="b01"] .past').getByText(/^Read \d.* ago$/).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});
