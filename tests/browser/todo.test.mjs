// What is left to be done after a ruling stands on the board's page as well, until it is done; taken back, the clocks are set back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const SHORT = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';

let house;
before(async () => { house = await House.open(1, 'language = "en"\n'); });
after(() => house.close());

test('a ruling that is given at the board leaves its list there', { timeout: 120_000 }, async () => {
  await house.play('b01', SHORT, ['--breach', 'illegal-move@7', '--speed', '8']);
  await until(async () => (await house.board('b01')).findings.some(({ status, certainty }) => status === 'open' && certainty === 'certain'), 'a finding', 60_000);
  const page = await house.page('#/');
  await page.evaluate(() => localStorage.setItem('arbiter-name', 'Ada'));
  await page.goto(`${house.address}/?ada#/board/b01`);
  await page.locator('.need-panel.irregularity').getByRole('button', { name: 'Uphold' }).first().click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Uphold' }).click();
  const list = page.locator('.to-do');
  await list.getByText('Illegal move: upheld').waitFor();
  await list.getByText(/^by Ada, \d\d:\d\d:\d\d$/).waitFor();
  // Where the player has put the piece back by himself, the position is not asked for; where he has moved since, no move either.
  const steps = await list.locator('.step').evaluateAll((all) => all.map((one) => one.dataset.step));
  assert.deepEqual(steps.filter((step) => !['position', 'moves'].includes(step)), ['clocks']);
  await page.reload();
  await list.locator('[data-step="clocks"]').getByRole('button', { name: 'Both clocks are set' }).click();
  // The player has played on meanwhile: all is done then, and the list goes.
  await list.waitFor({ state: 'detached' });

  // Taken back, it says by how much the clock goes back, and asks for it until it is done.
  const { game, findings: [{ ply }] } = await house.board('b01');
  await page.goto(`${house.address}/?ada#/incident/${game}.${ply}`);
  await page.locator('.ruled').getByRole('button', { name: 'Take back' }).click();
  const dialog = page.locator('dialog.confirm');
  await dialog.getByText(/Black: −2:00/).waitFor();
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await page.locator('[data-step="clocks-back"]').waitFor();
  await page.goto(`${house.address}/?ada#/board/b01`);
  const back = list.locator('[data-step="clocks-back"]');
  await back.getByText(/^Black: −2:00/).waitFor();
  await page.locator('.need-panel.irregularity').first().waitFor();
  await back.getByRole('button', { name: 'Both clocks are set' }).click();
  await list.waitFor({ state: 'detached' });
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('only a move is put right by the players, and never a claim', { timeout: 60_000 }, async () => {
  const page = await house.page('?modules#/');
  const told = await page.evaluate(async () => {
    const { hasGoneOn, proposedOn, wasPutRight, wouldCut } = await import('/state/offences.mjs');
    const board = { restore: null, plies: [{ uci: 'e2e4', san: 'e4' }] };
    const stands = { restore: null, plies: [{ uci: 'e2e5', san: 'e2e5' }] };
    const of = (code, required = ['e2e4']) => ({ code, ply: 1, penalty: { opponent_ms: 120_000, then: null }, required });
    return {
      move: wasPutRight(of('illegal-move'), board),
      claim: wasPutRight(of('incorrect-draw-claim'), board),
      hands: wasPutRight(of('two-hands', null), board),
      // The time that is given is on top of what the clock shows by then.
      goneOn: [hasGoneOn(of('clock-pressed-without-move', null), board), hasGoneOn(of('illegal-move'), { ...board, plies: [] })],
      // Another position is put back meanwhile.
      besides: wasPutRight(of('illegal-move'), { ...board, restore: 'there' }),
      // A loss of White's rests on what nobody has ruled on of his.
      rests: ['0-1', '1-0'].map((result) => proposedOn({
        result: { result, proposed: true, reason: 'forfeit-illegal-moves' },
        findings: [{ ...of('illegal-move'), id: 1, by: 'white', status: 'open', certainty: 'certain' }, { ...of('illegal-move'), id: 2, by: 'white', status: 'upheld', certainty: 'certain' }],
      }).map(({ id }) => id)),
      cut: [wouldCut(of('touch-move-own-piece'), board), wouldCut(of('illegal-move'), stands), wouldCut(of('illegal-move'), board), wouldCut(of('two-hands', null), board)],
    };
  });
  assert.deepEqual(told, { move: true, claim: false, hands: false, goneOn: [true, false], besides: true, rests: [[1], []], cut: [true, true, false, false] });
  await page.close();
});
