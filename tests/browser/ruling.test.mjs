// A breach of touch-move comes onto the screen, is upheld there, and the ruling outlives the daemon.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const MOVES = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';
// The last move: nobody plays on before it is ruled.
const BREACH = ['--breach', 'touch-move-own-piece@7', '--speed', '5'];

let house;
let page;
before(async () => { house = await House.open(2); });
after(() => house.close());

const finding = () => page.locator('.need-panel.irregularity');
const rulings = async (game) => (await house.script(game)).filter((e) => e.event === 'arbiter');

test('a touch-move breach puts its board first', { timeout: 90_000 }, async () => {
  page = await house.page();
  await page.waitForSelector('a.card[data-board="b02"]');
  await house.play('b02', MOVES, BREACH);
  await page.waitForSelector('.group-playing a.card[data-board="b02"]');
  await page.locator('a.card[data-board="b02"]').focus();
  await page.waitForSelector('.group-waiting a.card[data-board="b02"] .tag-irregularity', { timeout: 60_000 });
  const focused = () => page.evaluate(() => document.activeElement.dataset.board);
  assert.equal(await focused(), 'b02', 'the card that moved to the front keeps the focus');
  const first = page.locator('a.card').first();
  const { findings } = await house.board('b02');
  assert.equal(findings[0].code, 'touch-move-own-piece');
  if (findings[0].certainty === 'certain') assert.equal(await first.getAttribute('data-board'), 'b02');
  await page.locator('a.card[data-board="b02"]').click();
  await finding().waitFor();
  const text = await finding().innerText();
  assert.match(text, /Article 4\.3\.1/);
  assert.match(text, /Required/);
  await finding().locator('summary').click();
  assert.match(await finding().locator('.evidence').innerText(), /became empty/);
});

test('a question left with Esc rules nothing', { timeout: 30_000 }, async () => {
  await page.keyboard.press('d');
  await page.locator('dialog.confirm[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog.confirm[open]').waitFor({ state: 'detached' });
  const { game } = await house.board('b02');
  assert.deepEqual(await rulings(game), []);
});

test('what its sensors saw is one step from a board, and from what waits there', { timeout: 120_000 }, async () => {
  const [incident] = await house.json('/api/incidents').then((all) => all.filter(({ board }) => board === 'b02'));
  for (const place of ['#/board/b02', `#/incident/${incident.id}`]) {
    const other = await house.page(place);
    await other.getByRole('link', { name: 'What the sensors saw, lift by lift' }).press('Enter');
    const slider = other.getByRole('slider', { name: 'Moment' });
    await slider.waitFor();
    await until(() => slider.evaluate((one) => one.getBoundingClientRect().top < innerHeight), `the slider is in view, from ${place}`);
    await other.close();
  }
});

test('it is upheld by clicking, and the journal has the ruling', { timeout: 30_000 }, async () => {
  await finding().getByRole('button', { name: 'Uphold' }).click();
  await page.locator('dialog.confirm').getByRole('button', { name: 'Uphold' }).click();
  await finding().waitFor({ state: 'detached' });
  const { game, findings } = await house.board('b02');
  assert.equal(findings[0].status, 'upheld');
  assert.deepEqual((await rulings(game)).map(({ action, id }) => [action, id]), [['uphold', findings[0].id]]);
});

test('after a power cut the page comes back by itself, and the ruling stands', { timeout: 60_000 }, async () => {
  const { game, plies } = await house.board('b02');
  await house.killDaemon();
  await page.getByRole('alert').getByText('Connection lost').waitFor();
  const age = () => page.locator('.lost .age').innerText();
  const young = await age();
  await until(async () => (await age()) !== young, 'the age of what is shown grows');
  await house.startDaemon();
  await page.locator('.line-live').waitFor({ timeout: 20_000 });
  await page.locator('.lost').waitFor({ state: 'detached' });

  const board = await house.board('b02');
  assert.equal(board.game, game);
  assert.deepEqual(board.plies.map((ply) => ply.uci), plies.map((ply) => ply.uci));
  assert.equal(board.findings[0].status, 'upheld');
  assert.deepEqual((await rulings(game)).map((e) => e.action), ['uphold']);
  await page.locator('.settled summary').click();
  assert.match(await page.locator('.settled').innerText(), /upheld/);
  assert.deepEqual(page.complaints, []);
});

test('of two questions the second waits until the first is answered', { timeout: 30_000 }, async () => {
  const other = await house.page();
  await other.goto(`${house.address}/?modules#/games`);
  await other.getByRole('heading', { name: 'Games' }).waitFor();
  await other.evaluate(async () => {
    const { confirm } = await import('/parts/confirm.mjs');
    const asked = ['one', 'two'].map((title) => confirm({ title, text: '', action: `Do ${title}`, late: title === 'two' }));
    window.answered = Promise.all(asked);
  });
  const dialog = other.locator('dialog.confirm');
  await dialog.getByRole('heading', { name: 'one' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('heading', { name: 'two' }).waitFor();
  // What comes up by itself is not answered by a finger, or a key, that meant something else.
  assert.equal(await dialog.getByRole('button', { name: 'Do two' }).isDisabled(), true);
  await other.keyboard.press('Escape');
  await other.keyboard.press('Enter');
  await dialog.locator('button:focus', { hasText: 'Do two' }).waitFor();
  await other.keyboard.press('Enter');
  assert.deepEqual(await other.evaluate(() => window.answered), [false, true]);
  // Asked right after another, as for a name after a reason, it has the focus; asked twice, it is one.
  await other.evaluate(async () => {
    const { ask } = await import('/parts/ask.mjs');
    const one = (label) => ask({ title: label, label, action: 'Say' });
    window.answered = Promise.all([one('Why').then(async (why) => [why, await one('Name')]), one('Why')]);
  });
  for (const [label, text] of [['Why', 'late'], ['Name', 'Ada']]) {
    await other.locator('dialog.ask').getByLabel(label).and(other.locator(':focus')).waitFor();
    await other.keyboard.type(text);
    await other.keyboard.press('Enter');
  }
  assert.deepEqual(await other.evaluate(() => window.answered), [['late', 'Ada'], null]);
  await other.close();
});

test('what takes moves out of the record is asked first, with the moves that go', { timeout: 90_000 }, async () => {
  const other = await house.page();
  await house.play('b01', MOVES, ['--breach', 'touch-move-own-piece@3', '--speed', '5']);
  await until(async () => (await house.board('b01')).ply === 7, 'all moves', 60_000);
  await other.goto(`${house.address}/#/board/b01`);
  const panel = other.locator('.need-panel.irregularity', { hasText: 'Required' }).first();
  const dialog = other.locator('dialog.confirm');
  const uphold = async () => {
    await panel.getByRole('button', { name: 'Uphold' }).click();
    await dialog.getByText('5 half-moves').waitFor();
  };
  await uphold();
  const text = await dialog.innerText();
  const { game, plies } = await house.board('b01');
  assert.ok(text.includes(`2. ${plies[2].san} ${plies[3].san} 3. ${plies[4].san}`), text);
  assert.match(text, /may no longer claim it/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(await rulings(game), []);
  assert.equal((await house.board('b01')).ply, 7, 'nothing is taken out');
  await uphold();
  // Once it was said what goes, nobody is asked once more.
  await dialog.getByRole('button', { name: 'Uphold' }).click();
  await until(async () => (await house.board('b01')).ply === 2, 'they are taken out');
  assert.deepEqual((await rulings(game)).map(({ action }) => action), ['uphold']);
  assert.deepEqual(other.complaints, []);
  await other.close();
});

test('how much is to be put back is told of what stands since the ruling, not of what stood before', { timeout: 60_000 }, async () => {
  const one = await house.page('?modules#/map');
  const texts = await one.evaluate(async () => {
    const [{ render }, { html }, { RulingList }] = await Promise.all(['/vendor/preact.mjs', '/app/html.mjs', '/inbox/ruling.mjs'].map((path) => import(path)));
    const ruling = { finding: 1, upheld: true, order: 'r1', restore: '8/8/8/8/8/8/8/8 w - - 0 1', moves: null, dials: null, by: { who: '', at: 0 }, follows: [] };
    const incident = { id: 'g.5', ply: 5, findings: [], rulings: [ruling], steps: [{ step: 'position', done: false, by: null }], added: null };
    const board = { start_fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', plies: [], state: 'restoring', orders: [], restore: null, differs: [] };
    const order = { event: 'arbiter', action: 'uphold', id: 1, order: 'r1' };
    const shown = [
      // The record goes on beyond the ruling still, or another position was to be put back.
      { ...board, differs: ['e2', 'e4', 'e5'], restore: null },
      { ...board, differs: ['e2', 'e4', 'e5'], restore: 'another' },
      { ...board, differs: ['e2', 'e4'], restore: ruling.restore, orders: [order] },
      { ...board, differs: [], restore: null, orders: [order] },
    ];
    return shown.map((at) => {
      const place = document.createElement('div');
      render(html`<${RulingList} incident=${incident} board=${at} may=${false} />`, place);
      return place.querySelector('.step-position .hint').textContent;
    });
  });
  assert.deepEqual(texts.slice(0, 2), [texts[0], texts[0]]);
  assert.doesNotMatch(texts[0], /\d/);
  assert.match(texts[2], /2/);
  assert.notEqual(texts[3], texts[0], 'play has gone on');
  await one.close();
});
