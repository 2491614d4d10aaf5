// Vendored browser modules: checks them against console/vendor/manifest.json, or fetches them again.
//
//   node vendor-console.mjs           check that every file is the one the manifest names
//   node vendor-console.mjs fetch     take the packages by name and version from npm, verify, and copy the files in
//
// To move to another version, change it in the manifest, run `node vendor-console.mjs fetch --accept`, and read the diff.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const vendor = join(dirname(fileURLToPath(import.meta.url)), 'console', 'vendor');
const manifestPath = join(vendor, 'manifest.json');
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

function fetchPackage({ name, version, files }, accept) {
  const room = mkdtempSync(join(tmpdir(), 'vendor-'));
  try {
    const packed = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: room, encoding: 'utf8' });
    execFileSync('tar', ['xzf', packed.trim().split('\n').pop()], { cwd: room });
    for (const file of files) {
      const from = join(room, 'package', file.from);
      if (accept) file.sha256 = sha256(from);
      if (sha256(from) !== file.sha256) throw new Error(`${name}@${version} ${file.from}: not the file the manifest names`);
      cpSync(from, join(vendor, file.as));
    }
  } finally {
    rmSync(room, { recursive: true });
  }
}

function check() {
  const wrong = manifest.packages
    .flatMap((p) => p.files)
    .filter((file) => sha256(join(vendor, file.as)) !== file.sha256);
  for (const file of wrong) console.error(`console/vendor/${file.as}: differs from console/vendor/manifest.json; run \`node vendor-console.mjs fetch\``);
  return wrong.length === 0;
}

if (process.argv[2] === 'fetch') {
  const accept = process.argv.includes('--accept');
  for (const entry of manifest.packages) fetchPackage(entry, accept);
  if (accept) writeFileSync(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`);
}
process.exit(check() ? 0 : 1);
