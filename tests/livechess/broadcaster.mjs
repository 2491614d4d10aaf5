// Gives a folder that the daemon writes to the rules by which the Lichess Broadcaster takes files from it: its own functions, from a checkout. What it would
// push goes to whoever stands in for Lichess, as it would; the tables of the games are printed in the order in which they are pushed.
//
// npm install --prefix PACKAGES esbuild
// node broadcaster.mjs --peer DIR --packages PACKAGES --folder FOLDER/round-1

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { peer, packages, folder } = parseArgs({ options: { peer: text, packages: text, folder: text } }).values;
const esbuild = createRequire(resolve(packages, 'package.json'))('esbuild');

// What the program's frame gives to its functions: files, and a client of Lichess.
const frame = `
import { readdir, readFile } from 'node:fs/promises';
export { join } from 'node:path';
export const sep = () => '/';
export const readDir = async (folder) => (await readdir(folder, { withFileTypes: true })).map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }));
export const readTextFile = (file) => readFile(file, 'utf8');
export const pushed = [];
export const lichessApiClient = () => ({ POST: async (path, { body }) => { pushed.push(body); return { data: { games: [] } }; } });
export const useLogStore = () => ({ info: async () => {}, error: async () => {} });
`;
const place = resolve(packages, 'broadcaster-rules');
mkdirSync(place, { recursive: true });
writeFileSync(join(place, 'frame.mjs'), frame);
const { code } = await esbuild.transform(readFileSync(join(peer, 'src/upload.ts'), 'utf8'), { loader: 'ts' });
writeFileSync(join(place, 'upload.mjs'), code.replaceAll(/from "[^"]*"/g, "from './frame.mjs'"));
const { uploadFolderToRound } = await import(pathToFileURL(join(place, 'upload.mjs')).href);
const { pushed } = await import(pathToFileURL(join(place, 'frame.mjs')).href);

await uploadFolderToRound('aBcD1234', resolve(folder));
const [body] = pushed;
const tables = [...body.matchAll(/^\[Board "(\d+)"\]$/gm)].map(([, table]) => Number(table));
const games = body.split('[Event ').length - 1;
console.log(JSON.stringify({ games, tables, bytes: body.length }));
const inOrder = tables.every((table, n) => n === 0 || table > tables[n - 1]);
if (games === 0 || games !== tables.length || !inOrder) process.exit(1);
