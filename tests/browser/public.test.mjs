// The page for everybody, as the daemon serves it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { sound } from './sound.mjs';

const WHITE = '<script>document.body.dataset.owned=1</script> Łucja Ærø Weiß';
const BLACK = '"><img src=x onerror="document.body.dataset.owned=1">';
const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6';
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 320, height: 640 };

let house;
before(async () => {
  house = await House.open(2, '', '', false, '[public]\nserve = true\nhold = "none"\n');
  await house.play('b01', MOVES, ['--speed', '20']);
  await house.play('b02', '1. d4 d5', ['--speed', '4']);
  for (const id of ['b01', 'b02']) await until(async () => (await house.board(id)).connected, `${id} answers`);
  const order = { event: 'new-game', white: WHITE, black: BLACK };
  const answer = await fetch(`${house.address}/api/boards/b02/orders`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order),
  });
  assert.equal(answer.status, 200);
  await until(async () => (await live()).tables.some((row) => row.plies === 8), 'eight half-moves are public', 60_000);
});
after(() => house.close());

const live = async () => {
  const answer = await fetch(`${house.address}/live/round-1/live.json`);
  return answer.ok ? answer.json() : { tables: [] };
};

async function open(hash = '', size = DESK, file = 'index.html', options = {}) {
  const page = await house.newPage({ viewport: size, ...options });
  page.setDefaultTimeout(8_000);
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && page.complaints.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(house.address) && !request.url().startsWith('data:')) page.complaints.push(request.url());
  });
  await page.goto(`${house.address}/live/round-1/${file}${hash}`);
  return page;
}

test('the round, the results and a game, on a desk and on a phone, light and dark', { timeout: 120_000 }, async () => {
  for (const size of [DESK, PHONE, { width: 720, height: 450 }]) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await open('', size, 'index.html', { colorScheme });
      await page.locator('.tables svg.board').first().waitFor();
      await sound(page, `round ${size.width} ${colorScheme}`);
      await page.locator('#tabresults').click();
      await page.locator('table.results').waitFor();
      await sound(page, `results ${size.width} ${colorScheme}`);
      await page.locator('#table-1').click();
      await page.locator('.moves li').first().waitFor();
      await sound(page, `game ${size.width} ${colorScheme}`);
      assert.deepEqual(page.complaints, []);
      await page.close();
    }
  }
});

test('a game is replayed with keys and buttons, and its address says where', { timeout: 60_000 }, async () => {
  const page = await open('#table-1');
  const said = () => page.locator('svg.board').getAttribute('aria-label');
  await page.locator('.moves li').nth(7).waitFor();
  assert.match(await said(), /^White: king g1, queen d1, rook a1 f1/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.match(page.url(), /#table-1-6$/);
  assert.match(await said(), /^White: king e1, queen d1, rook a1 h1/);
  await page.keyboard.press('Home');
  assert.match(await said(), /knight b1 g1/);
  await page.locator('#go-on').click();
  assert.match(await said(), /pawn .*e4/);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'go-on');
  await page.keyboard.press('End');
  assert.match(page.url(), /#table-1$/);
  assert.equal(await page.locator('.moves [aria-current]').innerText(), '4… Nf6');
  const pgn = await fetch(new URL(await page.locator('#pgn').getAttribute('href'), page.url()));
  assert.match(await pgn.text(), /4\. O-O/);
  const shared = await open('#table-1-3');
  await shared.locator('.moves [aria-current]').waitFor();
  assert.equal(await shared.locator('.moves [aria-current]').innerText(), '2. Nf3');
  const wrong = await open('#table-99');
  await wrong.getByText('This round has no table 99.').waitFor();
  assert.deepEqual([...page.complaints, ...shared.complaints], []);
});

test('a player is found by name, with or without accents', { timeout: 60_000 }, async () => {
  await until(async () => JSON.stringify(await live()).includes('onerror'), 'the names are public');
  const page = await open();
  await page.locator('.tables li').nth(1).waitFor();
  await page.locator('#player').fill('ÁNNA');
  assert.equal(await page.locator('.tables li:visible').count(), 1);
  await page.locator('#player').fill('nobody of this name');
  assert.equal(await page.locator('.tables li:visible').count(), 0);
  assert.ok(await page.locator('#nobody').isVisible());
  for (const [hash, row] of [['', '.tables li'], ['#results', 'tbody tr']]) {
    await page.goto(`${house.address}/live/round-1/index.html${hash}`);
    await page.locator(row).nth(1).waitFor();
    for (const name of ['lucja', 'Łucja', 'aero', 'ærø', 'weiss', 'WEISS', 'weiß']) {
      await page.locator('#player').fill(name);
      assert.equal(await page.locator(`${row}:visible`).count(), 1, name);
    }
  }
});

test('it is there in English, French and German, letters of the pieces too', { timeout: 60_000 }, async () => {
  for (const [file, code, heading, move] of [
    ['index.html', 'en', 'Round 1', '4… Nf6'],
    ['index.fr.html', 'fr', 'Ronde 1', '4… Cf6'],
    ['index.de.html', 'de', 'Runde 1', '4… Sf6'],
  ]) {
    const page = await open('', PHONE, file);
    assert.equal(await page.locator('html').getAttribute('lang'), code);
    assert.equal(await page.locator('h1').innerText(), heading);
    await page.locator('.tables li').first().waitFor();
    assert.ok((await page.locator('.tables').innerText()).includes(move), code);
    await sound(page, code);
    await page.close();
  }
});

test('without scripts it is a table with links', { timeout: 60_000 }, async () => {
  const page = await open('', PHONE, 'index.html', { javaScriptEnabled: false });
  assert.equal(await page.locator('tbody tr').count(), 2);
  for (const [file, move] of [['index.fr.html', '4… Cf6'], ['index.de.html', '4… Sf6'], ['index.html', '4… Nf6']]) {
    await page.goto(new URL(file, page.url()).href);
    assert.ok((await page.locator('tbody').innerText()).includes(move), file);
  }
  const answer = await fetch(new URL(await page.locator('tbody a').first().getAttribute('href'), page.url()));
  assert.match(await answer.text(), /^\[Event /);
  await page.goto(`${house.address}/live/`);
  await page.locator('p[lang=de] a').first().click();
  assert.equal(await page.locator('h1').innerText(), 'Runde 1');
});

test('whoever names no round comes to the newest in his language', { timeout: 60_000 }, async () => {
  const page = await house.newPage({ locale: 'fr-FR' });
  await page.goto(`${house.address}/live/`);
  await page.waitForURL(/round-1\/index\.fr\.html$/);
});

test('what is asked for at first is under 60 kB', { timeout: 60_000 }, async () => {
  const page = await house.newPage();
  const sizes = [];
  page.on('response', (answer) => sizes.push(answer.body().then((body) => body.length, () => 0)));
  await page.goto(`${house.address}/live/round-1/index.html`);
  await page.locator('.tables svg.board').first().waitFor();
  const found = await Promise.all(sizes);
  assert.ok(found.length >= 6, `${found.length} files`);
  const all = found.reduce((sum, size) => sum + size, 0);
  assert.ok(all > 10_000 && all < 60_000, `${all} bytes`);
});

test('it says when what it shows is old, and goes on when there is a connection', { timeout: 60_000 }, async () => {
  const page = await open();
  await page.locator('.tables li').first().waitFor();
  assert.match(await page.locator('#state').innerText(), /^As received at \d\d:\d\d\.$/);
  await page.context().setOffline(true);
  await page.locator('#state.old').waitFor();
  assert.match(await page.locator('#state').innerText(), /^No connection\. Shown: \d\d:\d\d$/);
  assert.ok(await page.locator('.tables li').first().isVisible());
  await page.context().setOffline(false);
  await until(async () => !(await page.locator('#state.old').count()), 'it goes on');
});

test('names are text', { timeout: 60_000 }, async () => {
  await until(async () => JSON.stringify(await live()).includes('onerror'), 'the name is public');
  for (const javaScriptEnabled of [true, false]) {
    for (const hash of ['', '#results', '#table-2']) {
      const page = await open(hash, DESK, 'index.html', { javaScriptEnabled });
      await until(async () => (await page.locator('#view').innerText()).includes(WHITE), `her name at ${hash}`);
      assert.ok((await page.locator('#view').innerText()).includes(BLACK), hash);
      assert.equal(await page.locator('img').count(), 0);
      assert.equal(await page.locator('body[data-owned]').count(), 0);
      assert.deepEqual(page.complaints, []);
      await page.close();
    }
  }
});
