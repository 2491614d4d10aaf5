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
      assert.equal(hello.capabilities, 1 | 4 | 32 | 64 | 128 | (kind === 'hall' ? 16 : 0));
      if (kind === 'hall') return;
      const { squares: read } = bench.next('snapshot');
      assert.deepEqual(read, Array.from({ length: 64 }, (_, n) => (n < 16 || n >= 48 ? 1 : 0)));
    });

    test('says what its firmware is called when it is asked', () => {
      const bench = new Bench(kind);
      bench.pico.send(toBoard.firmware());
      assert.match(bench.next('firmware').name, new RegExp(`^pico-${kind} \\d+\\.\\d+\\.\\d+(\\+[0-9a-f]{8}(-changed)?)?$`));
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
      bench.ask(9);
      const again = bench.next('hello');
      assert.deepEqual([again.serial, again.nonce], [first.serial, 9]);
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

for (const kind of ['matrix', 'shift-register', 'hall']) {
  test(`${kind}: says nothing into a port that nobody has open, and keeps what it has seen`, () => {
    const bench = kind === 'hall' ? settled(kind) : new Bench(kind, { open: false });
    if (kind === 'hall') bench.power({ seed: 4, open: false });
    const before = bench.messages.length;
    const told = () => bench.messages.slice(before);
    bench.set(START, BLACK);
    bench.run(300);
    // A skittles game of one move.
    bench.set(START & ~squares('e2'), BLACK);
    bench.run(300);
    bench.controls.set(1);
    bench.run(3000);
    bench.pico.open();
    bench.run(1500);
    assert.deepEqual(told(), [], 'what lies in the port would be taken for new');
    bench.ask(77);
    bench.next('press');
    const [hello, ...rest] = told();
    assert.deepEqual([hello.kind, hello.version, hello.nonce, hello.next], ['hello', 2, 77, 3]);
    const evidence = rest.filter((message) => message.seq !== undefined).map(({ kind, seq }) => [kind, seq]);
    assert.deepEqual(evidence, [['snapshot', 0], ['change', 1], ['press', 2]]);
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

test('pulses too many on the clock line of a chain are told, and move no piece', () => {
  const bench = settled('shift-register');
  const before = bench.messages.length;
  for (const extra of [1, 3, 9]) {
    bench.sensor.extra = extra;
    assert.equal(bench.next('condition').trouble, 4);
    bench.run(200);
    bench.sensor.extra = 0;
    bench.run(200);
    assert.equal(bench.heard('condition').at(-1).trouble, 0);
  }
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
  const kept = 2 * 1024 * 1024 - 2 * 4096;
  bench.pico.chip.flash[kept + 40] ^= 4;
  bench.power();
  assert.equal(bench.next('condition').trouble, NOT_CALIBRATED);
});

test('the calibration before is taken where the newest is damaged, and one that is refused is not kept', () => {
  const bench = settled('hall');
  const sector = (n) => 2 * 1024 * 1024 - (2 - n) * 4096;
  const calibrate = () => {
    bench.pico.send(toBoard.calibrate());
    bench.run(300);
  };
  const [first, second] = [0, 1].map((n) => () => Buffer.from(bench.pico.chip.flash.subarray(sector(n), sector(n) + 256)));
  assert.equal(second()[0], 0xff);
  bench.set(0n, 0n);
  bench.sensor.zeros = bench.sensor.zeros.map((zero) => zero + 20);
  const old = first();
  calibrate();
  assert.deepEqual(first(), old);
  assert.equal(second()[0], 'c'.charCodeAt(0));
  const newer = second();
  bench.set(START, BLACK);
  calibrate();
  assert.deepEqual([first(), second()], [old, newer]);
  bench.pico.chip.flash[sector(1) + 40] ^= 4;
  const before = bench.messages.length;
  bench.power({ seed: 3 });
  bench.next('snapshot');
  assert.deepEqual(bench.messages.slice(before).filter(({ trouble }) => trouble), []);
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

test('a board that hangs is started anew by its watchdog', () => {
  const bench = settled('matrix');
  // Nothing wakes it any more.
  bench.pico.chip.core.enabledInterrupts = 0;
  bench.run(2500);
  assert.ok(bench.pico.bitten);
  // It begins on the ring oscillator, which is not started anew.
  assert.ok(bench.pico.rings);
});

test('a crystal that does not start leads to another attempt', () => {
  const bench = new Bench('matrix');
  const { chip, clock } = bench.pico;
  const CRYSTAL = 0x40024;
  let looked = 0;
  chip.peripherals[CRYSTAL].readUint32 = () => (looked++, 0);
  bench.run(5);
  assert.ok(looked > 10, 'the board waits for it');
  clock.tick(2.1e9);
  assert.ok(bench.pico.bitten);
});
