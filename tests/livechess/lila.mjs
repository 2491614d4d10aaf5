// Plays White on lichess.org/dgt, whose own script is taken from a checkout of lila, with a board that LiveChess's clients are told of. The browser and the
// server that the script speaks to are made here: the server knows the game that is played on the board, and answers each move of White's with the reply.
//
// npm install --prefix PACKAGES esbuild chessops@0.10, or the version of chessops that DIR/ui/dgt/package.json has. Then, before the first move:
// node --experimental-websocket lila.mjs --peer DIR --packages PACKAGES --url ws://127.0.0.1:1982/api/v1.0 --game "e2e4 e7e5 g1f3 ..."
//
// Each move that the script sends to the server is written on a line of its own; it ends when White has made his last one.

import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { peer, packages, url, game } = parseArgs({ options: { peer: text, packages: text, url: text, game: text } }).values;
const moves = game.split(/\s+/);
const made = [];
const encoder = new TextEncoder();

/** What a stream of lines gives to whoever reads it. */
function stream() {
  let tell;
  const body = new ReadableStream({ start: (controller) => { tell = (value) => controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`)); } });
  return { tell, answer: { ok: true, status: 200, body } };
}

const [events, played] = [stream(), stream()];
const player = (id) => ({ id, name: id, title: null, rating: 1500 });
const state = () => ({ type: 'gameState', moves: made.join(' '), wtime: 1, btime: 1, winc: 0, binc: 0, wdraw: false, bdraw: false, status: 'started' });

/** Castling as Lichess takes it too: the king onto its rook. */
const CASTLING = { e1h1: 'e1g1', e1a1: 'e1c1' };

/** The server: White's move comes in, and goes out to the stream with the reply. */
function take(sent) {
  const uci = sent === moves[made.length] ? sent : CASTLING[sent] ?? sent;
  if (uci !== moves[made.length]) {
    process.stdout.write(`- ${uci}, and not ${moves[made.length]}\n`);
    process.exit(1);
  }
  process.stdout.write(`+ ${uci}\n`);
  made.push(uci);
  played.tell(state());
  if (made.length < moves.length) {
    made.push(moves[made.length]);
    played.tell(state());
  }
  if (made.length >= moves.length) process.exit(0);
}

globalThis.fetch = async (path, options) => {
  if (path === '/api/account') return { ok: true, status: 200, json: async () => ({ ...player('white'), perfs: {} }) };
  if (path === '/api/stream/event') return events.answer;
  if (path.startsWith('/api/board/game/stream/')) return played.answer;
  const uci = /\/move\/([a-h1-8]{4}[qrbn]?)/.exec(path)?.[1];
  if (!uci || options?.method !== 'POST') throw new Error(`nothing is at ${path}`);
  take(uci);
  return { ok: true, status: 200, json: async () => ({ ok: true }) };
};
const element = () => ({ innerHTML: '', scrollHeight: 0, clientHeight: 0, scrollTop: 0 });
globalThis.document = { getElementById: element };
globalThis.localStorage = { getItem: (key) => ({ 'dgt-livechess-url': url, 'dgt-verbose': 'true' })[key] ?? null };
// Its words go to a page; here they are of use only when it stops.
for (const name of ['log', 'debug', 'warn', 'error', 'info', 'table']) console[name] = (...words) => process.stderr.write(`${words.map(String).join(' ')}\n`);

const esbuild = createRequire(resolve(packages, 'package.json'))('esbuild');
const file = resolve(packages, 'lila-dgt-play.mjs');
await esbuild.build({
  entryPoints: [join(peer, 'ui/dgt/src/play.ts')], outfile: file, bundle: true, format: 'esm', logLevel: 'error', nodePaths: [resolve(packages, 'node_modules')],
});
const { default: play } = await import(pathToFileURL(file).href);
play('token');
events.tell({ type: 'gameStart', game: { id: 'game0001' } });
played.tell({
  type: 'gameFull', id: 'game0001', variant: { short: 'Std' }, speed: 'classical', rated: false, clock: { initial: 1, increment: 0 },
  white: player('white'), black: player('black'), initialFen: 'startpos', state: state(),
});
