// What is still to be done of a finding, worked out from the record and from what the board reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { leftOn, queenDue, queenOn, straightenedWord, wasPutRight, wereStraightened, wouldCut } from '../../daemon/console/state/offences.mjs';

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

const displaced = { code: 'piece-displaced', ply: 2, squares: ['d8', 'e8'], undone: null };
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
const after = (fens, more = {}) => ({ start_fen: START, fen: fens.at(-1), plies: fens.map((fen, n) => ({ fen, san: ['e4', 'e5'][n], uci: ['e2e4', 'e7e5'][n] })), restore: null, differs: [], ...more });

test('displaced pieces stand right again where the board equals the record, unless that has gone on from where they stood', () => {
  const right = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
  const wrong = right.replace('rnbqkbnr', 'rnbkqbnr');
  const said = [after([E4]), after([E4, right]), after([E4, wrong]), after([E4], { restore: E4 }), after([E4], { differs: ['d8', 'e8'] })].map((board) => wereStraightened(displaced, board));
  assert.deepEqual(said, [true, true, false, false, false]);
  assert.deepEqual([after([E4]), after([E4, right]), after([E4, wrong])].map((board) => straightenedWord(displaced, board)), ['finding.straightened', 'finding.gone-on', null], 'whoever went on may have put nothing right');
});

test('a declared loss may rest on what nobody has ruled on, as long as it waits and is against who has lost', () => {
  const found = { by: 'white', status: 'open', certainty: 'certain', code: 'illegal-move', penalty: { opponent_ms: 0, then: 'loss' } };
  const lost = { result: '0-1', proposed: false, reason: 'forfeit-illegal-moves' };
  assert.equal(leftOn({ findings: [found, { ...found, by: 'black' }], result: lost }), 1);
  assert.equal(leftOn({ findings: [{ ...found, status: 'upheld' }], result: lost }), 0);
  assert.equal(leftOn({ findings: [found], result: { ...lost, proposed: true } }), 0, 'that is said with the question itself');
  assert.equal(leftOn({ findings: [found], result: { ...lost, reason: 'resignation' } }), 0);
  assert.equal(leftOn({ findings: [found], result: null }), 0);
});
