// What `picotool info` would tell of an image: a header in its first 256 bytes behind the second stage, and what that leads to.
// Source: the Pico SDK's binary_info, "structure.h" and "defs.h": marks, kinds of entries and their numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { image } from './bench.mjs';

const FLASH = 0x10000000;
const [START, END] = [0x7188ebf2, 0xe71aa390];
const TEXT = 6;
const [NAME, VERSION, FEATURE] = [0x02031c86, 0x11a9bc3a, 0xa1f4b453];

/** Every entry with a text: `[number, text]`. */
function told(kind) {
  const bytes = image(kind, 'bin');
  const word = (address) => bytes.readUInt32LE(address - FLASH);
  const text = (address) => bytes.toString('latin1', address - FLASH, bytes.indexOf(0, address - FLASH));
  let header = FLASH + 0x100;
  while (word(header) !== START || word(header + 16) !== END) {
    header += 4;
    assert.ok(header < FLASH + 0x200, 'no header');
  }
  const entries = [];
  for (let at = word(header + 4); at < word(header + 8); at += 4) {
    const entry = word(at);
    assert.equal(word(entry), TEXT | ('R'.charCodeAt(0) << 16) | ('P'.charCodeAt(0) << 24));
    entries.push([word(entry + 4), text(word(entry + 8))]);
  }
  return entries;
}

for (const kind of ['matrix', 'shift-register', 'hall', 'matrix-lamps', 'shift-register-lamps-dgt3000']) {
  test(`${kind}: the image says what it is, which version, and where things are wired`, () => {
    const entries = told(kind);
    const all = (number) => entries.filter(([each]) => each === number).map(([, text]) => text);
    assert.deepEqual(all(NAME), [`pico-${kind}`]);
    assert.match(all(VERSION)[0], /^\d+\.\d+\.\d+(\+[0-9a-f]+(-changed)?)?$/);
    const [squares, controls, lamps] = all(FEATURE);
    assert.match(squares, kind.startsWith('matrix') ? /files on GP8/ : kind === 'hall' ? /GP26/ : /GP12/);
    assert.match(controls, kind.endsWith('dgt3000') ? /SDA on GP16, SCL on GP17, .*GP28.*GP21/ : /^lever on GP16.*GP21/);
    assert.match(lamps, kind.includes('lamps') ? /GP22/ : /none/);
  });
}
