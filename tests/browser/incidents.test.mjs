// What is done about an incident: who goes, what is ruled, what is taken back, and what the other arbiters see of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';
import { lively } from './views.mjs';

const PHONE = { width: 390, height: 844 };
const SHORT = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';

let house;
before(async () => { house = await House.open(2); });
after(() => house.close());

const nth = (n) => `b${String(n).padStart(2, '0')}`;

/** The board is switched on, and its player breaks a Law with the last move. */
const breach = (id, code) => house.play(id, SHORT, ['--breach', `${code}@7`, '--speed', '8']);

test('who goes is seen by the other; what waits comes back; both outlive a power cut', { timeout: 120_000 }, async () => {
  await breach('b01', 'touch-move-own-piece');
  const [one] = await until(async () => {
    const all = (await house.json('/api/incidents')).filter((incident) => incident.kind === 'irregularity');
    return all.length > 0 && all;
  }, 'an incident', 60_000);
  const ada = await house.page(`#/incident/${one.id}`, PHONE);
  const ben = await house.page('#/inbox', PHONE);
  await ben.getByLabel(/Your name/).fill('Ben');
  await ben.locator(`[data-incident="${one.id}"] a`).click();
  await ben.getByRole('button', { name: 'I am going', exact: true }).click();
  await ada.getByText('Ben is going').waitFor();
  await house.killDaemon();
  await house.startDaemon();
  const again = await until(async () => (await house.json('/api/incidents')).find(({ id }) => id === one.id), 'it is there again', 30_000);
  assert.deepEqual([again.state, again.going.who], ['going', 'Ben']);
  assert.ok(Math.abs(again.since - one.since) < 30_000, `it began at ${one.since}, not ${again.since}`);
  await ben.locator('.line-live').waitFor({ timeout: 20_000 });
  await ben.getByRole('button', { name: 'Later' }).click();
  await until(async () => (await house.json('/api/incidents')).some(({ id, state }) => id === one.id && state === 'later'), 'it waits');
  const wait = async () => (await house.json('/api/incidents')).find(({ id }) => id === one.id).until_move;
  assert.equal(await wait(), false);
  await ben.getByRole('button', { name: 'Next move', exact: true }).click();
  await until(wait, 'it waits for a move');
  await ben.getByRole('button', { name: 'Next move', exact: true, pressed: true }).waitFor();
  await ben.getByRole('button', { name: 'Now', exact: true }).click();
  await until(async () => (await house.json('/api/incidents')).some(({ id, state }) => id === one.id && state === 'seen'), 'it waits no longer');
});

test('a ruling sent twice counts once, and a stale one is told what has changed', { timeout: 60_000 }, async () => {
  const [one] = (await house.json('/api/incidents')).filter((incident) => incident.kind === 'irregularity');
  const post = (body) => fetch(`${house.address}/api/incidents/${one.id}/rule`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  const order = { event: 'arbiter', action: 'uphold', id: one.findings[0].id, author: 'Tomasz' };
  const body = { id: 'phone-1', upon: one.version, order };
  const [first, second] = [await (await post(body)).json(), await (await post(body)).json()];
  assert.deepEqual([first.again, second.again, first.order, second.order], [false, true, 'phone-1', 'phone-1']);
  await until(async () => (await house.json('/api/incidents')).some(({ id, rulings }) => id === one.id && rulings.length === 1), 'it is ruled');
  const stale = await post({ id: 'phone-2', upon: one.version, order: { ...order, action: 'dismiss' } });
  assert.equal(stale.status, 409);
  assert.match((await stale.json()).error, /^Tomasz has ruled on this already: upheld/);
});

test('a ruling stays as a list; taking it back says first what follows', { timeout: 60_000 }, async () => {
  const [one] = (await house.json('/api/incidents')).filter((incident) => incident.rulings.length > 0);
  const page = await house.page(`#/incident/${one.id}`, PHONE);
  await page.getByText(/by Tomasz/).waitFor();
  await page.locator('[data-step="position"]:not(.done)').waitFor();
  await page.getByRole('button', { name: 'Take back' }).click();
  const dialog = page.locator('dialog.confirm');
  await dialog.getByText('The finding waits').waitFor();
  assert.match(await dialog.innerText(), /The finding waits for somebody again\..*need not be put back/s);
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await page.locator('.dock .rule').waitFor();
  await page.waitForTimeout(500);
  const now = (await house.json('/api/incidents')).find(({ id }) => id === one.id);
  assert.deepEqual([now.findings[0].status, now.rulings.length], ['open', 0]);
  assert.equal(now.state, 'undone', 'also while somebody looks at it');
  assert.match(await page.locator('.incident-head .stand').innerText(), /^taken back/);
  assert.deepEqual(page.complaints, []);
});

for (const [width, height] of [[320, 640], [390, 844], [640, 900], [700, 900], [788, 1024], [1280, 800]]) {
  test(`nothing is wider than the page at ${width} px`, { timeout: 60_000 }, async () => {
    const page = await house.page('#/inbox', { width, height });
    for (const place of ['#/inbox', '#/', '#/board/b01', '#/games']) {
      await page.goto(`${house.address}/${place}`);
      await page.waitForSelector(place === '#/games' ? '.games' : '.card, .incident, .room');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${place}: ${wide}`);
    }
    await page.close();
  });
}

test('an order whose answer is lost is sent again, and counts once', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01');
  await page.waitForSelector('.room');
  let sent = 0;
  await page.route('**/orders*', async (route) => {
    sent += 1;
    const answer = await route.fetch();
    if (sent === 1) return route.abort();
    return route.fulfill({ response: answer });
  });
  await page.locator('.orders details').evaluateAll((all) => all.forEach((one) => { one.open = true; }));
  const report = page.locator('.report form');
  await report.getByLabel('What').selectOption('two-hands');
  await report.getByLabel('Who').selectOption('black');
  await report.getByRole('button', { name: 'Report it' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Report it' }).click();
  await until(() => sent === 2, 'it is sent again');
  await page.locator('.notice-done').waitFor();
  const { game } = await house.board('b01');
  const reports = (await house.script(game)).filter((line) => line.action === 'report');
  assert.equal(reports.length, 1);
});

/** Boards of a hall of its own with an illegal move each, and their incidents. */
async function hallOf(boards, ...more) {
  await house.close();
  house = await House.open(boards, ...more);
  for (let n = 1; n <= boards; n += 1) await breach(nth(n), 'illegal-move');
}

const found = (board) => until(async () => (await house.json('/api/incidents')).find((one) => one.board === board && one.kind === 'irregularity'), `an incident at ${board}`, 60_000);
const given = async (game) => (await house.script(game)).filter(({ event }) => event === 'arbiter').map(({ action }) => action);

test('who taps twice on a ruling does not press what takes its place', { timeout: 90_000 }, async () => {
  await hallOf(3);
  await found('b02');
  for (const [board, delay] of [['b01', 0], ['b03', 200]]) {
    const { id } = await found(board);
    const page = await house.device({ viewport: PHONE, hasTouch: true, isMobile: true });
    await page.route('**/rule', (route) => setTimeout(() => route.continue(), delay));
    await page.goto(`${house.address}/#/incident/${id}`);
    const uphold = page.locator('.dock').getByRole('button', { name: 'Uphold' });
    await uphold.waitFor();
    const { x, y } = await uphold.boundingBox();
    await page.touchscreen.tap(x + 50, y + 20);
    await page.waitForTimeout(250);
    await page.touchscreen.tap(x + 50, y + 20);
    await page.locator('.ruled').waitFor();
    await page.touchscreen.tap(x + 50, y + 20);
    await page.waitForTimeout(300);
    assert.ok(page.url().endsWith(`#/incident/${id}`), page.url());
    await page.locator('.dock').getByRole('button', { name: /^Next/ }).tap();
    await page.waitForURL((url) => !url.hash.endsWith(id));
    await page.close();
  }
});

test('a ruling is taken back on the page of what it settled, and messages cover no link', { timeout: 90_000 }, async () => {
  const { id, game } = await found('b02');
  const page = await house.page(`#/incident/${id}`, PHONE);
  await page.locator('.dock').getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('This is settled').waitFor();
  await page.locator('.notice').waitFor();
  const covered = () => page.evaluate(() => [...document.querySelectorAll('.bar nav a, .incident-head a, .ruled button, .dock button')].filter((link) => {
    const { x, y, width, height } = link.getBoundingClientRect();
    return !link.contains(document.elementFromPoint(Math.min(x + width / 2, innerWidth - 1), y + height / 2)) && x + width < 300;
  }).map((link) => link.textContent));
  assert.deepEqual(await covered(), []);
  const late = await fetch(`${house.address}/api/incidents/${id}/rule`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id: 'late-1', order: { event: 'arbiter', action: 'uphold', id: 1 } }) });
  assert.deepEqual([late.status, (await late.json()).why], [409, { kind: 'ruled-already', with: { ruling: 'dismissed' } }], 'who comes too late is told what was ruled');
  assert.match(await page.locator('.ruled').innerText(), /Table 2 · Illegal move\s+Finding dismissed/);
  assert.equal(await page.getByRole('link', { name: 'The whole board' }).getAttribute('href'), '#/board/b02');
  // Whoever reads it later does so in another language, which is chosen at the foot of the page on a phone.
  await page.locator('.own-language select').selectOption('fr');
  await page.locator('.ruled', { hasText: 'Table 2 · Coup illégal' }).waitFor();
  await page.locator('.own-language select').selectOption('en');
  await page.reload();
  await page.locator('.ruled').getByRole('button', { name: 'Take back' }).click();
  await page.locator('dialog.confirm').getByText('The finding waits for somebody again.').waitFor();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Take back' }).click();
  await page.locator('.dock').getByRole('button', { name: 'Dismiss' }).waitFor();
  assert.deepEqual(await given(game), ['dismiss', 'take-back']);
  await page.close();
});

test('so it is once the game is over', { timeout: 90_000 }, async () => {
  const { id, game } = await found('b02');
  const begun = await fetch(`${house.address}/api/boards/b02/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"event":"new-game"}' });
  assert.equal(begun.status, 200);
  const page = await house.page(`#/incident/${id}`, PHONE);
  await page.getByText('The game is over; its pieces').waitFor();
  await page.locator('.dock').getByRole('button', { name: 'Dismiss' }).click();
  await page.locator('.ruled').getByRole('button', { name: 'Take back' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Take back' }).click();
  await page.locator('.dock').getByRole('button', { name: 'Dismiss' }).waitFor();
  assert.deepEqual(await given(game), ['dismiss', 'take-back', 'dismiss', 'take-back']);
  await page.goto(`${house.address}/#/inbox`);
  await page.locator(`section[aria-label="Games that are over or adjourned"] [data-incident="${id}"]`).waitFor();
  await page.close();
});

test('an arbiter of some tables is shown his own first, and offered nothing at others', { timeout: 120_000 }, async () => {
  await house.close();
  house = await House.open(3, '', '', true);
  const chief = await house.device();
  await chief.goto(house.setupLink);
  await chief.locator('[name=name]').fill('Ada');
  await chief.locator('[name=password]').fill('rainy tuesday harbour');
  await chief.locator('button').click();
  await chief.waitForSelector('a.card[data-board="b01"]');
  for (const board of ['b01', 'b03']) await breach(board, 'illegal-move');
  await chief.goto(`${house.address}/people.html`);
  const add = chief.locator('form', { has: chief.locator('button', { hasText: 'Make a code' }) });
  await add.locator('[name=name]').fill('Ben');
  await add.locator('[name=role]').selectOption('sector');
  await add.locator('[name=tables]').fill('1-1');
  await add.locator('button').click();
  const phone = await house.device(PHONE);
  await phone.goto(`${house.address}/pair.html`);
  await phone.locator('[name=code]').fill(await chief.locator('.invited .code').innerText());
  await phone.locator('.door button').click();
  await chief.locator('.asking button', { hasText: 'Let in' }).click();
  await phone.waitForSelector('a.card[data-board="b01"]');

  const said = [];
  phone.on('request', (request) => request.method() === 'POST' && said.push(new URL(request.url()).pathname));
  await phone.goto(`${house.address}/#/inbox`);
  const mine = phone.getByRole('button', { name: 'My tables 1' });
  await mine.waitFor();
  assert.equal(await mine.getAttribute('aria-pressed'), 'true');
  await phone.locator('.inbox-count', { hasText: /^1$/ }).waitFor();
  assert.equal(await phone.locator('.incident').count(), 1);
  await phone.getByRole('button', { name: /^All/ }).click();
  const illegal = (table) => phone.locator('.incident', { hasText: 'Illegal move' }).filter({ has: phone.locator('.table-number', { hasText: table }) }).locator('a');
  await illegal('3').click();
  await phone.locator('.dock', { hasText: 'Table 3 is not one of yours (1–1)' }).waitFor();
  await phone.waitForTimeout(500);
  assert.deepEqual(said, []);
  assert.equal(await phone.locator('.notice').count(), 0);
  assert.deepEqual(await phone.locator('.dock button').evaluateAll((all) => all.map((one) => one.textContent.trim().replace(/\d+/, 'n'))), ['Next (n)']);
  // Asked to go there, he says whether he does, and rules on nothing.
  const third = (await chief.evaluate(async () => (await fetch('/api/incidents')).json())).find(({ board, kind }) => board === 'b03' && kind === 'irregularity');
  const send = (to) => chief.evaluate(async ([id, name]) => (await fetch(`/api/incidents/${id}/send`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ to: name }) })).status, [third.id, to]);
  assert.equal(await send('Ben'), 200);
  await phone.locator('.dock').getByRole('button', { name: 'I am going' }).click();
  await phone.locator('.dock').getByRole('button', { name: 'Do not go after all' }).waitFor();
  assert.equal(await phone.locator('.dock').getByRole('button', { name: /Uphold|Dismiss/ }).count(), 0);
  await phone.locator('.dock').getByRole('button', { name: 'Do not go after all' }).click();
  await phone.locator('.dock').getByRole('button', { name: 'I am going' }).waitFor({ state: 'detached' });
  said.splice(0);
  await phone.goto(`${house.address}/#/inbox`);
  await illegal('1').click();
  await phone.locator('.dock').getByRole('button', { name: 'Uphold' }).click();
  await phone.locator('.steps').waitFor();
  assert.deepEqual(said.map((path) => path.split('/').at(-1)), ['seen', 'rule']);

  // So it is on the pages of the boards.
  await phone.goto(`${house.address}/#/board/b03`);
  await phone.locator('.side-needs', { hasText: 'Table 3 is not one of yours (1–1)' }).waitFor();
  await phone.locator('.need-panel.irregularity').first().waitFor();
  const offered = () => phone.locator('.room').getByRole('button', { name: /Uphold|Dismiss|Pause|Annul|1–0/ }).count();
  assert.equal(await offered(), 0);
  await phone.goto(`${house.address}/#/board/b01`);
  await phone.getByRole('button', { name: 'Pause' }).waitFor();
  assert.ok(await offered() >= 3);

  // Both games are played; he stops one of them.
  await phone.goto(`${house.address}/#/map`);
  await phone.getByRole('button', { name: 'Pause all' }).click();
  await phone.locator('dialog.confirm', { hasText: 'Pause 1 game?' }).getByText('every board of tables 1-1').waitFor();
  await phone.keyboard.press('Escape');
  // Of a round results are his to give at his tables.
  const pgn = [1, 2, 3].map((n) => `[Round "1.${n}"]\n[White "White ${n}"]\n[Black "Black ${n}"]\n[Result "*"]\n\n*\n`).join('\n');
  const drawn = await chief.evaluate(async (file) => (await fetch('/api/pairings', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ file: btoa(file) }) })).status, pgn);
  assert.equal(drawn, 200);
  await phone.goto(`${house.address}/#/round/1`);
  await phone.locator('.results tbody tr').nth(2).waitFor();
  await until(async () => (await phone.locator('.results tbody select').count()) === 1, 'one result can be entered');
  assert.equal(await phone.locator('.results tr[data-table="1"] select').count(), 1);
});

test('both players are seen in a row, however long their names are', { timeout: 90_000 }, async () => {
  await house.close();
  ({ house } = await lively());
  for (const width of [320, 360, 390, 1280]) {
    const page = await house.page('#/inbox', { width, height: 844 });
    await page.locator('.incident .of-two').first().waitFor();
    const apart = await page.locator('.incident .of-two').evaluateAll((all) => all.map(({ children: [white, black] }) => black.getBoundingClientRect().left - white.getBoundingClientRect().right));
    assert.deepEqual(apart.filter((gap) => gap > 30), [], `they stand together at ${width} px`);
    const numbers = await page.locator('.incident .table-number').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)));
    assert.deepEqual(numbers.filter((lines) => lines > 1.5), [], `numbers and ids are in one line at ${width} px`);
    const names = await page.locator('.incident .of-two').evaluateAll((all) => all.map((pair) => [...pair.children].map((name) => Math.min(name.clientWidth / name.scrollWidth, 1) === 1 || name.clientWidth >= 55)));
    assert.ok(names.length > 1);
    assert.deepEqual(names.flat().filter((isSeen) => !isSeen), [], `${width} px`);
    await page.close();
  }
});

for (const [language, mark] of [['en', 'Table 1: Illegal move'], ['fr', 'Table 1\u00a0: Coup illégal'], ['de', 'Tisch 1: Regelwidriger Zug']]) {
  test(`the bar below is in one line on a phone: ${language}`, { timeout: 60_000 }, async () => {
    const { id } = (await house.json('/api/incidents')).find(({ kind }) => kind === 'irregularity');
    const page = await house.page('#/inbox', { width: 360, height: 780 });
    await page.evaluate((tag) => localStorage.setItem('arbiter-language', tag), language);
    for (const hash of ['#/inbox', `#/incident/${id}`]) {
      await page.goto(`${house.address}/?${language}${hash}`);
      await page.locator('.dock .next').waitFor();
      const rows = await page.locator('.dock button').evaluateAll((all) => all.map((one) => {
        const text = document.createRange();
        text.selectNodeContents(one);
        return [one.textContent, new Set([...text.getClientRects()].map(({ bottom }) => Math.round(bottom / 12))).size];
      }));
      assert.deepEqual(rows.filter(([, lines]) => lines > 1), [], hash);
      const right = await page.locator('.dock > *').evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)));
      assert.ok(right <= 360, `${hash} ends at ${right} px`);
      await page.locator('.handover summary').click({ timeout: 1_000 }).catch(() => {});
      if (hash === '#/inbox') assert.ok((await page.locator('.handover').textContent()).includes(mark), mark);
    }
    await page.close();
  });
}

test('a report says what was ruled, and names nobody for what was dismissed', { timeout: 90_000 }, async () => {
  const one = (await house.json('/api/incidents')).find(({ kind }) => kind === 'irregularity');
  const rule = async (id, order) => {
    const answer = await fetch(`${house.address}/api/incidents/${one.id}/rule`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ id, order: { event: 'arbiter', ...order } }) });
    assert.equal(answer.status, 200, await answer.text());
  };
  const report = async (width) => {
    const page = await house.page('#/report/1', { width, height: 800 });
    await page.locator('.report .foot').waitFor();
    const wide = await page.locator('.report table').evaluateAll((all) => all.filter((table) => table.scrollWidth > table.clientWidth).map((table) => `${table.scrollWidth}: ${table.textContent}`));
    assert.deepEqual(wide, [], `${width} px`);
    const cells = await page.locator('.report tbody td').evaluateAll((all) => all.filter((cell) => cell.textContent.length > 12 && cell.clientWidth < 60).map((cell) => cell.textContent));
    assert.deepEqual(cells, [], `no cell is some letters wide at ${width} px`);
    const text = await page.locator('.report').innerText();
    await page.close();
    return text;
  };
  await rule('up', { action: 'uphold', id: one.findings[0].id, author: 'Ada' });
  for (const width of [320, 1280]) {
    const text = await report(width);
    assert.match(text, /Ruled: 2 minutes more for Black\./);
    assert.match(text, /Illegal move \(move 4\): upheld\s+Ada/);
    assert.doesNotMatch(text, /The Laws propose/);
  }
  await rule('back', { action: 'take-back', order: 'up' });
  await rule('down', { action: 'dismiss', id: one.findings[0].id, author: 'Ada' });
  const text = await report(320);
  assert.match(text, /1 finding dismissed\. Told by number only\./);
  assert.doesNotMatch(text, /finding \d+ dismissed/i);
});

test('what was ruled on another device stands on the page of what is settled', { timeout: 60_000 }, async () => {
  const { game, findings: [{ ply }] } = await house.board('b01');
  const page = await house.page(`#/incident/${game}.${ply}`, PHONE);
  await page.locator('.ruled', { hasText: 'Illegal move: dismissed' }).getByText(/^by Ada, \d\d:\d\d:\d\d$/).waitFor();
  assert.match(await page.locator('.pair').innerText(), /\S – \S/);
  await page.locator('.ruled', { hasText: 'Table 1 · Illegal move: dismissed' }).getByRole('button', { name: 'Take back' }).waitFor();
  await page.close();
});
