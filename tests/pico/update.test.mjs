// `arbiterd doctor PORT --update` and `--mend`, `--self-test`, on an emulated Pico: its USB is a TCP port, its drive a directory. The
// image is exchanged by what the boot loader was given, and nothing else.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { Bench, IMAGES, image } from './bench.mjs';

const ARBITERD = process.env.ARBITERD ?? join(IMAGES, '../debug/arbiterd');
const INFO = 'UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n';

/** Emulated at a stretch, in milliseconds. */
const STRETCH = 5;

/** A Pico that lives in the world's time, as near as the emulator comes to it, behind a port. */
class Desk {
  constructor(kind) {
    this.dir = mkdtempSync(join(tmpdir(), 'pico-'));
    this.drive = join(this.dir, 'RPI-RP2');
    mkdirSync(this.drive);
    this.bench = new Bench(kind, { asks: false });
    this.server = createServer((socket) => this.plugIn(socket));
  }

  async open() {
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    this.port = `tcp://127.0.0.1:${this.server.address().port}`;
    this.listen();
    this.live();
  }

  plugIn(socket) {
    // In its boot loader it is no serial port.
    if (this.bench.pico.rom.loader) return socket.destroy();
    this.socket = socket;
    socket.on('data', (bytes) => this.bench.pico.send(bytes));
    socket.on('error', () => {});
  }

  listen() {
    this.bench.pico.received = (bytes) => this.socket?.write(bytes);
  }

  /** Goes on until it is closed. `act` happens with each stretch. */
  live() {
    if (this.isClosed) return;
    this.bench.run(STRETCH);
    if (this.bench.pico.rom.loader) this.load();
    else this.act?.();
    setImmediate(() => this.live());
  }

  /** The boot loader: shows its drive, takes what is copied, and starts it. */
  load() {
    if (this.socket) {
      this.socket.destroy();
      this.socket = undefined;
      writeFileSync(join(this.drive, 'INFO_UF2.TXT'), INFO);
    }
    const file = join(this.drive, 'firmware.uf2');
    const given = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    if (given.length < this.expected) return;
    this.bench.flash(given);
    this.listen();
    rmSync(file);
    rmSync(join(this.drive, 'INFO_UF2.TXT'));
  }

  /** What the program says, and its exit status. */
  doctor(...options) {
    const child = spawn(ARBITERD, ['doctor', this.port, ...options]);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    return new Promise((done) => child.on('close', (status) => done({ status, said })));
  }

  close() {
    this.isClosed = true;
    this.socket?.destroy();
    this.server.close();
    rmSync(this.dir, { recursive: true });
  }
}

/** What lies so many sectors before the end of a Pico's flash. */
const kept = (desk, sectors) => new DataView(desk.bench.pico.chip.flash.buffer, 2 * 1024 * 1024 - sectors * 4096);

async function on(kind, act) {
  const desk = new Desk(kind);
  await desk.open();
  try {
    await act(desk);
  } finally {
    desk.close();
  }
}

test('a board is given another image over its port, and keeps what is in its flash', () =>
  on('matrix', async (desk) => {
    const file = join(IMAGES, 'pico-matrix-lamps.uf2');
    desk.expected = image('matrix-lamps').length;
    const { status, said } = await desk.doctor('--update', file, '--drive', desk.drive);
    assert.equal(status, 0, said);
    assert.match(said, /board +native e660583883123456: firmware pico-matrix \d/);
    assert.match(said, /loader +the board has left its port/);
    assert.match(said, /updated +pico-matrix-lamps \d\S+, in place of pico-matrix \d/);
    const run = (n) => kept(desk, 4).getUint32(8 * n, true) & 0xffff;
    assert.equal(run(1), run(0) + 1, 'the numbers of its runs go on');
  }));

test('an image for another wiring is refused, and the board goes on', () =>
  on('matrix', async (desk) => {
    const { status, said } = await desk.doctor('--update', join(IMAGES, 'pico-hall.uf2'), '--drive', desk.drive);
    assert.equal(status, 2, said);
    assert.match(said, /wired as `hall`, and the board runs a firmware for `matrix`/);
    assert.equal(desk.bench.pico.rom.loader, undefined);
  }));

test('its own parts are tried, and lines that were exchanged are mended by touching every square', () =>
  on('matrix', async (desk) => {
    desk.bench.controls.set(1);
    const tested = await desk.doctor('--self-test', '--board', 'native', '--for', '60', '--json');
    const summary = JSON.parse(tested.said.trim().split('\n').at(-1));
    assert.deepEqual(summary.self_test.map(({ part, verdict }) => [part, verdict]), [
      ['supply', 'passed'],
      ['converter', 'passed'],
      ['lines of the matrix', 'passed'],
      ['flash', 'passed'],
      ['lever', 'passed'],
      ['adjust buttons', 'passed'],
    ]);
    // Rank 1 is wired backwards. A hand puts a piece on the square that is asked for, 30 ms on, 30 ms off.
    const line = (square) => (square < 8 ? 7 - square : square);
    let [square, since] = [0, undefined];
    desk.act = () => {
      if (!desk.touching || square > 63) return;
      since ??= desk.bench.pico.ms;
      const passed = desk.bench.pico.ms - since;
      desk.bench.set(passed < 30 ? 1n << BigInt(line(square)) : 0n);
      if (passed >= 60) [square, since] = [square + 1, undefined];
    };
    const child = spawn(ARBITERD, ['doctor', desk.port, '--mend', '--board', 'native', '--plain', '--for', '90']);
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
      desk.touching = said.includes('put one piece on a1');
    });
    const status = await new Promise((done) => child.on('close', done));
    assert.equal(status, 0, said);
    assert.match(said, /mended: h1 on the line of a1, g1 on the line of b1, /);
    const map = Array.from({ length: 10 }, (_, n) => kept(desk, 6).getUint8(8 + n));
    assert.deepEqual(map, [7, 6, 5, 4, 3, 2, 1, 0, 8, 9]);
  }));
