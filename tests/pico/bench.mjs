// A board on the bench: an image on an emulated RP2040, sensors, lever and lamps on its pins, and a host that hears every message.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Pico } from './chip.mjs';
import { Dgt3000 } from './dgt3000.mjs';
import { Decoder, toBoard } from './frames.mjs';
import { Controls, Lamps, Rails, SENSORS } from './sensors.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Where `ci/bare-metal.sh` puts images. */
export const IMAGES = join(process.env.CARGO_TARGET_DIR ?? join(root, 'target'), 'images');

/** An image's file; `kind` is how the squares are wired, with `-lamps` if there are any, and `-dgt3000` for that clock. */
export function image(kind, extension = 'uf2') {
  const path = join(IMAGES, `pico-${kind}.${extension}`);
  if (!existsSync(path)) throw new Error(`no ${path}: run ci/bare-metal.sh pico-${kind}`);
  return readFileSync(path);
}

export const START = 0xffff00000000ffffn;
export const BLACK = 0xffff000000000000n;

/** The mask of these squares: `squares('e2', 'e4')`. */
export const squares = (...names) =>
  names.reduce((mask, name) => mask | (1n << BigInt(name.charCodeAt(0) - 97 + 8 * (name.charCodeAt(1) - 49))), 0n);

export class Bench {
  constructor(kind, options = {}) {
    this.kind = kind;
    this.options = options;
    this.messages = [];
    this.power();
  }

  /** Power goes and comes back, or the watchdog bites; what flash keeps is kept. `asks`: there is a host, and it is this bench. */
  power(options = {}) {
    const decoder = new Decoder();
    const was = this.sensor;
    this.pico = new Pico(this.given ?? image(this.kind), { ...this.options, ...options, before: this.pico });
    this.sensor = new SENSORS[this.kind.replace('-lamps', '').replace('-dgt3000', '')](this.pico.chip);
    if (was) this.sensor.set(was.occupied, was.dark ?? 0n);
    this.controls = new Controls(this.pico.chip);
    this.lamps = new Lamps(this.pico.chip);
    this.rails = new Rails(this.pico.chip);
    if (this.kind.endsWith('-dgt3000')) this.plugIn();
    this.pico.received = (bytes) => {
      for (const message of decoder.feed(bytes)) this.messages.push({ ...message, at: this.pico.ms });
    };
    const { asks = this.pico.isOpen } = { ...this.options, ...options };
    if (asks) this.ask();
  }

  /** The boot loader was given this file: it is written to flash, and what else is there stays. */
  flash(file) {
    this.given = file;
    this.power({ given: true, asks: false });
  }

  /** The clock, which lives on while the board is started anew. `seat`: GP28 is joined to ground. */
  plugIn() {
    const { chip } = this.pico;
    chip.gpio[28].setInputValue(!this.options.seat);
    this.clock = new Dgt3000(chip, this.clock);
  }

  /** A host that has opened the port asks who is there: a board says nothing before. */
  ask(nonce = 1) {
    this.pico.send(toBoard.hello(nonce));
  }

  /** Puts pieces on the squares. */
  set(occupied, dark = 0n) {
    this.sensor.set(occupied, dark);
  }

  run(ms, done) {
    this.pico.run(ms, done);
  }

  /** Everything of this kind that was heard so far. */
  heard(kind) {
    return this.messages.filter((message) => message.kind === kind);
  }

  /** Runs until something of this kind is heard that was not before, and returns it. */
  next(kind, patience = 1500) {
    let [seen, found] = [this.messages.length];
    this.pico.run(patience, () => {
      for (; seen < this.messages.length && !found; seen++) if (this.messages[seen].kind === kind) found = this.messages[seen];
      return found;
    });
    if (!found) throw new Error(`no ${kind} within ${patience} ms`);
    return found;
  }

  /** Runs until the board sleeps, and then until the timer wakes it: a millisecond begins. */
  align() {
    const { core } = this.pico.chip;
    this.pico.run(5, () => core.waiting);
    this.pico.run(5, () => !core.waiting);
  }

  /** The processor's cycles in each of the next milliseconds. */
  cycles(milliseconds) {
    return Array.from({ length: milliseconds }, () => {
      const before = this.pico.busy;
      this.pico.run(1);
      return this.pico.busy - before;
    });
  }
}

/** A board that its host knows; Hall sensors are calibrated. */
export function settled(kind, options) {
  const bench = new Bench(kind, options);
  bench.run(40);
  if (kind === 'hall') {
    bench.pico.send(toBoard.calibrate());
    bench.next('levels', 3000);
    bench.run(40);
  }
  bench.set(START, BLACK);
  bench.run(1000);
  return bench;
}
