// Takes the pictures of docs/console.md and of the README, of the real pages in one hall: node picture.mjs [DIR]
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { House, closeBrowser, until } from './house.mjs';
import { see } from './views.mjs';

const docs = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs');
const dir = join(docs, 'console');
const PHONE = { width: 360, height: 640 };
const DESK = { width: 1000, height: 640 };
const LONG = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8';
const SLOW = ['--speed', '0.3', '--seed', '5'];
// The mate comes last: a board that has nothing more to play goes away.
const GAMES = [
  ['1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3 Bd6 5. Bg3 O-O 6. Bd3 b6 7. Nf3 Ba6 8. O-O Bxd3 9. Qxd3 Nbd7 10. e4 dxe4', ['--breach', 'illegal-move@7', '--speed', '1.5', '--seed', '3']],
  ['1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#', ['--speed', '0.7']],
  ['1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Nbd7 5. bxa8=N e6 6. Nf3 Be7 7. d4 O-O 8. Bd3 Nb6 9. O-O Nbd5 10. Re1 Qd6', ['--sensor', 'occupancy', '--speed', '2']],
  [LONG, SLOW],
  ['1. c4 e5 2. Nc3 Nf6 3. g3 d5 4. cxd5 Nxd5 5. Bg2 Nb6 6. Nf3 Nc6 7. O-O Be7 8. d3 O-O', SLOW],
  ['1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3 O-O 6. Be2 e5', [...SLOW, '--stuck', 'a5']],
  ['1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 e5', SLOW],
  ['1. Nf3 d5 2. g3 c5 3. Bg2 Nc6 4. O-O e5 5. d3 Nf6', SLOW],
];
const PLAYERS = 'Berg, Anna;Cole, Ben;Dupont, Émile;Ek, Freja;Fox, Ida;Gray, Sam;Hill, Noor;Ito, Ken;Jung, Lea;Kaya, Emre;Lind, Åsa;Moro, Luca;Novák, Jan;Okafor, Ada;Price, Tom;Quist, Mia'.split(';');
const PAIRINGS = ['table,white,black', ...Array.from({ length: 8 }, (_, n) => `${n + 1},"${PLAYERS[2 * n]}","${PLAYERS[2 * n + 1]}"`), ''].join('\n');

mkdirSync(dir, { recursive: true });
const house = await House.open(8, 'name = "Club Championship"\nlanguage = "en"\n');
try {
  const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  await post('/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 });
  await post('/api/rounds/1/start', {});
  await post('/api/event/layout', { rows: '1-4 / 8-5' });
  await Promise.all(GAMES.map(([moves, options], n) => house.play(`b0${n + 1}`, moves, options)));
  const incident = await until(async () => (await house.json('/api/incidents')).find(({ kind }) => kind === 'irregularity'), 'an illegal move', 60_000);
  await until(async () => (await house.json('/api/incidents')).some(({ kind }) => kind === 'doubt'), 'a doubt', 60_000);
  /** A view in English, as it is once `prepare` has had it. */
  const take = async (file, size, hash, drawn, prepare) => {
    const page = await house.page('#/', size);
    if (hash.startsWith('#')) await see(page, house, ['', hash, drawn], 'en');
    else await page.goto(`${house.address}/${hash}`);
    await page.locator(drawn).first().waitFor();
    await prepare?.(page);
    await page.waitForTimeout(500);
    await page.screenshot({ path: file });
    await page.close();
  };
  const shown = (part, block) => (page) => page.locator(part).first().evaluate((one, where) => one.scrollIntoView({ block: where }), block);
  await take(join(docs, 'console.png'), { width: 1280, height: 860 }, '#/board/b01', '.need-panel.irregularity');
  await take(join(dir, 'inbox.png'), PHONE, '#/inbox', '.incident');
  await take(join(dir, 'ruling.png'), PHONE, `#/incident/${incident.id}`, '.dock .rule');
  await until(async () => (await house.json('/api/rounds/1')).pairings[1].result, 'a result', 120_000);
  const { game } = await house.board('b02');
  await take(join(dir, 'round.png'), DESK, '#/round/1', '.results tbody tr', shown('.results', 'center'));
  await take(join(dir, 'hall.png'), DESK, '#/map', '.tile');
  await take(join(dir, 'game.png'), DESK, `#/game/${game}`, '.replay', async (page) => {
    await page.getByRole('slider').focus();
    for (let n = 0; n < 12 && await page.getByText('Nothing is lifted.').isVisible(); n += 1) await page.keyboard.press('[');
    await shown('.replay', 'start')(page);
    await page.locator('.replay piece').first().waitFor();
  });
  await take(join(dir, 'wall.png'), DESK, 'wall.html', '.wall figure piece');
  await post(`/api/incidents/${incident.id}/rule`, { id: 'ruled', order: { event: 'arbiter', action: 'uphold', id: incident.findings[0].id, author: 'Ada' } });
  await take(join(dir, 'report.png'), DESK, '#/report/1', '.report .foot');
} finally {
  await house.close();
  await closeBrowser();
}
