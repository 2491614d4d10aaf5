// The 128 KiB of evidence that a Pico keeps: a host that was away for an evening is told all of it, soon, and no scan waits for that.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Bench, START, squares } from './bench.mjs';
import { toBoard } from './frames.mjs';

const KEPT = 128 * 1024;
const CHANGE = 13 + 2 + 1;

/** The next square every millisecond, so that none chatters: a change each, of one square or now and then two. */
function fumble(bench, changes) {
  let now = bench.sensor.occupied;
  for (let n = 0; n < changes; n++) {
    now ^= 1n << BigInt(n % 64);
    bench.set(now);
    bench.run(1);
  }
}

const evidence = (messages) => messages.filter((message) => message.seq !== undefined);

test('keeps 128 KiB, sends all of it again within three quarters of a second, and no scan is late for it', (context) => {
  const bench = new Bench('matrix', { open: false });
  bench.set(START);
  bench.run(100);
  fumble(bench, KEPT / CHANGE + 500);
  bench.run(50);
  bench.pico.open();
  bench.ask(5);
  const { next } = bench.next('hello');
  assert.ok(next > KEPT / CHANGE, `${next} pieces of evidence are more than there is room for`);
  bench.next('heartbeat', 3000);
  const before = bench.messages.length;
  const began = bench.pico.ms;
  bench.pico.send(toBoard.resend(0));
  // A piece goes up meanwhile.
  bench.run(100);
  const lifted = bench.pico.ms;
  const up = (bench.sensor.occupied & 1n) === 1n;
  bench.set(bench.sensor.occupied ^ squares('a1'));
  bench.run(2500, () => bench.messages.at(-1)?.kind === 'change' && bench.messages.at(-1).seq > next);
  const [gone, ...rest] = bench.messages.slice(before);
  assert.equal(gone.kind, 'gone');
  const again = evidence(rest);
  assert.deepEqual(again.map(({ seq }) => seq), Array.from(again, (_, n) => gone.oldest + n), 'in order, each once');
  const bytes = again.reduce((sum, { changes }) => sum + (changes ? 14 + 2 * changes.length : 76), 0);
  assert.ok(bytes > KEPT - 128, `${bytes} bytes kept`);
  const last = again.at(-1);
  assert.deepEqual(last.changes, [[0, up ? 0 : 1]]);
  const snapshot = again.findLast(({ kind }) => kind === 'snapshot');
  // What happened meanwhile was seen when it happened, though it was told last.
  const boards = last.ms - snapshot.ms;
  assert.ok(Math.abs(boards - (lifted - began + 4)) <= 3, `told as ${boards} ms after the request`);
  const took = last.at - began;
  context.diagnostic(`${again.length} pieces of evidence again in ${took.toFixed(0)} ms`);
  assert.ok(took < 750, `${took} ms`);
  assert.equal(bench.next('heartbeat', 3000).late, 0);
});

test('what is asked for from anywhere among it comes at once', () => {
  const bench = new Bench('matrix');
  bench.set(START);
  bench.run(100);
  fumble(bench, 3000);
  const { next } = bench.next('heartbeat');
  bench.align();
  for (const from of [0, 31, 32, 33, 1500, next - 1]) {
    const before = bench.messages.length;
    bench.pico.send(toBoard.resend(from));
    const at = bench.pico.ms;
    bench.run(50, () => evidence(bench.messages.slice(before)).length > 0);
    const [first] = evidence(bench.messages.slice(before));
    assert.equal(first.seq, from);
    assert.ok(first.at - at < 2, `${from}: ${first.at - at} ms`);
    bench.run(600, () => bench.messages.at(-1).seq === next - 1);
  }
});
