// How urgent a board is: nothing of the game before counts where none of it is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CERTAIN, DOUBT, urgencyOf } from '../../daemon/console/state/urgency.mjs';

const FOUND = { id: 1, status: 'open', certainty: 'certain', claim: null };
const BOARD = { id: 'b01', state: 'running', ply: 3, findings: [FOUND], doubts: [], result: null, restore: null, asked: null, unset: null, fault: null };

test('what was found in the game before makes the next one no more urgent', () => {
  assert.equal(urgencyOf(BOARD).rank, CERTAIN);
  assert.equal(urgencyOf({ ...BOARD, unset: { round: '2.1', white: 'Berg, Anna', black: 'Cole, Ben' } }).rank, DOUBT);
});
