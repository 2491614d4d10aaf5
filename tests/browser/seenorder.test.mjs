// In what the sensors saw, half-moves come one after the other, also where one that is no move was told to be made only once its answer was.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House } from './house.mjs';

let house;
let page;
before(async () => {
  house = await House.open(1);
  page = await house.page();
  await page.goto(`${house.address}/?modules#/`);
});
after(() => house.close());

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const lift = (at, square) => ({ at, event: 'lift', square });
const place = (at, square) => ({ at, event: 'place', square, seen: '?' });
const press = (at, by) => ({ at, event: 'press', by });
const LINES = [lift(100, 'g1'), place(200, 'g3'), press(300, 'white'), lift(400, 'd7'), lift(450, 'g3'), place(500, 'd5'), place(550, 'g3'), press(600, 'black')];
const view = { start_fen: START, plies: [{ uci: 'g1g3', san: 'g1g3', at: 600 }, { uci: 'd7d5', san: 'd5', at: 500 }], fen: START };

/** What the console makes of it. */
const seen = (view, all = LINES) => page.evaluate(async ([told, lines]) => {
  const { inOrder, momentsOf } = await import('/record/seen.mjs');
  return { ordered: inOrder(told, lines).plies.map(({ at }) => at), moments: momentsOf(told, lines).map(({ line, squares }) => [line.at, squares]) };
}, [view, all]);

test('it was made by the time at which its player pressed', { timeout: 60_000 }, async () => {
  assert.deepEqual((await seen(view)).ordered, [300, 500]);
  assert.deepEqual((await seen({ ...view, plies: [{ ...view.plies[0], at: 200 }, view.plies[1]] })).ordered, [200, 500]);
});

test('what is put down after it is the piece of who has the move', { timeout: 60_000 }, async () => {
  const at = new Map((await seen(view)).moments);
  assert.deepEqual([at.get(500).d5, at.get(550).g3], ['p', 'N']);
});

test('what stands as the record has it is named by the record, and nothing else that a board cannot tell', { timeout: 60_000 }, async () => {
  const fen = 'rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
  const told = { start_fen: START, plies: [{ uci: 'e2e4', san: 'e4', at: 10, fen: START }, { uci: 'd7d5', san: 'd5', at: 20, fen }], fen };
  const stands = (placement) => ({ event: 'snapshot', board: placement.replace(/\d/g, (n) => '.'.repeat(Number(n))).replaceAll('/', '').replace(/[a-z]/gi, '?') });
  // The pieces of another board, then those of its own game, as after their cables were exchanged.
  const { moments: [[, other], [, own]] } = await seen(told, [{ at: 100, ...stands('r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R') }, { at: 200, ...stands(fen.split(' ')[0]) }]);
  assert.deepEqual([other.b5, other.c6, other.f3], ['?', '?', '?']);
  assert.deepEqual([own.e4, own.d5, own.g1, own.b8, own.b5], ['P', 'p', 'N', 'n', undefined]);
});
