// A sensor board on a Pico as a program: its USB is standard input and output, its sensors follow a script.
//
//   node emulate.mjs KIND SCRIPT
//
// KIND is `matrix`, `shift-register` or `hall` (calibrated here, with an empty board). SCRIPT has a line for each moment at which something changes: milliseconds since the
// game began, occupied squares, dark ones, lever and buttons, all but the first in hexadecimal; or `restart` in place of the squares.
// The first line is what stands there before; the game begins a second after the host has first said something. Ends when the input does.

import { readFileSync } from 'node:fs';

import { Bench } from './bench.mjs';
import { toBoard } from './frames.mjs';

const [kind, script] = process.argv.slice(2);

/** Emulated at a stretch before anybody else is heard, in milliseconds. */
const STRETCH = 5;

const moments = readFileSync(script, 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [at, occupied, dark, controls] = line.split(' ');
    return { at: Number(at), occupied, dark, controls };
  });

// The host is whoever reads our output, but while the board is calibrated.
const bench = new Bench(kind, { asks: kind === 'hall' });
if (kind === 'hall') {
  bench.run(40);
  bench.pico.send(toBoard.calibrate());
  bench.next('levels', 3000);
  bench.run(200);
}

let [past, heard, began] = [0, false, undefined];

/** Everything that has happened since power came on, restarts included, in milliseconds. */
const now = () => past + bench.pico.ms;

function listen() {
  bench.pico.received = (bytes) => process.stdout.write(bytes);
}

function happen({ occupied, dark, controls }) {
  if (occupied === 'restart') {
    const { down } = bench.controls;
    past = now();
    bench.power({ seed: Math.round(past), warm: true, asks: false });
    bench.controls.set(down);
    listen();
    return;
  }
  bench.set(BigInt(`0x${occupied}`), BigInt(`0x${dark}`));
  bench.controls.set(parseInt(controls, 16));
}

happen(moments.shift());
listen();
process.stdin.on('data', (bytes) => {
  bench.pico.send(bytes);
  heard = true;
});
process.stdin.on('end', () => process.exit(0));

function go() {
  if (heard && began === undefined) began = now() + 1000;
  const end = now() + STRETCH;
  while (now() < end) {
    while (began !== undefined && moments.length && began + moments[0].at <= now()) happen(moments.shift());
    const next = began !== undefined && moments.length ? began + moments[0].at - now() : STRETCH;
    bench.run(Math.min(STRETCH, Math.max(next, 0.01)));
  }
  setImmediate(go);
}

go();
