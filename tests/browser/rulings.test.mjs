// Which ruling stands beside which finding, and when a game has its result by what was said of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { endSaid, rulingsOf, wasLate } from '../../daemon/console/record/rulings.mjs';

const found = (id, at, by, status = 'upheld') => ({ id, at, by, status, code: 'illegal-move' });
const given = (author, line, undone = null) => ({ line: { event: 'arbiter', author, ...line }, time: '', undone });
const report = (author, at, by) => given(author, { action: 'report', code: 'illegal-move', at, by });
const uphold = (author, at, id, undone) => given(author, { action: 'uphold', id, at }, undone);
const authors = (findings, orders) => {
  const rulings = rulingsOf(findings, orders);
  return findings.map(({ id }) => rulings.get(id)?.line.author ?? null);
};

test('of two findings of one code each has its own ruling', () => {
  assert.deepEqual(authors([found(1, 1000, 'white'), found(2, 2900, 'black')], [report('Ada', 1000, 'white'), uphold('Ben', 3000, 2)]), ['Ada', 'Ben']);
  assert.deepEqual(authors([found(1, 1000, 'white'), found(2, 3000, 'white')], [uphold('Ben', 1100, 1), report('Ada', 3000, 'white')]), ['Ben', 'Ada']);
});

test('each report is one finding\'s: that of its moment, or one of the same side that waited', () => {
  assert.deepEqual(authors([found(1, 2900, 'white'), found(2, 2000, 'white')], [report('Ada', 2000, 'white'), report('Ben', 3000, 'white')]), ['Ben', 'Ada']);
  assert.deepEqual(authors([found(1, 1000, 'white'), found(2, 2600, 'white')], [report('Ada', 2000, 'black'), report('Ben', 2500, 'white')]), ['Ben', null]);
  assert.deepEqual(authors([found(1, 1000, 'either')], [report('Ada', 1000, undefined)]), ['Ada']);
});

test('what waits has no ruling, and one that was taken back is none', () => {
  assert.deepEqual(authors([found(1, 1000, 'white', 'open')], [report('Ada', 2000, 'white')]), [null]);
  assert.deepEqual(authors([found(1, 1000, 'white')], [uphold('Ada', 1100, 1, { who: 'Ada', time: '' }), uphold('Ben', 1200, 1)]), ['Ben']);
});

const said = (at, what, result) => ({ at, what, result });

test('a result that was withdrawn, or waits, ends no game', () => {
  assert.equal(endSaid([]), null);
  assert.equal(endSaid([said(10, 'entered', '1-0')]), 10);
  assert.equal(endSaid([said(10, 'entered', '1-0'), said(20, 'entered', '0-1')]), 10, 'it had its result, be it another');
  assert.equal(endSaid([said(10, 'entered', '1-0'), said(20, 'withdrawn', null)]), null);
  assert.equal(endSaid([said(10, 'typed', '1-0')]), null);
  assert.equal(endSaid([said(10, 'typed', '1-0'), said(30, 'confirmed', '1-0')]), 30);
  assert.equal(endSaid([said(10, 'entered', '1-0'), said(20, 'withdrawn', null), said(30, 'typed', '0-1'), said(40, 'confirmed', '0-1'), said(50, 'confirmed', '0-1')]), 40);
});

test('what is upheld after a result was withdrawn is not late', () => {
  const order = { event: 'arbiter', action: 'uphold', id: 1, wall: 30 };
  const withdrawn = [said(10, 'entered', '1-0'), said(20, 'withdrawn', null)];
  assert.equal(wasLate({ given: [order], ended: null, results: withdrawn }, { id: 1 }), false);
  assert.equal(wasLate({ given: [order], ended: null, results: [...withdrawn, said(25, 'entered', '0-1')] }, { id: 1 }), true);
  assert.equal(wasLate({ given: [order], ended: null, results: [...withdrawn, said(40, 'entered', '0-1')] }, { id: 1 }), false);
});
