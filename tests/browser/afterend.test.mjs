// What is moved on a board once its game is over is none of the game: a protocol that was printed and signed stays true.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { House, until } from './house.mjs';

const PAIRINGS = 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n';

async function post(house, path, body) {
  const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

/** A table whose game is played as `moves`; `ends` says how it ended. */
async function playedOut(moves, ends) {
  const house = await House.open(1, 'name = "Harbour Open"\nlanguage = "en"\n', 'kind = "text"\nsensor = "piece"\n');
  await post(house, '/api/pairings', { file: Buffer.from(PAIRINGS).toString('base64'), round: 1 });
  await post(house, '/api/rounds/1/start', {});
  const hands = await house.hands('b01');
  await until(async () => (await house.board('b01')).connected, 'the board is there');
  await hands('wait 1500', ...moves, 'wait 2500');
  const { game } = await house.board('b01');
  await ends(house);
  await hands('wait 1000');
  return { house, hands, game };
}

/** What is printed, but for the hour at which it is. */
async function printed(house, game) {
  const page = await house.page(`#/game/${game}`);
  const sum = page.locator('.protocol .foot code');
  await sum.waitFor();
  const text = await page.locator('.protocol').innerText();
  await page.close();
  return text.replace(/^.*SHA-256/m, 'SHA-256').replace(/\d\d:\d\d:\d\d.*$/m, '');
}

const said = (result) => (house) => post(house, '/api/rounds/1/results', { results: { 1: result }, decided: true });

for (const [what, moves, ends, after] of [
  ['a result of the desk', ['e2e4', 'e7e5', 'g1f3', 'b8c6'], said('1-0'), ['f1b5', 'a7a6', 'b5a4', 'a1a3']],
  ['a mate', ['f2f3', 'e7e5', 'g2g4', 'd8h4'], () => {}, ['-h4', '+h3q', '-e1', '+e2K', 'white', '-a7', '+a6p', 'black']],
  ['kings in the centre', ['e2e4', 'e7e5', '-e1', '+d4K', '-e8', '+e5k'], said('0-1'), ['-d4', '-e5', '+e1K', '+e8k', 'g1f3', 'b8c6']],
]) {
  test(`what is moved after ${what} changes no protocol`, { timeout: 90_000 }, async () => {
    const { house, hands, game } = await playedOut(moves, ends);
    const kept = async () => ({ game: await house.json(`/api/games/${game}`), script: await house.script(game), printed: await printed(house, game) });
    const before = await kept();
    await hands(...after, 'wait 2000');
    assert.deepEqual(await kept(), before);
    await house.close();
  });
}
