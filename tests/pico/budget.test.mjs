// What a millisecond costs: 60,000 cycles are there for a scan of 64 squares, debounce, report and USB. And what the stack takes.
//
// Cycles are counted instruction by instruction, see `step` in chip.mjs; code in flash counts as read from its cache.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BLACK, START, image, settled } from './bench.mjs';

const CYCLES_IN_A_MILLISECOND = 60_000;

/** What evidence is kept in: 128 KiB, and an index of 512 words. */
const EVIDENCE = 128 * 1024 + 4 * 512;

/** Memory that has a fixed place, in bytes: the segments of the ELF file that lie in RAM. */
function fixed(kind) {
  const elf = image(kind, 'elf');
  const at = elf.readUInt32LE(28);
  let bytes = 0;
  for (let n = 0; n < elf.readUInt16LE(44); n++) {
    const segment = at + n * elf.readUInt16LE(42);
    const isMemory = elf.readUInt32LE(segment) === 1 && elf.readUInt32LE(segment + 8) >>> 28 === 2;
    if (isMemory) bytes += elf.readUInt32LE(segment + 20);
  }
  return bytes;
}

/** The same pieces on the squares where none stood, and none where they stood. */
const turned = ~START & 0xffffffffffffffffn;

// The most that each may take of a millisecond, in cycles, and of memory with its stack and without its evidence, in bytes: a little above what is measured.
const LIMITS = {
  // A quarter of a millisecond is waiting for columns to fall; every square in one scan is all of it.
  matrix: { usual: 23_700, worst: 61_500, memory: 4_900 },
  'shift-register': { usual: 7_300, worst: CYCLES_IN_A_MILLISECOND, memory: 4_900 },
  // With a clock that tells its times: eleven bytes of it come in a millisecond.
  'matrix-dgt3000': { usual: 24_000, worst: 64_500, memory: 4_900 },
  // Every square in one scan is more than a millisecond's work here: the next scan begins a fifth of a millisecond later.
  hall: { usual: 37_700, worst: 76_500, memory: 9_300 },
};

for (const [kind, limit] of Object.entries(LIMITS)) {
  test(`${kind}: a scan a millisecond, whatever happens`, (context) => {
    const bench = settled(kind);
    bench.align();
    const usual = Math.max(...bench.cycles(90));
    let worst = 0;
    for (let round = 0; round < 3; round++) {
      // Every square changes in one scan, the lever goes over, and a button is pressed: four frames.
      bench.set(round % 2 ? START : turned, round % 2 ? BLACK : turned & BLACK);
      bench.controls.set(round % 2 ? 1 | 4 : 2 | 8);
      bench.clock?.press();
      // What one millisecond does not hold is done in the next, besides its own scan.
      const each = bench.cycles(30).map((cycles, n, all) => cycles + Math.max(0, (all[n + 1] ?? 0) - usual));
      worst = Math.max(worst, ...each);
    }
    const { late } = bench.next('heartbeat');
    const memory = fixed(kind) + bench.pico.stack - EVIDENCE;
    const said = `${kind}: usual ${usual} cycles in a millisecond, all squares at once ${worst}; memory beside its evidence ${memory} bytes, of them stack ${bench.pico.stack}`;
    context.diagnostic(said);
    assert.equal(late, 0);
    const isWithin = usual <= limit.usual && worst <= limit.worst && memory <= limit.memory;
    assert.ok(isWithin, `${said}: more than it may be, see docs/performance.md`);
  });
}
