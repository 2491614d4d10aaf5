// Every image on an emulated RP2040: what its sensors read is what its host hears.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { BLACK, Bench, START, settled, squares } from './bench.mjs';
import { toBoard } from './frames.mjs';

const DEBOUNCE_MS = 4;
const [E2, E4] = [12, 28];
const NOT_CALIBRATED = 8;

for (const kind of ['matrix', 'shift-register', 'hall']) {
  describe(kind, () => {
    test('says what it is, and what stands on it', () => {
      const bench = new Bench(kind);
      bench.set(START, BLACK);
      const hello = bench.next('hello');
      assert.equal(hello.serial, 'e660583883123456');
      assert.equal(hello.sensor, kind === 'hall' ? 1 : 0);
      assert.equal(hello.capabilities, 1 | 4 | (kind === 'hall' ? 16 : 0));
      if (kind === 'hall') return;
      const { squares: read } = bench.next('snapshot');
      assert.deepEqual(read, Array.from({ length: 64 }, (_, n) => (n < 16 || n >= 48 ? 1 : 0)));
    });

    test('tells a move and its press once, in order, within the debounce and two milliseconds', () => {
      const bench = settled(kind);
      const before = bench.messages.length;
      const lifted = START & ~squares('e2');
      const at = bench.pico.ms;
      bench.set(lifted, BLACK);
      const lift = bench.next('change');
      assert.deepEqual(lift.changes, [[E2, 0]]);
      assert.ok(lift.at - at <= DEBOUNCE_MS + 2, `${lift.at - at} ms`);
      bench.run(300);
      for (const ms of [1, 2, 1, 1]) {
        bench.set(lifted | squares('e4'), BLACK);
        bench.run(ms);
        bench.set(lifted, BLACK);
        bench.run(1);
      }
      bench.set(lifted | squares('e4'), BLACK);
      bench.run(100);
      bench.controls.set(1);
      bench.run(100);
      bench.controls.set(2 | 4);
      bench.run(100);
      const evidence = bench.messages.slice(before).filter((message) => message.seq !== undefined);
      assert.deepEqual(
        evidence.map(({ kind, changes, side }) => changes ?? [kind, side]),
        [[[E2, 0]], [[E4, 1]], ['press', 0], ['press', 1], ['adjust', 0]],
      );
    });

    test('is another run after a restart, and sends again what is asked for', () => {
      const bench = settled(kind);
      const [first] = bench.heard('hello');
      bench.power({ seed: 2 });
      assert.notEqual(bench.next('hello').boot, first.boot);
      bench.pico.send(toBoard.hello());
      assert.equal(bench.next('hello').serial, first.serial);
      assert.equal(bench.next('heartbeat').damaged, 0);
    });
  });
}

for (const kind of ['matrix-lamps', 'shift-register-lamps', 'hall-lamps']) {
  test(`${kind}: lights what the host asks for, and nothing before`, () => {
    const bench = new Bench(kind);
    assert.ok(bench.next('hello').capabilities & 2);
    assert.equal(bench.lamps.lit, 0n);
    const wanted = squares('e2', 'e4', 'a1', 'h8');
    bench.pico.send(toBoard.lamps(wanted));
    bench.run(20);
    assert.equal(bench.lamps.lit, wanted);
  });
}

test('a broken chain is told, and nothing is invented', () => {
  const bench = settled('shift-register');
  const before = bench.messages.length;
  bench.sensor.broken = true;
  const told = bench.next('condition');
  assert.deepEqual([told.trouble, told.part], [4, 0]);
  assert.equal(told.stuck, (1n << 64n) - 1n);
  bench.run(500);
  bench.sensor.broken = false;
  bench.run(100);
  const { trouble, stuck } = bench.heard('condition').at(-1);
  assert.deepEqual([trouble, stuck], [0, 0n]);
  assert.deepEqual(bench.messages.slice(before).filter((message) => message.seq !== undefined), []);
});

test('a column shorted to the supply is told as a whole file', () => {
  const bench = settled('matrix');
  bench.sensor.shorted = 1 << 3;
  bench.sensor.settle();
  const told = bench.next('condition');
  assert.deepEqual([told.trouble, told.part, told.stuck], [6, 8, 0x0808080808080808n]);
});

test('Hall sensors tell colours once they are calibrated, and still do after a restart', () => {
  const bench = new Bench('hall');
  assert.equal(bench.next('condition').trouble, NOT_CALIBRATED);
  bench.pico.send(toBoard.calibrate());
  const { squares: levels } = bench.next('levels', 3000);
  levels.forEach(({ zero }, file) => assert.ok(Math.abs(zero - bench.sensor.zeros[file]) <= 4, `file ${file}: ${zero}`));
  bench.run(200);
  assert.equal(bench.heard('condition').at(-1).trouble, 0);
  bench.set(START, BLACK);
  bench.run(100);
  const before = bench.messages.length;
  bench.power({ seed: 3 });
  const { squares: read } = bench.next('snapshot');
  assert.deepEqual(read, Array.from({ length: 64 }, (_, n) => (n < 16 ? 1 : n >= 48 ? 2 : 0)));
  assert.deepEqual(bench.messages.slice(before).filter(({ trouble }) => trouble), []);
});

test('a damaged calibration in flash is none', () => {
  const bench = settled('hall');
  const kept = 2 * 1024 * 1024 - 4096;
  bench.pico.chip.flash[kept + 40] ^= 4;
  bench.power();
  assert.equal(bench.next('condition').trouble, NOT_CALIBRATED);
});

test('a press while the board restarts is told, and none when power was gone', () => {
  for (const warm of [true, false]) {
    const bench = settled('shift-register');
    bench.controls.set(1);
    assert.equal(bench.next('press').side, 0);
    bench.run(50);
    const before = bench.messages.length;
    bench.power({ seed: 5, warm });
    bench.controls.set(2);
    bench.run(200);
    const presses = bench.messages.slice(before).filter((message) => message.kind === 'press');
    assert.deepEqual(presses.map((press) => press.side), warm ? [1] : []);
  }
});

test('no two runs in a row have the same number, whatever chance says', () => {
  const bench = new Bench('matrix', { seed: 7 });
  const { boot } = bench.next('hello');
  bench.power({ seed: 7, warm: true });
  assert.equal(bench.next('hello').boot, (boot + 1) & 0xffff);
});

test('a board that hangs is started anew by its watchdog', () => {
  const bench = settled('matrix');
  // Nothing wakes it any more.
  bench.pico.chip.core.enabledInterrupts = 0;
  bench.run(2500);
  assert.ok(bench.pico.bitten);
});
