// What the sensors saw of a game ends with the game, whoever has said how it ended, and when.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const MOVES = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6';
const NEXT = '1. e4 e5';
const quick = ['--speed', '20'];

let house;
before(async () => {
  house = await House.open(2, 'language = "en"\n');
  const file = Buffer.from('table,white,black\n1,"Berg, Anna","Cole, Ben"\n2,"Dietz, Clara","Evers, Dan"\n').toString('base64');
  await post('/api/pairings', { file, round: 1 });
  await post('/api/rounds/1/start', {});
});
after(() => house.close());

async function post(path, body) {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

/** The game is played without an end; `said`: its result is entered before its pieces are set up for the next one. */
async function playedAt(table, said) {
  const id = `b0${table}`;
  await house.play(id, MOVES, quick);
  await until(async () => (await house.board(id)).ply === 6, 'it is played', 30_000);
  const { game } = await house.board(id);
  if (said) await post('/api/rounds/1/results', { results: { [table]: '1-0' } });
  await house.play(id, NEXT, quick);
  const isOnE4 = ({ reading }) => reading[36] !== '.' && reading[52] === '.';
  await until(async () => isOnE4(await house.board(id)), 'the board is handled after it', 30_000);
  if (!said) await post('/api/rounds/1/results', { results: { [table]: '0-1' } });
  return game;
}

for (const [table, said, when] of [[1, true, 'before'], [2, false, 'after']]) {
  test(`a result that was entered ${when} the pieces were set up again`, { timeout: 120_000 }, async () => {
    const game = await playedAt(table, said);
    const page = await house.page(`#/game/${game}`);
    const last = page.locator('.replay .near li').last();
    await last.waitFor();
    assert.match(await page.locator('.replay-side .hint').first().innerText(), /3… e6/);
    const shown = await page.locator('.replay .near').innerText();
    assert.doesNotMatch(shown, /whole board|e4/, 'nothing of what was set up and played since');
    assert.match(await last.innerText(), said ? /result/ : /Black pressed/);
    assert.deepEqual(page.complaints, []);
    await page.close();
  });
}

test('on a phone the slider is reached with the board in view', { timeout: 60_000 }, async () => {
  const [{ id }] = await house.json('/api/games');
  const page = await house.page(`#/game/${id}`, { width: 390, height: 800 });
  await page.locator('.replay .position').evaluate((board) => board.scrollIntoView({ block: 'start' }));
  const [board, slider, list] = await Promise.all(['.position', 'input[type=range]', '.near'].map((part) => page.locator(`.replay ${part}`).boundingBox()));
  assert.ok(board.y > -2 && board.y + board.height < slider.y, 'the board is above it');
  assert.ok(slider.y + slider.height < 500 && slider.y < list.y, `not below the list: ${slider.y}`);
  await page.close();
});
