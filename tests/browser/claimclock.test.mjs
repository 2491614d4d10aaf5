// After a wrong claim the clocks are to show what they show now, and not what they showed when the move before was pressed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneBoard, until } from './house.mjs';

const hall = oneBoard();
const { board, order, page } = hall;

test('the claimant’s clock has run on since it was told', { timeout: 60_000 }, async () => {
  await hall.hands('e2e4', 'e7e5', 'wait 4000');
  await until(async () => (await board()).ply === 2, 'they play');
  await order({ event: 'claim', by: 'white', kind: 'threefold' });
  const { findings: [finding], white_ms: white, black_ms: black } = await until(async () => { const told = await board(); return told.findings.length > 0 && told; }, 'it is wrong');
  assert.equal(finding.code, 'incorrect-draw-claim');
  await order({ event: 'arbiter', action: 'uphold', id: finding.id });
  const [{ id, rulings: [{ dials }] }] = await until(async () => { const all = await hall.house.json('/api/incidents'); return all[0]?.rulings.length > 0 && all; }, 'it is ruled');
  assert.ok(dials.white.from <= white - 4_000 && dials.white.from > white - 30_000, `${JSON.stringify(dials)}, told ${white}`);
  assert.deepEqual([dials.white.to, dials.black.from, dials.black.to], [dials.white.from, black, black + 120_000]);
  const seconds = Math.floor(dials.white.to / 1_000);
  const shown = `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  const one = await page(`#/incident/${id}`);
  await one.locator('.dials').getByText(shown).first().waitFor();
  await one.close();
});
