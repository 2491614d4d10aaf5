// Whether a game has ended is asked once, wherever it is answered; the answer has a name, is the result's source, and can be taken back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const FIRST = '1. e4 e5 2. Nf3 Nc6';
const NEXT = '1. d4 d5';
const PGN = '[Event "Harbour Open"]\n[Round "1.1"]\n[White "Berg, Anna"]\n[Black "Cole, Ben"]\n[Result "*"]\n\n*\n';
const quick = ['--speed', '20'];

let house;
before(async () => { house = await House.open(1, 'language = "en"\n'); });
after(() => house.close());

const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const questions = async (game) => (await house.json('/api/incidents')).filter((one) => one.game === game && ['doubt', 'missed'].includes(one.kind));

/** A page of somebody with a name. */
async function adas(hash) {
  const page = await house.page('#/');
  await page.evaluate(() => localStorage.setItem('arbiter-name', 'Ada'));
  await page.goto(`${house.address}/?ada${hash}`);
  return page;
}

/** A game is played without an end, and its board is set up anew. */
async function setUpAgain() {
  await house.play('b01', FIRST, quick);
  const game = await until(async () => {
    const board = await house.board('b01');
    return board.ply === 4 && board.game;
  }, 'the game is played', 60_000);
  await house.play('b01', NEXT, quick);
  await until(async () => (await questions(game)).length > 0, 'the question', 60_000);
  return game;
}

test('it is one question before the next game and while that is played, and gone with its answer', { timeout: 120_000 }, async () => {
  const game = await setUpAgain();
  await until(async () => {
    const board = await house.board('b01');
    return board.asked?.game === game && board.ply === 2;
  }, 'the next game is played', 60_000);
  assert.deepEqual((await questions(game)).map(({ id, kind }) => [id, kind]), [[`${game}.end`, 'missed']]);
  const page = await adas('#/board/b01');
  await page.locator('.need-panel.asked').getByRole('button', { name: '0–1', exact: true }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Declare 0–1' }).click();
  await page.locator('.need-panel.asked').waitFor({ state: 'detached' });
  await until(async () => (await questions(game)).length === 0, 'its twin is answered with it');
  // It is none of the orders of the game at hand, and stands beside them on the page of its board.
  const before = page.locator('.given-before');
  await before.locator('summary').click();
  await before.getByText(/^\d\d:\d\d:\d\d.*result 0–1.*Ada/i).waitFor();
  await before.getByRole('link', { name: game }).waitFor();

  // It stands in the inbox among what was ruled here; the page of what is settled says who answered what, and takes it back.
  await page.goto(`${house.address}/?ada#/inbox`);
  await page.locator('.ruled-here summary').click();
  await page.locator('.ruled-here').getByRole('link', { name: /Has the game ended\?/ }).click();
  await page.waitForURL((url) => url.hash === `#/incident/${game}.end`);
  const answer = page.locator('.ruled', { hasText: /result 0–1/i });
  await answer.getByText(/^by Ada, \d\d:\d\d:\d\d$/).waitFor();
  await answer.getByRole('button', { name: 'Take back' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Take back' }).click();
  await until(async () => (await questions(game)).length === 1, 'it is asked again');
  await page.locator('.need-panel.doubt').getByRole('button', { name: '½–½', exact: true }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Declare ½–½' }).click();
  await until(async () => (await questions(game)).length === 0, 'it is answered in the inbox');
  assert.equal((await house.json(`/api/games/${game}`)).result, '1/2-1/2');

  // So does the page of the game.
  await page.goto(`${house.address}/?ada#/game/${game}`);
  await page.locator('.given summary').click();
  await page.locator('.given li', { hasText: 'result ½–½' }).getByRole('button', { name: 'Take back' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Take back' }).click();
  await page.locator('.protocol del', { hasText: 'result ½–½' }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('in a round the answer is the result of who gave it', { timeout: 120_000 }, async () => {
  await house.close();
  house = await House.open(1, 'language = "en"\n');
  assert.equal((await post('/api/pairings', { file: Buffer.from(PGN).toString('base64') })).status, 200);
  await post('/api/rounds/1/start', {});
  const game = await setUpAgain();
  assert.deepEqual((await questions(game)).map(({ id }) => id), [`${game}.end`]);
  const page = await adas('#/board/b01');
  await page.waitForFunction(() => document.title === '(1) Table 1 · b01');
  // What is played meanwhile is no game of the round, and nothing else is said.
  await page.locator('.need-panel.doubt').getByText('What is played meanwhile is no part of it').waitFor();
  await page.locator('.need-panel.doubt').getByRole('button', { name: '1–0', exact: true }).click();
  await page.locator('dialog.confirm').getByRole('heading', { name: 'Table 1 · b01: 1–0?' }).waitFor();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Declare 1–0' }).click();
  await page.locator('.notice', { hasText: 'Table 1, Berg, Anna – Cole, Ben: result 1–0 entered' }).waitFor();
  await page.goto(`${house.address}/?ada#/round/1`);
  await page.locator('[data-table="1"] td', { hasText: 'arbiter, Ada' }).waitFor();
  // On the page of its board it has the time of day; taken back, it is told as that.
  await page.goto(`${house.address}/?ada#/board/b01`);
  await page.locator('.given summary').click();
  const order = page.locator('.given li', { hasText: 'result 1–0' });
  await order.getByText(/^\d\d:\d\d:\d\d$/).waitFor();
  await order.getByRole('button', { name: 'Take back' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Take back' }).click();
  await page.locator('.lately', { hasText: 'The result was taken back: the game goes on.' }).waitFor();
  assert.deepEqual(page.complaints, []);
  await page.close();
});
