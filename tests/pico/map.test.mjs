// A board whose lines were exchanged: the map that mends it is taken rank by rank, kept in flash in two pages in turn, and in force
// from then on, after a loss of power too.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BLACK, START, settled } from './bench.mjs';
import { toBoard } from './frames.mjs';

const MAP = 64;
const SECTOR = 4096;
const place = (n) => 2 * 1024 * 1024 - (6 - n) * SECTOR;

const identity = Array.from({ length: 64 }, (_, n) => n);
/** a1 and b1, and the h-file upside down. */
const exchanged = identity.map((n) => (n < 2 ? 1 - n : n % 8 === 7 ? 63 + 7 - n : n));

/** The map that the board tells, once it is whole. */
function told(bench) {
  const ranks = Array.from({ length: 8 }, () => bench.next('map', 500));
  assert.deepEqual(ranks.map(({ rank }) => rank), [0, 1, 2, 3, 4, 5, 6, 7]);
  return ranks.flatMap(({ squares }) => squares);
}

function set(bench, map) {
  for (let rank = 0; rank < 8; rank++) bench.pico.send(toBoard.setMap(rank, map.slice(8 * rank, 8 * rank + 8)));
  return told(bench);
}

for (const kind of ['matrix', 'hall']) {
  test(`${kind}: lines that were exchanged are taken for their squares, and still are without power`, () => {
    const bench = settled(kind);
    bench.ask(3);
    assert.ok(bench.next('hello').capabilities & MAP);
    bench.pico.send(toBoard.map());
    assert.deepEqual(told(bench), identity);
    // What stands on b1 closes the line of a1.
    bench.set(0n, 0n);
    bench.run(100);
    assert.deepEqual(set(bench, exchanged), exchanged);
    bench.set(1n << 0n, 0n);
    assert.deepEqual(bench.next('change').changes, [[1, 1]]);
    bench.set((1n << 0n) | (1n << 7n), 1n << 7n);
    assert.deepEqual(bench.next('change').changes, [[63, kind === 'hall' ? 2 : 1]]);
    bench.power({ seed: 3 });
    const { squares } = bench.next('snapshot');
    assert.deepEqual(squares.flatMap((seen, n) => (seen ? [n] : [])), [1, 63]);
    bench.pico.send(toBoard.map());
    assert.deepEqual(told(bench), exchanged);
  });
}

test('Hall levels are those of the square, wherever its line is', () => {
  const bench = settled('hall');
  const zeros = () => {
    bench.pico.send(toBoard.levels());
    return Array.from({ length: 8 }, () => bench.next('levels', 500)).flatMap((rank) => rank.squares.map(({ zero }) => zero));
  };
  const before = zeros();
  set(bench, exchanged);
  const after = zeros();
  exchanged.forEach((square, line) => assert.ok(Math.abs(after[square] - before[line]) <= 2, `line ${line}`));
});

test('a map that is none, or whose ranks are not all there, changes nothing', () => {
  const bench = settled('matrix');
  const twice = [...identity.slice(0, 63), 0];
  assert.deepEqual(set(bench, twice), identity);
  for (const rank of [0, 1, 2, 4, 5, 6, 7]) bench.pico.send(toBoard.setMap(rank, exchanged.slice(8 * rank, 8 * rank + 8)));
  assert.deepEqual(told(bench), identity);
  assert.equal(bench.pico.chip.flash[place(0)], 0xff, 'nothing was written');
  // A rank or a square that does not exist is damage.
  bench.pico.send(toBoard.setMap(8, identity.slice(0, 8)));
  bench.pico.send(toBoard.setMap(0, [64, 1, 2, 3, 4, 5, 6, 7]));
  assert.equal(bench.next('heartbeat').damaged, 2);
});

test('the two pages are written in turn, and the one before counts where the newest is damaged', () => {
  const bench = settled('matrix');
  const page = (n) => Buffer.from(bench.pico.chip.flash.subarray(place(n), place(n) + 256));
  set(bench, exchanged);
  assert.deepEqual([page(0)[0], page(1)[0]], ['m'.charCodeAt(0), 0xff]);
  const first = page(0);
  set(bench, exchanged);
  assert.equal(page(1)[0], 0xff, 'what is kept is not written again');
  const mirrored = identity.map((n) => n ^ 7);
  assert.deepEqual(set(bench, mirrored), mirrored);
  assert.deepEqual(page(0), first);
  bench.pico.chip.flash[place(1) + 20] ^= 4;
  bench.power({ seed: 3 });
  bench.next('hello');
  bench.pico.send(toBoard.map());
  assert.deepEqual(told(bench), exchanged);
});

test('a mended board scans a thousand times a second as well', (context) => {
  const bench = settled('matrix');
  set(bench, exchanged);
  bench.set(START, BLACK);
  bench.run(200);
  bench.align();
  const usual = Math.max(...bench.cycles(90));
  context.diagnostic(`usual ${usual} cycles in a millisecond`);
  assert.ok(usual <= 27_000, `${usual} cycles`);
  assert.equal(bench.next('heartbeat').late, 0);
});
