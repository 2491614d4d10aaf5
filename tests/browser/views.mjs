// Every view of the console in a hall where something happens. As a command it takes their pictures in every language and three sizes:
// node views.mjs DIRECTORY
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { House, closeBrowser, until } from './house.mjs';
import { more, open } from './moreviews.mjs';

export const LANGUAGES = ['en', 'fr', 'de'];
export const SIZES = [[320, 640], [768, 1024], [1440, 900]];
const PLAYERS = ['Þórdís Önnudóttir', 'Maximilian von Hohenstetten-Brückl', 'Agnieszka Łęcka-Borowy', 'Ben Cole', 'Clara Dietz', 'Đặng Vũ Anh'];
const pgn = [0, 1, 2].map((n) => `[Event "Winter Open"]\n[Round "1.${n + 1}"]\n[White "${PLAYERS[2 * n]}"]\n[Black "${PLAYERS[2 * n + 1]}"]\n[Result "*"]\n\n*\n`).join('\n');

/** A hall with a round under way: one board with an illegal move, one whose game has ended, one that is not there. */
export async function lively() {
  const house = await House.open(3, 'language = "en"\n');
  const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  await post('/api/pairings', { file: Buffer.from(pgn).toString('base64') });
  await post('/api/rounds/1/start', {});
  await house.play('b01', '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3', ['--breach', 'illegal-move@7', '--speed', '6', '--seed', '3']);
  await house.play('b02', '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#', ['--speed', '10']);
  await until(async () => (await house.json('/api/incidents')).some(({ kind }) => kind === 'irregularity'), 'an incident', 60_000);
  await until(async () => (await house.json('/api/rounds/1')).pairings[1].result, 'a result', 60_000);
  const incident = (await house.json('/api/incidents')).find(({ kind }) => kind === 'irregularity').id;
  const { game } = await house.board('b02');
  return { house, views: viewsOf(incident, game) };
}

/** The name of each view, its address, and what is there when it has been drawn. */
const viewsOf = (incident, game) => [
  ['boards', '#/', '.card'],
  ['board', '#/board/b01', '.room .move'],
  ['inbox', '#/inbox', '.incident'],
  ['incident', `#/incident/${incident}`, '.dock .rule, .steps'],
  ['hall', '#/map', '.tile'],
  ['devices', '#/devices', '.device'],
  ['round', '#/round/1', '.results tbody tr'],
  ['report', '#/report/1', '.report'],
  ['games', '#/games', '.games tbody tr'],
  ['game', `#/game/${game}`, '.replay'],
];

/** Shows a view in a language. */
export async function see(page, house, [, hash, drawn], language) {
  await page.evaluate((tag) => localStorage.setItem('arbiter-language', tag), language);
  await page.goto(`${house.address}/?${language}${hash}`);
  await page.locator(drawn).first().waitFor({ timeout: 10_000 });
}

async function pictures(directory) {
  mkdirSync(directory, { recursive: true });
  const { house, views } = await lively();
  const others = await more();
  try {
    for (const [width, height] of SIZES) {
      const page = await house.page('#/', { width, height });
      for (const language of LANGUAGES) {
        for (const view of views) {
          await see(page, house, view, language);
          await page.waitForTimeout(120);
          await page.screenshot({ path: join(directory, `${view[0]}-${language}-${width}.png`) });
        }
      }
      await page.close();
      for (const language of LANGUAGES) {
        for (const view of others.views) {
          const one = await open(view, { width, height }, language);
          await one.waitForTimeout(120);
          await one.screenshot({ path: join(directory, `${view[0]}-${language}-${width}.png`) });
          await one.close();
        }
      }
    }
  } finally {
    await Promise.all([house.close(), others.close()]);
    await closeBrowser();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await pictures(process.argv[2] ?? 'pictures');
