// Takes the picture of the console that the README shows: node picture.mjs [FILE]
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { House, until } from './house.mjs';

const file = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs', 'console.png');
const MOVES = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';

const house = await House.open(1, 'name = "Club Championship"\n');
try {
  await house.play('b01', MOVES, ['--breach', 'illegal-move@7', '--speed', '1', '--seed', '3']);
  const page = await house.page('#/board/b01', { width: 1280, height: 860 });
  await page.locator('.bar .language').selectOption('en');
  await page.locator('.need-panel.irregularity').waitFor({ timeout: 60_000 });
  await until(async () => (await house.board('b01')).restore !== null, 'the position is to be put back');
  await page.screenshot({ path: file });
} finally {
  await house.close();
}
