// A board whose clock is a DGT3000: presses and times come over its jack.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Bench, START, squares } from './bench.mjs';
import { toBoard } from './frames.mjs';

const [WHITE, BLACK] = [0, 1];
const [SPEAKS, WHITE_RUNS, BLACK_RUNS, WHITE_FELL, BLACK_FELL] = [1, 2, 4, 8, 16];
const BUTTONS = 5;

/** A board that its host knows, with a clock that has told its times. */
function playing(options) {
  const bench = new Bench('shift-register-dgt3000', options);
  bench.set(START);
  bench.run(2500);
  return bench;
}

const presses = (bench, from = 0) => bench.messages.slice(from).filter(({ kind }) => kind === 'press');

/** Lets the lever go over, and returns what is told of it. */
function press(bench) {
  bench.clock.press();
  return bench.next('press', 100);
}

for (const kind of ['matrix', 'shift-register']) {
  for (const lamps of ['', '-lamps']) {
    test(`${kind}${lamps}-dgt3000: tells a press with the clock's times, once and soon`, () => {
      const bench = new Bench(`${kind}${lamps}-dgt3000`);
      bench.set(START);
      assert.equal(bench.next('hello').capabilities & 5, 5);
      bench.run(2500);
      Object.assign(bench.clock, { left: 5399, right: 3601 });
      bench.run(1000);
      const at = bench.pico.ms;
      const told = press(bench);
      assert.deepEqual([told.side, told.white, told.black], [BLACK, 5399_000, 3601_000]);
      // The frame takes 0.8 ms, the filter 3, the loop and USB at most one each.
      assert.ok(told.at - at <= 6, `${told.at - at} ms`);
      bench.run(500);
      assert.equal(presses(bench).length, 1);
    });
  }
}

test('hall-dgt3000: tells presses and pieces in their order, also after a calibration', () => {
  const bench = new Bench('hall-dgt3000');
  bench.run(40);
  bench.pico.send(toBoard.calibrate());
  bench.next('levels', 3000);
  bench.run(40);
  bench.set(START, 0n);
  bench.run(1500);
  const before = bench.messages.length;
  bench.set(START & ~squares('e2'), 0n);
  bench.run(200);
  bench.set((START & ~squares('e2')) | squares('e4'), 0n);
  bench.clock.press();
  bench.run(200);
  const evidence = bench.messages.slice(before).filter(({ seq }) => seq !== undefined);
  assert.deepEqual(evidence.map(({ kind }) => kind), ['change', 'change', 'press']);
});

test('GP28 tells who sits at the left of the clock', () => {
  for (const [seat, side] of [[false, BLACK], [true, WHITE]]) {
    const bench = playing({ seat });
    bench.clock.left = 100;
    bench.run(1000);
    const told = press(bench);
    assert.equal(told.side, side);
    assert.equal(told[seat ? 'black' : 'white'], 100_000);
  }
});

test('a game of twenty moves: every press once, in turn, with what the clock told last', () => {
  const bench = playing();
  const expected = [];
  for (let move = 0; move < 40; move++) {
    bench.run(150 + ((move * 677) % 1300));
    const { left, right, leftIsDown } = bench.clock;
    expected.push([leftIsDown ? BLACK : WHITE, left * 1000, right * 1000]);
    bench.clock.press();
    bench.run(60);
  }
  const told = presses(bench).map(({ side, white, black }) => [side, white, black]);
  assert.deepEqual(told.map(([side]) => side), expected.map(([side]) => side));
  // What was told last is a second old at most.
  told.forEach((times, n) => [1, 2].forEach((at) => assert.ok(Math.abs(times[at] - expected[n][at]) <= 1000, `${times} of ${expected[n]}`)));
  assert.equal(bench.clock.block.overruns, 0);
  const face = bench.heard('clock').at(-1);
  assert.ok(face.bits === (SPEAKS | WHITE_RUNS) || face.bits === (SPEAKS | BLACK_RUNS), `bits ${face.bits}`);
});

test('frames about the lever that are damaged: the times tell it, later, and nothing is invented', () => {
  const bench = playing();
  bench.clock.spoil = (kind) => kind === BUTTONS;
  bench.clock.press();
  assert.equal(bench.next('press', 2100).side, BLACK);
  bench.clock.spoil = () => true;
  const before = bench.messages.length;
  bench.run(6000);
  assert.deepEqual(presses(bench, before), []);
  assert.equal(bench.heard('clock').at(-1).bits & SPEAKS, 0);
});

test('a flag is told a second after nothing is left', () => {
  const bench = playing();
  press(bench);
  bench.clock.left = 3;
  const at = bench.pico.ms;
  bench.run(6500, () => bench.heard('clock').at(-1).bits & (WHITE_FELL | BLACK_FELL));
  const face = bench.heard('clock').at(-1);
  assert.equal(face.bits & (WHITE_FELL | BLACK_FELL), WHITE_FELL);
  assert.ok(bench.pico.ms - at > 3000, `${bench.pico.ms - at} ms`);
});

test('a clock that is off is woken, by nothing but a wake-up', () => {
  const bench = new Bench('shift-register-dgt3000');
  bench.clock.isOn = false;
  bench.set(START);
  bench.run(3000);
  assert.deepEqual(bench.clock.woken, [[0x20, 0x05, 0x0d, 0x46]]);
  assert.equal(bench.heard('clock').at(-1).bits & SPEAKS, SPEAKS);
  assert.equal(press(bench).side, BLACK);
});

test('a clock that was switched off is left alone, and was not pressed when it comes back', () => {
  const bench = playing();
  const woken = bench.clock.woken.length;
  bench.clock.switchOff();
  bench.run(20_000);
  assert.equal(bench.clock.woken.length, woken);
  assert.equal(bench.heard('clock').at(-1).bits & SPEAKS, 0);
  bench.clock.leftIsDown = false;
  bench.clock.switchOn();
  bench.run(3000);
  assert.deepEqual(presses(bench), []);
  assert.equal(bench.heard('clock').at(-1).bits & SPEAKS, SPEAKS);
  assert.equal(press(bench).side, WHITE);
});

test('the plug is pulled in the middle of a frame and put in again', () => {
  const bench = playing();
  bench.clock.press();
  bench.run(0.5);
  bench.clock.isPlugged = false;
  bench.run(8000);
  assert.deepEqual(presses(bench), []);
  const gone = bench.heard('clock').at(-1);
  assert.deepEqual([gone.bits & SPEAKS, gone.white], [0, undefined]);
  bench.clock.isPlugged = true;
  bench.run(2000);
  assert.deepEqual(presses(bench), [], 'nobody knows when it was pressed');
  assert.equal(press(bench).side, WHITE);
});

test('a press while the board restarts is told, and none when power was gone', () => {
  for (const warm of [true, false]) {
    const bench = playing();
    press(bench);
    bench.run(1000);
    const before = bench.messages.length;
    bench.clock.leftIsDown = true;
    bench.power({ seed: 5, warm });
    bench.run(3500);
    assert.deepEqual(presses(bench, before).map(({ side }) => side), warm ? [WHITE] : []);
  }
});

test('presses while the loop stands still wait in the block, which holds the bus', () => {
  const bench = playing();
  const { core } = bench.pico.chip;
  const { enabledInterrupts } = core;
  core.enabledInterrupts = 0;
  bench.clock.press();
  bench.clock.press();
  bench.clock.press();
  bench.run(20);
  assert.equal(bench.clock.block.received.length, 16);
  core.enabledInterrupts = enabledInterrupts;
  bench.run(200);
  assert.deepEqual(presses(bench).map(({ side }) => side), [BLACK, WHITE, BLACK]);
  assert.equal(bench.clock.block.overruns, 0);
});
