// A game without a result whose board is set up anew: the arbiter says how it ended, or that it goes on. He takes orders back, and
// says what was played.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const FIRST = '1. e4 e5 2. Nf3 Nc6';
const THERE = ['e2e4', 'e7e5', 'g1f3', 'b8c6'];
const NEXT = '1. d4 d5';
const quick = ['--speed', '20'];

let house;
before(async () => {
  house = await House.open(4);
});
after(() => house.close());

/** The first game is played without an end; then the board is set up anew, and the next one begins. */
async function setUpAgain(id) {
  await house.play(id, FIRST, quick);
  const first = await until(async () => {
    const board = await house.board(id);
    return board.ply === THERE.length && board.game;
  }, 'the first game is played', 60_000);
  await house.play(id, NEXT, quick);
  await until(async () => {
    const board = await house.board(id);
    return board.game !== first && board.ply === 2;
  }, 'the next game is played', 60_000);
  return first;
}

const game = (id) => house.json(`/api/games/${id}`);

async function answered(id, button, sure) {
  const page = await house.page(`#/board/${id}`);
  const asked = page.locator('.need-panel.asked');
  await asked.getByRole('button', { name: button, exact: true }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: sure }).click();
  await asked.waitFor({ state: 'detached' });
  return page;
}

test('the result of the game before is entered while the next one runs', { timeout: 120_000 }, async () => {
  const first = await setUpAgain('b01');
  const hall = await house.page('#/');
  await hall.locator('.card', { hasText: 'Has the game ended?' }).first().waitFor();
  const { asked, game: next } = await house.board('b01');
  assert.deepEqual([asked.game, asked.ply], [first, 4]);

  // It is asked still when the daemon has been started again.
  await house.killDaemon();
  await house.startDaemon();
  const page = await answered('b01', '0–1', 'Declare 0–1');
  const { result, view } = await game(first);
  assert.deepEqual([result, view.result.reason, view.doubts], ['0-1', 'arbiter', []]);
  assert.deepEqual(view.plies.map((ply) => ply.uci), THERE);
  const now = await house.board('b01');
  assert.deepEqual([now.game, now.asked, now.moves], [next, null, ['d2d4', 'd7d5']]);
  const pgn = await fetch(`${house.address}/api/games/${first}.pgn`).then((answer) => answer.text());
  assert.match(pgn, /\[Result "0-1"\]/);
  const { at, order, ...entered } = (await house.script(first)).at(-1);
  assert.deepEqual(entered, { event: 'arbiter', action: 'result', result: '0-1', game: first });
  assert.deepEqual(page.complaints, []);
});

test('the game before goes on, and the next one was none', { timeout: 120_000 }, async () => {
  const first = await setUpAgain('b02');
  const { game: next } = await house.board('b02');
  const page = await answered('b02', 'The game goes on', 'The game goes on');
  // The board stands as in the next game: that is looked at for as long as a piece may be in somebody's hand, by a board that
  // is on the line.
  await house.play('b02', NEXT, quick);
  const lost = async () => { const board = await house.board('b02'); return board.doubts.length && board; };
  const now = await until(lost, 'it is asked what was played');
  assert.deepEqual([now.game, now.asked, now.result, now.doubts[0].kind], [first, null, null, 'thread-lost']);
  assert.deepEqual(now.moves.slice(0, 4), THERE);
  // What the question asks for can be done where it stands, on a phone too.
  const phone = await house.page(`#/incident/${first}.${now.doubts[0].ply}`, { width: 390, height: 844 });
  await phone.locator('.doubt summary', { hasText: 'Set a position' }).first().click();
  await phone.locator('.doubt').getByRole('button', { name: 'As recorded' }).waitFor();
  await phone.close();
  assert.equal((await game(next)).view.result.reason, 'annulled');
  assert.equal((await house.script(first)).findLast((e) => e.event === 'arbiter').action, 'goes-on');
  // So it is after a restart; and the journal tells it again.
  await house.killDaemon();
  await house.startDaemon();
  const again = await house.board('b02');
  assert.deepEqual([again.game, again.moves, again.doubts], [first, now.moves, now.doubts]);
  assert.deepEqual(page.complaints, []);
});

test('the game before is annulled', { timeout: 120_000 }, async () => {
  const first = await setUpAgain('b03');
  // In the inbox, as at the board.
  const page = await house.page(`#/incident/${encodeURIComponent(`${first}.end`)}`);
  const asked = page.getByRole('group', { name: 'Whether the game has ended' });
  await asked.getByRole('button', { name: 'The game goes on' }).waitFor();
  await asked.getByRole('button', { name: 'Annul the game', exact: true }).click();
  const why = page.locator('dialog.ask');
  await why.getByRole('textbox').fill('a false start');
  await why.getByRole('button', { name: 'Annul the game' }).click();
  await asked.waitFor({ state: 'detached' });
  const { result, view } = await game(first);
  assert.deepEqual([result, view.result.reason], ['*', 'annulled']);
  const [note] = await until(async () => { const notes = await house.json('/api/notes'); return notes.length > 0 && notes; }, 'why is noted');
  assert.deepEqual([note.game, note.text], [first, 'The game was annulled: a false start']);
  assert.deepEqual((await house.board('b03')).moves, ['d2d4', 'd7d5']);
  assert.deepEqual(page.complaints, []);
});

test('a ply is said to have been another, and that is taken back', { timeout: 120_000 }, async () => {
  await house.play('b04', FIRST, quick);
  await until(async () => (await house.board('b04')).ply === 4, 'the game is played', 60_000);
  const page = await house.page('#/board/b04');
  await page.locator('.played summary').click();
  const form = page.locator('.played');
  await form.getByRole('combobox', { name: 'From' }).selectOption('b8');
  await form.getByRole('combobox', { name: 'To' }).selectOption('a6');
  await form.locator('.trial .changed', { hasText: 'Na6' }).waitFor();
  await form.getByRole('button', { name: 'It was 2… Nb8–a6' }).click();
  await until(async () => (await house.board('b04')).moves[3] === 'b8a6', 'the ply is another');
  await page.locator('.given summary').click();
  await page.locator('.given').getByRole('button', { name: 'Take back' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Take back' }).click();
  await page.locator('.given').waitFor({ state: 'detached' });
  const now = await house.board('b04');
  assert.deepEqual([now.moves, now.doubts, now.orders], [THERE, [], []]);
  assert.deepEqual(page.complaints, []);
});
