// A playing hall for one test: a directory, the daemon, simulated boards, and a browser that looks at its console.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const arbiterd = resolve(here, process.env.ARBITERD ?? '../../target/debug/arbiterd');
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const browserFlags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** The browser of all tests of a file: to start one costs as much as a short test. */
let launched;
after(closeBrowser);

/** What is no test, and so comes to no end of a file, ends with this. */
export async function closeBrowser() {
  await (await launched)?.close();
}

/** Waits until `probe` gives something true; fails with `what` after `ms`. */
export async function until(probe, what, ms = 30_000) {
  const end = Date.now() + ms;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Chooses a result in a row of the round, and enters it. */
export async function give(row, choice) {
  await row.getByRole('combobox').selectOption(choice);
  await row.locator('.give').click();
}

/**
 * For the tests of one file: a hall with one board, `b01`, of pieces with a clock, at which `hands` do what they are told. It is there before the first test, and
 * closed after the last one.
 */
export function oneBoard() {
  const hall = {};
  before(async () => {
    const house = await House.open(1, 'name = "Harbour Open"\nlanguage = "en"\n', 'kind = "text"\nsensor = "piece"\n');
    Object.assign(hall, { house, hands: await house.hands('b01') });
    await until(async () => (await house.board('b01')).connected, 'the board is there');
    await hall.hands('wait 1500');
  });
  after(() => hall.house?.close());
  return Object.assign(hall, {
    /** What the board says. */
    board: () => hall.house.board('b01'),
    post: (path, body) => fetch(hall.house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    /** Orders something at the board; fails where that is refused. */
    async order(body, query = '') {
      const answer = await hall.post(`/api/boards/b01/orders${query}`, body);
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    /** A page of somebody whose name is known. */
    async page(hash) {
      const page = await hall.house.page('#/', { width: 1280, height: 900 });
      await page.evaluate(() => localStorage.setItem('arbiter-name', 'Ada'));
      await page.goto(`${hall.house.address}/?ada${hash}`);
      return page;
    },
  });
}

export class House {
  #children = new Set();
  #contexts = new Set();
  #log = '';

  /**
   * A hall with boards `b01`, `b02` ... that nobody has plugged in yet; `event` and `board` are more lines of those sections, and `http`. Where `people` are
   * asked, it speaks TLS.
   */
  static async open(boards = 1, event = '', board = '', people = false, http = '') {
    const house = new House();
    house.dir = mkdtempSync(join(tmpdir(), 'arbiter-browser-'));
    house.port = await freePort();
    house.people = people;
    house.address = `${people ? 'https' : 'http'}://127.0.0.1:${house.port}`;
    const ids = Array.from({ length: boards }, (_, n) => `b${String(n + 1).padStart(2, '0')}`);
    const tables = ids.map((id) => `[[board]]\nid = "${id}"\nport = "${house.line(id)}"\nwhite = "Anna Berg"\nblack = "Ben Cole"\n${board}\n`);
    const config = `[http]\nlisten = "127.0.0.1:${house.port}"\n${people ? 'people = "required"\n' : ''}${http}[store]\ndir = "data"\n[event]\n${event}\n${tables.join('')}`;
    writeFileSync(join(house.dir, 'hall.toml'), config);
    await house.startDaemon();
    return house;
  }

  line(id) {
    return join(this.dir, `line-${id}`);
  }

  #start(args) {
    const child = spawn(arbiterd, args, { cwd: this.dir, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children.add(child);
    child.on('exit', () => this.#children.delete(child));
    child.stderr.on('data', (text) => { this.#log += text; });
    return child;
  }

  async startDaemon() {
    this.daemon = this.#start(['serve', '--config', 'hall.toml']);
    if (this.people) {
      this.setupLink = await until(() => existsSync(this.#linkFile()) && readFileSync(this.#linkFile(), 'utf8').trim(), `a setup link; it said: ${this.#log}`);
      return;
    }
    await until(() => fetch(`${this.address}/healthz`).then((r) => r.ok, () => false), `the daemon answers; it said: ${this.#log}`);
  }

  /** Makes the key by which a hub knows this hall as `name`: what its configuration says of that. */
  async hubKey(name, more = '') {
    const made = this.#start(['hub', 'key', 'hub.key']);
    let said = '';
    made.stdout.on('data', (text) => { said += text; });
    await once(made, 'close');
    return `${said.slice(said.indexOf('[[hall]]')).replace('...', name).trim()}\n${more}\n`;
  }

  /** The hall is started again, with a hub at that port. */
  async callHub(name, port) {
    const file = join(this.dir, 'hall.toml');
    const wishes = `[hub]\nname = "${name}"\naddress = "ws://127.0.0.1:${port}"\nkey = "hub.key"\norders = ["chief"]\n`;
    writeFileSync(file, wishes + readFileSync(file, 'utf8'));
    await this.killDaemon();
    await this.startDaemon();
  }

  /**
   * A hub of this hall, which is started again with it as its hub. `tables`: of the hub's event, played here; `halls`: what the hub's configuration says of others;
   * `sections`: what else it says.
   */
  async openHub(name, { tables = '', halls = '', sections = '' } = {}) {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const known = await this.hubKey(name, tables && `tables = "${tables}"`);
    writeFileSync(join(this.dir, 'hub.toml'), `[http]\nlisten = "127.0.0.1:${port}"\n[store]\ndir = "hub"\n${sections}${known}${halls}`);
    this.#start(['hub', '--config', 'hub.toml']);
    await until(() => fetch(`${address}/healthz`).then((r) => r.ok, () => false), `the hub answers; it said: ${this.#log}`);
    await this.callHub(name, port);
    return { address, port };
  }

  #linkFile() {
    return join(this.dir, 'data', 'setup-link');
  }

  /** As a power cut would. */
  async killDaemon() {
    const gone = once(this.daemon, 'exit');
    this.daemon.kill('SIGKILL');
    await gone;
  }

  /** Plays `moves` on board `id`. Returns when the board was switched on: its clock shows 0 then. */
  async play(id, moves, options = [], { hand = 'tidy', noise = '0', result = '*' } = {}) {
    const pgn = join(this.dir, `${id}.pgn`);
    writeFileSync(pgn, `[Result "${result}"]\n\n${moves} ${result}\n`);
    const board = this.#start(['simulate', '--link', this.line(id), '--pgn', pgn, '--hand', hand, '--noise', noise, ...options]);
    const lines = createInterface({ input: board.stdout });
    await Promise.race([
      once(lines, 'line'),
      once(board, 'exit').then(() => { throw new Error(`the simulated board ended: ${this.#log}`); }),
    ]);
    return Date.now();
  }

  /** A board on the line of `id` that sees pieces, or `occupancy`, and whose hands do what they are told, as byhand.py says; `stands`: the squares at first. It is pulled out with `unplug`. */
  async hands(id, sees = 'piece', stands = undefined) {
    rmSync(this.line(id), { force: true });
    const child = spawn('python3', [join(here, 'byhand.py'), this.line(id), sees, ...(stands ? [stands] : [])], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#children.add(child);
    child.on('exit', () => this.#children.delete(child));
    const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await said.next();
    const told = async (...lines) => {
      for (const line of lines) {
        child.stdin.write(`${line}\n`);
        await said.next();
      }
    };
    return Object.assign(told, { unplug: () => child.kill('SIGKILL') });
  }

  async json(path) {
    const answer = await fetch(this.address + path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  board(id) {
    return this.json(`/api/boards/${id}`);
  }

  /** The journal of a game, as an event script. */
  async script(game) {
    const answer = await fetch(`${this.address}/api/games/${game}/script`);
    return (await answer.text()).trim().split('\n').map((line) => JSON.parse(line));
  }

  /** A page on the console. What the browser complains of is kept in `page.complaints`. */
  async page(hash = '#/', size = { width: 1280, height: 800 }) {
    const page = await this.device(size);
    await page.goto(`${this.address}/${hash}`);
    return page;
  }

  /** A page of a browser that keeps nothing of what others keep: cookies, storage, workers. Closed with the house. */
  async newPage(options) {
    launched ??= chromium.launch({ executablePath: browserPath, args: browserFlags });
    const context = await (await launched).newContext(options);
    this.#contexts.add(context);
    return context.newPage();
  }

  /** A device with no cookies yet, that was told to trust the hall's certificate. */
  async device(size = { width: 1280, height: 800 }) {
    const { fresh: _, ...sized } = size;
    const about = sized.viewport ? sized : { viewport: sized };
    // A button whose colours are on their way has a contrast that nobody is to judge.
    const page = await this.newPage({ reducedMotion: 'reduce', ...about, ignoreHTTPSErrors: this.people });
    // Who was asked for his name before the first order, and wanted none; `fresh`: nobody was asked on this device.
    if (!size.fresh) await page.addInitScript(() => localStorage.getItem('arbiter-name') ?? localStorage.setItem('arbiter-name', ''));
    page.complaints = [];
    page.on('pageerror', (error) => page.complaints.push(error.message));
    page.on('console', (message) => {
      // A refused WebSocket is what a stopped daemon looks like.
      // A browser that was only told to pass over the certificate keeps no worker.
      const isOfWorker = this.people && message.text().includes('when fetching the script');
      if (message.type() === 'error' && !message.text().includes('WebSocket') && !isOfWorker) page.complaints.push(message.text());
    });
    return page;
  }

  async close() {
    await Promise.all([...this.#contexts].map((context) => context.close()));
    const gone = [...this.#children].map((child) => once(child, 'exit'));
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all(gone);
    rmSync(this.dir, { recursive: true, force: true });
  }
}
