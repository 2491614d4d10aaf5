// What hangs on the wall is told nothing of what was found, also where nobody is asked who he is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneBoard, until } from './house.mjs';

const hall = oneBoard();

test('the wall is sent no finding and no incident', { timeout: 60_000 }, async () => {
  const page = await hall.house.device();
  const told = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => told.push(JSON.parse(String(payload)))));
  await page.goto(`${hall.house.address}/wall.html`);
  await until(() => told.some((message) => 'hall' in message), 'it is told');
  await hall.hands('e2e4', 'e7e5', 'b1b3', 'wait 1500');
  await until(async () => (await hall.house.json('/api/incidents')).length > 0, 'an illegal move is found');
  await until(() => told.some(({ last }) => last?.san === 'e5'), 'it is told of moves');
  await page.waitForTimeout(1_500);
  const names = told.flatMap((message) => Object.keys(message));
  for (const name of ['incidents', 'incident', 'changed', 'findings', 'doubts', 'restore', 'offences']) assert.ok(!names.includes(name), name);
  await page.close();
});

test('where nothing goes out of the hall it is said what walls show nevertheless', { timeout: 60_000 }, async () => {
  const page = await hall.house.device();
  await page.goto(`${hall.house.address}/public.html`);
  await page.getByText('No way out of the hall is configured').waitFor();
  assert.match(await page.textContent('main'), /Walls in the hall.* see names, clocks and moves/);
  assert.doesNotMatch(await page.textContent('main'), /Nothing is public/);
  await page.close();
});
