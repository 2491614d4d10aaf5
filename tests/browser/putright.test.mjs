// What is still to be done of a finding, worked out from the record and from what the board reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { queenDue, queenOn, wasPutRight, wouldCut } from '../../daemon/console/state/offences.mjs';

const READS = { pawn: 'Pnbqkbnrp...pppp................................P.PPPPPPRNBQKBNR', queen: 'Qnbqkbnrp...pppp................................P.PPPPPPRNBQKBNR' };
const left = { code: 'pawn-not-promoted', ply: 1, required: ['b7a8q'], squares: ['a8'], penalty: { opponent_ms: 120_000, then: null } };
const plies = [{ uci: 'b7a8q', san: 'bxa8=Q' }, { uci: 'g8f6', san: 'Nf6' }];

test('a pawn that is still on the last rank was not put right, though play has gone on', () => {
  const board = { plies, reading: READS.pawn };
  assert.equal(queenDue(left, board), 'a8');
  assert.equal(wasPutRight(left, board), false);
  assert.equal(wouldCut(left, board), false, 'its move stands');
  const replaced = { plies, reading: READS.queen };
  assert.deepEqual([queenDue(left, replaced), wasPutRight(left, replaced)], [null, true]);
  assert.equal(queenOn(left, replaced), 'a8', 'for the list of what was to be done');
});

test('where the Laws undo the move, no queen is put there', () => {
  const free = { ...left, required: ['b7a8q', 'b7a8r', 'b7a8b', 'b7a8n'] };
  const board = { plies: [], reading: READS.pawn };
  assert.equal(queenOn(free, board), null);
});
