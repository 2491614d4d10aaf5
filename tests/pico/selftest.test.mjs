// What a board finds out about its own parts: everything well, and each part broken in turn.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { settled, squares } from './bench.mjs';
import { toBoard } from './frames.mjs';

const SELF_TEST = 128;
const [PASSED, FAILED, UNTRIED] = [0, 1, 2];
const [SUPPLY, CONVERTER, CHAIN, LINES, SENSORS, FLASH, LEVER, CLOCK, BUTTONS] = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** The report: for each part its verdict and what was found. */
function report(bench) {
  bench.pico.send(toBoard.selfTest());
  const first = bench.next('tested', 500);
  const all = [first, ...Array.from({ length: first.count - 1 }, () => bench.next('tested', 500))];
  assert.deepEqual(all.map(({ number, count }) => [number, count]), all.map((_, n) => [n, all.length]));
  return new Map(all.map(({ part, verdict, found }) => [part, { verdict, found }]));
}

function check(bench, part, verdict, found) {
  const { verdict: is, found: was } = report(bench).get(part);
  assert.deepEqual([is, was], [verdict, found], `part ${part}`);
}

for (const [kind, sensors, found] of [['matrix', LINES, [0, 0]], ['shift-register', CHAIN, [8, 0]], ['hall', SENSORS, [0, 0]]]) {
  test(`${kind}: everything well, with the pieces on the board`, () => {
    const bench = settled(kind);
    bench.controls.set(1);
    bench.ask(3);
    assert.ok(bench.next('hello').capabilities & SELF_TEST);
    bench.run(50);
    const all = report(bench);
    assert.deepEqual([...all.keys()], [SUPPLY, CONVERTER, sensors, FLASH, LEVER, BUTTONS]);
    assert.deepEqual([...all.values()].map(({ verdict }) => verdict), [PASSED, PASSED, PASSED, PASSED, PASSED, PASSED]);
    assert.deepEqual(all.get(sensors).found, found);
    assert.ok(Math.abs(all.get(SUPPLY).found[0] - 4700) <= 3, `${all.get(SUPPLY).found[0]} mV`);
    assert.ok(Math.abs(all.get(CONVERTER).found[0] - 310) <= 6, `${all.get(CONVERTER).found[0]} tenths of a degree`);
    assert.deepEqual(all.get(FLASH).found, [kind === 'hall' ? 3 : 1, 0]);
    // The board goes on: no scan was late, and the next change is told.
    bench.set(squares('e2'), 0n);
    bench.next('change');
    assert.equal(bench.next('heartbeat').late, 0);
  });
}

test('supply and thermometer out of their range', () => {
  const bench = settled('shift-register');
  bench.rails.set(3.5, 31);
  const { verdict, found } = report(bench).get(SUPPLY);
  assert.equal(verdict, FAILED);
  assert.ok(Math.abs(found[0] - 3500) <= 3);
  bench.rails.set(5, -30);
  const cold = report(bench).get(CONVERTER);
  assert.equal(cold.verdict, FAILED);
  assert.ok(Math.abs((cold.found[0] | 0) + 300) <= 6, `${cold.found[0] | 0}`);
});

test('a broken chain, a shorted file, a rank that cannot be set, a dead sensor', () => {
  const chain = settled('shift-register');
  chain.sensor.broken = true;
  check(chain, CHAIN, FAILED, [8, 8]);
  const matrix = settled('matrix');
  matrix.sensor.grounded = 1 << 3;
  matrix.sensor.settle();
  check(matrix, LINES, FAILED, [1 << 3, 0]);
  matrix.sensor.grounded = 0;
  matrix.sensor.shorted = 1 << 5;
  matrix.sensor.settle();
  check(matrix, LINES, FAILED, [0, 1 << 5]);
  const hall = settled('hall');
  hall.set(0n, 0n);
  hall.sensor.zeros[12] = 0;
  hall.sensor.zeros[63] = 4095;
  check(hall, SENSORS, FAILED, [1 << 12, (1 << 31) >>> 0]);
});

test('lever, clock and buttons', () => {
  const bench = settled('matrix');
  for (const [down, lever, buttons] of [
    [0, UNTRIED, PASSED],
    [2, PASSED, PASSED],
    [3, FAILED, PASSED],
    [1 | 4, PASSED, FAILED],
    [1 | 8, PASSED, FAILED],
  ]) {
    bench.controls.set(down);
    bench.run(20);
    check(bench, LEVER, lever, [down & 3, 0]);
    check(bench, BUTTONS, buttons, [down >> 2, 0]);
  }
  const clock = settled('shift-register-dgt3000');
  clock.run(2500);
  check(clock, CLOCK, PASSED, [1, 0]);
});

test('a damaged page, and a flash chip that takes nothing', () => {
  const bench = settled('hall');
  bench.pico.chip.flash[2 * 1024 * 1024 - 2 * 4096 + 40] ^= 4;
  check(bench, FLASH, FAILED, [1, 1]);
  const worn = settled('matrix');
  worn.power({ asks: false });
  worn.pico.rom.program = () => {};
  worn.ask();
  worn.next('hello');
  check(worn, FLASH, FAILED, [0, 0]);
});
