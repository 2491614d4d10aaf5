// What is corrected at the desk of a round counts, and what another has done meanwhile stays.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { House } from './house.mjs';

let house;
before(async () => {
  house = await House.open(1, 'language = "en"\n');
});
after(() => house.close());

test('a file of pairings that was corrected since is chosen again under its name', { timeout: 60_000 }, async () => {
  const file = join(house.dir, 'round1.csv');
  const page = await house.page('#/round');
  const input = page.locator('.next-round input[type=file]');
  writeFileSync(file, 'table,white,black\n1,"Berg, Anna","Cole, Ben"\n');
  await input.setInputFiles(file);
  await page.locator('.plan tbody tr', { hasText: 'Cole, Ben' }).waitFor();
  writeFileSync(file, 'table,white,black\n1,"Berg, Anna","Dietz, Clara"\n2,"Evers, Dan","Fuchs, Eva"\n3,"Gross, Finn","Hahn, Greta"\n4,"Ihle, Hugo","Jung, Ina"\n');
  await input.setInputFiles(file);
  await page.locator('.plan tbody tr', { hasText: 'Dietz, Clara' }).waitFor({ timeout: 5_000 });
  await page.locator('.next-round .chosen', { hasText: 'round1.csv' }).waitFor();
  await page.getByRole('button', { name: 'Use these pairings for round 1' }).click();
  await page.locator('[data-table="2"]', { hasText: 'Evers, Dan' }).waitFor();
  assert.deepEqual((await house.json('/api/rounds/1')).pairings.map(({ black }) => black.name), ['Dietz, Clara', 'Fuchs, Eva', 'Hahn, Greta', 'Jung, Ina']);
  assert.deepEqual(page.complaints, []);
  await page.close();
});
