// The numbers of a board's runs, which flash keeps: no two runs in a row have the same, whenever power goes and whatever chance says.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Bench } from './bench.mjs';

const SECTOR = 4096;
const RUNS = 2 * 1024 * 1024 - 4 * SECTOR;
const MARK = 0xb0070000;

/** The same chance at every start. */
const seed = 7;

const record = (bench, n) => new DataView(bench.pico.chip.flash.buffer, RUNS + 8 * n, 8);

function write(bench, n, number) {
  const word = MARK | number;
  record(bench, n).setUint32(0, word, true);
  record(bench, n).setUint32(4, ~word, true);
}

const boot = (bench) => bench.next('hello').boot;

test('counts its runs over losses of power and over restarts', () => {
  const bench = new Bench('matrix', { seed });
  const first = boot(bench);
  for (let n = 1; n < 5; n++) {
    bench.power({ warm: n % 2 === 1 });
    assert.equal(boot(bench), (first + n) & 0xffff);
  }
});

test('goes on in the other sector, which it erases, and wraps around', () => {
  const bench = new Bench('matrix', { seed });
  boot(bench);
  for (const [last, next, number] of [[511, 512, 0xfffe], [512, 513, 0xffff], [1023, 0, 40]]) {
    bench.pico.chip.flash.fill(0xff, RUNS, RUNS + 2 * SECTOR);
    write(bench, last, number);
    write(bench, (next + 1) % 1024, (number - 3) & 0xffff);
    bench.power();
    assert.equal(boot(bench), (number + 1) & 0xffff);
    assert.equal(record(bench, next).getUint32(0, true), (MARK | ((number + 1) & 0xffff)) >>> 0);
    const isErased = record(bench, (next + 1) % 1024).getUint32(0, true) === 0xffffffff;
    assert.equal(isErased, next % 512 === 0);
  }
});

test('power may go while the number is written', () => {
  const bench = new Bench('matrix', { seed });
  const first = boot(bench);
  bench.power({ asks: false });
  const { rom, chip } = bench.pico;
  let cut = false;
  rom.program = (offset, from, count) => {
    // The first word of every record is written, the second is not.
    for (let n = 0; n < count; n++) if (n % 8 < 4) chip.flash[offset + n] &= chip.readUint8(from + n);
    cut = true;
  };
  bench.run(1000, () => cut);
  assert.ok(cut);
  bench.power();
  assert.equal(boot(bench), (first + 1) & 0xffff);
});

test('a flash chip that takes nothing leaves it to chance', () => {
  const bench = new Bench('matrix', { seed, asks: false });
  const start = (chance) => {
    bench.power({ seed: chance, asks: false });
    bench.pico.rom.program = () => {};
    bench.ask();
    return boot(bench);
  };
  assert.notEqual(start(1), start(2));
});
