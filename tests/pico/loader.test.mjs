// The way to the boot loader: it is asked for twice, with numbers of this board, and no stray frame opens it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { START, settled } from './bench.mjs';
import { toBoard } from './frames.mjs';

const LOADER = 32;

/** A board that is known under this nonce. */
function known(nonce = 77) {
  const bench = settled('matrix');
  bench.ask(nonce);
  assert.ok(bench.next('hello').capabilities & LOADER);
  return bench;
}

test('starts when it is asked for twice, with both of its interfaces', () => {
  const bench = known();
  bench.pico.send(toBoard.loader(77));
  const { nonce } = bench.next('loader', 100);
  assert.ok(nonce !== 0 && nonce !== 77);
  bench.run(4900);
  assert.equal(bench.pico.rom.loader, undefined);
  bench.pico.send(toBoard.loader(nonce));
  bench.run(20);
  assert.deepEqual(bench.pico.rom.loader, { pin: 0, without: 0 });
  // While an image is copied nothing starts the chip anew.
  bench.run(5000);
  assert.ok(!bench.pico.bitten);
});

test('does not start for what is stray, early, late or of another board', () => {
  const bench = known();
  const before = bench.messages.length;
  for (const nonce of [0, 1, 78, 0xffffffff]) bench.pico.send(toBoard.loader(nonce));
  bench.run(100);
  assert.deepEqual(bench.messages.slice(before).filter(({ kind }) => kind === 'loader'), []);
  bench.pico.send(toBoard.loader(77));
  const { nonce } = bench.next('loader', 100);
  bench.run(5050);
  bench.pico.send(toBoard.loader(nonce));
  bench.run(50);
  bench.pico.send(toBoard.loader(77));
  assert.notEqual(bench.next('loader', 100).nonce, nonce, 'another number each time');
  bench.pico.send(toBoard.loader(nonce));
  bench.run(50);
  assert.equal(bench.pico.rom.loader, undefined);
  // It is a board as before.
  bench.set(START & ~1n);
  assert.deepEqual(bench.next('change').changes, [[0, 0]]);
});

test('a lever that went over while the firmware was exchanged is no press', () => {
  const bench = known();
  bench.controls.set(1);
  bench.next('press');
  bench.run(50);
  bench.pico.send(toBoard.loader(77));
  bench.pico.send(toBoard.loader(bench.next('loader', 100).nonce));
  bench.run(50);
  assert.ok(bench.pico.rom.loader);
  const before = bench.messages.length;
  bench.power({ warm: true });
  bench.controls.set(2);
  bench.run(300);
  assert.deepEqual(bench.messages.slice(before).filter(({ kind }) => kind === 'press'), []);
});
