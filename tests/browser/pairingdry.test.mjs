// Before a file of pairings is loaded it is said what goes with it, and what changes at which table; a PGN names no event that has a name.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House } from './house.mjs';

let house;
const post = (path, body) => fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const pgn = (event, pairs) => pairs.map(([table, white, black]) => `[Event "${event}"]\n[Round "1.${table}"]\n[White "${white}"]\n[Black "${black}"]\n[Result "*"]\n\n*\n`).join('\n');
const ALL = [[1, 'Berg, Anna', 'Cole, Ben'], [2, 'Dietz, Clara', 'Evers, Dan'], [3, 'Fuchs, Eva', 'Gross, Finn']];
before(async () => {
  house = await House.open(1, 'name = "Harbour Open"\nlanguage = "en"\n');
  await post('/api/pairings', { file: Buffer.from(pgn('?', ALL)).toString('base64') });
});
after(() => house.close());

test('what goes is listed, what changes is marked, and the name stays', { timeout: 60_000 }, async () => {
  const page = await house.page('#/round/1', { width: 1280, height: 900 });
  const text = pgn('Club Night', [ALL[0], [2, 'Evers, Dan', 'Dietz, Clara']]);
  await page.locator('.next-round input[type=file]').setInputFiles({ name: 'round.pgn', mimeType: 'application/x-chess-pgn', buffer: Buffer.from(text) });
  const panel = page.locator('.next-round');
  await panel.getByText('Table 3: Fuchs, Eva – Gross, Finn').waitFor();
  const marked = panel.locator('.plan tr.is-changed');
  assert.equal(await marked.count(), 1);
  assert.match(await marked.innerText(), /Evers, Dan[^]*other players/);
  assert.equal(await panel.getByText('would be called').count(), 0);
  assert.equal((await house.json('/api/event')).details.name, 'Harbour Open');
  assert.deepEqual(page.complaints, []);
  await page.close();
});
