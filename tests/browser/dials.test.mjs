// What clocks are to show after several rulings, and for which of them somebody says that they do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clocksLeft, sumOf, timedOf } from '../../daemon/console/state/dials.mjs';

/** A ruling that gives Black two minutes where both clocks showed these times. */
const ruling = (order, [white, black], isSet = false) => ({
  order,
  clocks_set: isSet,
  dials: { white: { from: white, add: 0, to: white }, black: { from: black, add: 120_000, to: black === null ? null : black + 120_000 } },
});
const incident = (ply, ...rulings) => ({ id: `g.${ply}`, game: 'g', ply, rulings, steps: [{ step: 'clocks', done: false }] });
const NOW = [600_000, 700_000];
const LATER = [590_000, 680_000];
const GONE_ON = [null, null];

test('two rulings of one incident are one sum, be one of them set', () => {
  for (const isSet of [false, true]) {
    const sum = sumOf([incident(5, ruling('a', NOW, isSet), ruling('b', NOW))]);
    assert.deepEqual([sum.white.to, sum.black.add, sum.black.to], [600_000, 240_000, 940_000]);
  }
});

test('what is on the clocks already is not added to what they show', () => {
  for (const times of [GONE_ON, LATER]) {
    const one = incident(5, ruling('a', NOW, true), ruling('b', times));
    assert.deepEqual([sumOf([one]).black.add, sumOf([one]).black.to], [120_000, null]);
    assert.equal(sumOf([incident(5, ruling('a', NOW), ruling('b', times))]).black.add, 240_000);
  }
  // Nor where no clock tells.
  assert.equal(sumOf([incident(5, ruling('a', GONE_ON, true), ruling('b', GONE_ON))]).black.add, 120_000);
});

test('no time is said as when the first was found where the second rests on others', () => {
  const sum = sumOf([incident(5, ruling('a', NOW)), incident(7, ruling('b', LATER))]);
  assert.deepEqual([sum.white, sum.black], [{ from: null, add: 0, to: null }, { from: null, add: 240_000, to: null }]);
});

test('it is said of each ruling that is not set', () => {
  const all = [incident(7, ruling('c', GONE_ON)), incident(5, ruling('a', NOW, true), ruling('b', NOW), { order: 'd', dials: null })];
  const left = clocksLeft(all, all[0]);
  assert.deepEqual(left.map(({ ply }) => ply), [5, 7]);
  assert.deepEqual(left.flatMap(timedOf).map(({ order }) => order), ['b', 'c']);
});
