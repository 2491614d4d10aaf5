// What the page of all boards costs with very many of them: node many.mjs [BOARDS]. One board plays for all: what the daemon says of it is said of each, every
// 20 s a move with the pieces lifted and put down, as hands do.
import { House, closeBrowser, until } from './house.mjs';

const boards = Number(process.argv[2] ?? 1_000);
const SECONDS = 20;
const MOVE_MS = 20_000;
const house = await House.open(1, 'language = "en"\n');
try {
  // What is said of the one board, while it plays at many times the pace of hands.
  const said = [];
  const listener = await house.device();
  listener.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => said.push(JSON.parse(payload))));
  await listener.goto(`${house.address}/#/`);
  await house.play('b01', '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7', ['--speed', '60']);
  await until(async () => (await house.board('b01')).ply >= 20, 'all moves', 120_000);
  await listener.close();
  const hall = said.find((message) => message.hall);
  const told = said.filter((message) => message.update);
  const whole = { ...(await house.board('b01')), update: 'board' };
  delete whole.moves;
  const perMove = told.length / 20;
  const names = Array.from({ length: boards }, (_, n) => `b${String(n + 1).padStart(4, '0')}`);
  const page = await house.device({ width: 1440, height: 900 });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  let sent = 0;
  await page.routeWebSocket(/api\/live/, (line) => {
    line.send(JSON.stringify({ hall: { ...hall.hall, boards: names } }));
    for (const [n, board] of names.entries()) {
      // One in thirty needs somebody.
      line.send(JSON.stringify({ ...whole, board, id: board, fault: n % 30 === 0 ? 'the board was unplugged' : null, faults: n % 30 === 0 ? [{ kind: 'unplugged', text: 'the board was unplugged' }] : [] }));
    }
    const every = 20;
    const share = (boards * perMove * every) / MOVE_MS;
    let owed = 0;
    let turn = 0;
    const timer = setInterval(() => {
      for (owed += share; owed >= 1; owed -= 1) {
        turn += 1;
        const message = told[Math.floor(turn / boards) % told.length];
        const { plies_from: _, plies: __, ...fields } = message;
        sent += 1;
        line.send(JSON.stringify({ ...fields, board: names[(turn * 37) % boards], last: message.last ?? whole.plies.at(-1) }));
      }
    }, every);
    const beats = setInterval(() => line.send(JSON.stringify({ beat: Date.now() })), 5_000);
    line.onClose(() => [timer, beats].forEach(clearInterval));
  });
  const begun = Date.now();
  await page.goto(`${house.address}/#/`);
  await page.waitForFunction((n) => document.querySelectorAll('.card').length >= n, boards, { timeout: 120_000, polling: 100 });
  console.log(`${boards} boards: drawn after ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  await page.waitForTimeout(3_000);
  const metric = async () => Object.fromEntries((await devtools.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]));
  const measure = async (what, during) => {
    const before = await metric();
    const [from, at] = [sent, Date.now()];
    await during();
    const [after, seconds] = [await metric(), (Date.now() - at) / 1000];
    const part = (of) => `${(100 * (after[of] - before[of]) / seconds).toFixed(1)} %`;
    console.log(`${what}: ${part('TaskDuration')} of a core, scripts ${part('ScriptDuration')} (${(1000 * (after.ScriptDuration - before.ScriptDuration) / seconds).toFixed(0)} ms a second), layout ${part('LayoutDuration')}, styles ${part('RecalcStyleDuration')}; ${((sent - from) / seconds).toFixed(0)} messages a second`);
  };
  await measure('standing still', () => page.waitForTimeout(1_000 * SECONDS));
  await measure('scrolled', async () => {
    for (let n = 0; n < 40; n += 1) {
      await page.mouse.wheel(0, 700);
      await page.waitForTimeout(150);
    }
  });
  const tap = Date.now();
  await page.locator('.card').first().click();
  await page.waitForFunction(() => location.hash.startsWith('#/board/'));
  console.log(`a board is opened after ${Date.now() - tap} ms`);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/many.png` });
} finally {
  await house.close();
  await closeBrowser();
}
