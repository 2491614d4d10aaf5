// Takes the pictures of docs/getting-started.md, of the real pages: node evening.mjs [DIR]
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { House, closeBrowser, until } from './house.mjs';

const dir = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../../docs/getting-started');
const PASSWORD = 'rainy tuesday harbour';
const GAMES = [
  ['b01', '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3', ['--breach', 'illegal-move@7', '--speed', '2', '--seed', '3']],
  ['b02', '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8', ['--speed', '1', '--seed', '5']],
  ['b03', '1. c4 e5 2. Nc3 Nf6 3. g3 d5 4. cxd5 Nxd5 5. Bg2 Nb6 6. Nf3 Nc6 7. O-O Be7 8. d3 O-O', ['--speed', '1', '--seed', '6']],
  ['b04', '1. f3 e5 2. g4 Qh4#', ['--speed', '3', '--seed', '7']],
];
const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n2,"Dupont, Émile","Ek, Freja"\n3,"Fox, Ida","Gray, Sam"\n4,"Hill, Noor","Ito, Ken"\n';
const PHONE = { width: 390, height: 720 };
const here = dirname(fileURLToPath(import.meta.url));

mkdirSync(dir, { recursive: true });
const house = await House.open(GAMES.length, 'name = "Club Championship"\n', '', true);
try {
  const arbiterd = (...words) => {
    const done = spawnSync(resolve(here, process.env.ARBITERD ?? '../../target/debug/arbiterd'), [...words, '--dir', join(house.dir, 'data')], { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.stderr);
  };
  writeFileSync(join(house.dir, 'round1.csv'), PAIRINGS);
  arbiterd('event', 'new', '--name', 'Club Championship');
  arbiterd('pairings', 'load', join(house.dir, 'round1.csv'), '--round', '1');
  arbiterd('round', 'start', '1');
  const english = (page) => page.addInitScript(() => localStorage.setItem('language', 'en'));
  const chief = await house.device({ width: 1000, height: 760 });
  await english(chief);
  await chief.goto(house.setupLink);
  await chief.locator('[name=name]').fill('Ada Arbiter');
  await chief.locator('[name=password]').fill(PASSWORD);
  await chief.locator('button').click();
  await chief.waitForSelector('a.card[data-board="b01"]');
  for (const [board, moves, options] of GAMES) await house.play(board, moves, options);

  const door = await house.device({ width: 560, height: 420 });
  await english(door);
  await door.goto(`${house.address}/login.html`);
  await door.locator('[name=name]').fill('Ada Arbiter');
  await door.screenshot({ path: join(dir, 'login.png') });

  await chief.locator('.group-waiting a.card[data-board="b01"]', { hasText: 'Irregularity' }).waitFor({ timeout: 60_000 });
  await chief.locator('a.card[data-board="b04"]', { hasText: '0–1' }).waitFor({ timeout: 60_000 });
  await chief.screenshot({ path: join(dir, 'boards.png') });

  await chief.goto(`${house.address}/people.html`);
  const add = chief.locator('form', { has: chief.locator('button', { hasText: 'Make a code' }) });
  await add.locator('[name=name]').fill('Ben, tables 1-4');
  await add.locator('[name=role]').selectOption('sector');
  await add.locator('[name=tables]').fill('1-4');
  await add.locator('button').click();
  const code = await chief.locator('.invited .code').innerText();
  await chief.locator('.invited').scrollIntoViewIfNeeded();
  await chief.locator('section', { has: chief.locator('.invited') }).first().screenshot({ path: join(dir, 'code.png') });

  const phone = await house.device(PHONE);
  await english(phone);
  await phone.goto(`${house.address}/pair.html`);
  await phone.locator('[name=code]').fill(code);
  await phone.locator('.door button').click();
  await chief.locator('.asking button', { hasText: 'Let in' }).waitFor();
  await chief.locator('.asking').first().screenshot({ path: join(dir, 'let-in.png') });
  await chief.locator('.asking button', { hasText: 'Let in' }).click();
  await phone.waitForSelector('a.card[data-board="b01"]');
  await phone.goto(`${house.address}/#/board/b01`);
  await phone.locator('.need-panel.irregularity').waitFor();
  await until(() => phone.locator('.line-live').count(), 'the phone is live');
  await phone.locator('.need-panel.irregularity').screenshot({ path: join(dir, 'finding.png') });
} finally {
  await house.close();
  await closeBrowser();
}
