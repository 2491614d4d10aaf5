// Round 1 is played to its end at one table; in round 2 somebody plays there without White's queen.
import { until } from './house.mjs';

const pairings = (round, white, black) => Buffer.from(`[Round "${round}.1"]\n[White "${white}"]\n[Black "${black}"]\n[Result "*"]\n\n*\n`).toString('base64');

/** `sees`: what its board tells, as `hands` of a house has it. Gives the hands, and what loads the pairing of a round. */
export async function playedUnset(house, sees) {
  const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const pair = (round, white, black) => post('/api/pairings', { file: pairings(round, white, black) });
  await pair(1, 'Berg, Anna', 'Cole, Ben');
  await post('/api/rounds/1/start', {});
  const hands = await house.hands('b01', sees);
  await until(async () => (await house.board('b01')).connected, 'the board is there');
  await hands('wait 2500', 'e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5');
  await until(async () => (await house.board('b01')).ply === 5, 'they play');
  await post('/api/boards/b01/orders', { event: 'arbiter', action: 'result', result: '1-0' });
  await post('/api/rounds/1/confirm', {});
  await post('/api/rounds/1/close', {});
  await pair(2, 'Evers, Dan', 'Fuchs, Eva');
  // Everything is set up again but for White's queen.
  await hands('-d1', 'e4e2-', 'e5e7-', 'f3g1-', 'c6b8-', 'b5f1-', 'wait 2500');
  await post('/api/rounds/2/start', {});
  await hands('wait 500', 'd2d4', 'd7d5', 'g1f3');
  return { hands, pair, post };
}
