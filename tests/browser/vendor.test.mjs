// The modules the console is built on are the ones its manifest names, byte for byte.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const daemon = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'daemon');

test('vendored files are those of the manifest', () => {
  execFileSync('node', [join(daemon, 'vendor-console.mjs')]);
});

test('every vendored package comes with its licence', () => {
  const { packages } = JSON.parse(readFileSync(join(daemon, 'console', 'vendor', 'manifest.json'), 'utf8'));
  for (const { name, licence, files } of packages) {
    assert.ok(licence && files.some((file) => file.as.startsWith('LICENSE.')), name);
  }
});
