// Two arbiters with phones, forty tables: twelve incidents of every kind within three minutes, each seen to by one of them, none lost.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const PHONE = { width: 390, height: 844 };
const TABLES = 40;
const SHORT = '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3';
const LONG = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. Nc3 Bb7 '
  + '13. Bc2 Re8 14. b3 Rc8 15. a3 Rb8 16. Ra2 h6 17. Bb2 Bf8 18. Ba1 Qc7 19. Rb2 g6 20. Bb1 Bg7';
const PROMOTION = '1. e4 d5 2. exd5 c6 3. dxc6 Nf6 4. cxb7 Nbd7 5. bxa8=N e6 6. Nf3 Be7 7. d4 O-O 8. Bd3 Nb6 9. O-O Nbd5 10. Re1 Qd6 11. h3 h6 12. a3 a6';

/** As docs/console.md has the order: what is certain, positions, questions and results, faults, what is likely, what is possible. */
const [CERTAIN, QUESTION, FAULT, LIKELY, POSSIBLE] = [1, 3, 4, 5, 6];
const breach = (code) => ['--breach', `${code}@7`];

/**
 * What happens at tables 1 to 12: the moves and hands, the kind of incident that comes of it, its rank, what its arbiter orders, and what is said there
 * besides. Where play goes on nobody may claim any more that a piece was touched: there the game stands still.
 */
const HAPPENS = [
  [LONG, breach('illegal-move'), 'irregularity', CERTAIN, 'uphold'],
  [PROMOTION, ['--sensor', 'occupancy'], 'doubt', QUESTION, 'promotion'],
  [LONG, ['--stuck', 'h5'], 'fault', FAULT, null],
  [LONG, breach('clock-pressed-without-move'), 'irregularity', LIKELY, 'uphold'],
  [SHORT, breach('touch-move-opponent-piece'), 'irregularity', POSSIBLE, 'uphold'],
  [LONG, ['--breach', 'illegal-move@5', '--breach', 'illegal-move@9'], 'proposed', QUESTION, 'result', twiceIllegal],
  [LONG, ['--sensor', 'occupancy', ...breach('illegal-move')], 'irregularity', CERTAIN, 'uphold'],
  [SHORT, breach('touch-move-own-piece'), 'irregularity', CERTAIN, 'uphold'],
  [SHORT, [], 'irregularity', CERTAIN, 'uphold', claimsInVain],
  [LONG, breach('piece-displaced'), 'irregularity', LIKELY, 'uphold'],
  [LONG, breach('illegal-move'), 'irregularity', CERTAIN, 'uphold'],
  [LONG, breach('illegal-move'), 'irregularity', CERTAIN, 'uphold'],
].map(([moves, hands, kind, rank, ordered, said], n) => ({ board: nth(n + 1), moves, hands, kind, rank, ordered, said }));

/** So many of them play fast, and are there before anybody looks; the others come while two arbiters are at work. */
const FIRST = 6;
const [FAST, SLOWER, SLOW] = ['8', '4', '0.5'];

let house;
before(async () => { house = await House.open(TABLES); });
after(() => house.close());

function nth(n) {
  return `b${String(n).padStart(2, '0')}`;
}

async function happen({ board, moves, hands, said }, n) {
  await house.play(board, moves, [...hands, '--speed', n < FIRST ? FAST : SLOWER, '--seed', '3']);
  await said?.(board);
}

async function post(board, order) {
  const answer = await fetch(`${house.address}/api/boards/${board}/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) });
  assert.equal(answer.status, 200, await answer.text());
}

/** Both moves were ruled on at the desk: the loss that they bring waits for whoever declares it. */
async function twiceIllegal(board) {
  const found = async () => (await house.board(board)).findings.filter(({ code, status }) => code === 'illegal-move' && status === 'open');
  await until(async () => (await found()).length === 2, `two illegal moves at ${board}`, 60_000);
  for (const { id } of await found()) await post(board, { event: 'arbiter', action: 'uphold', id, author: 'Rita' });
}

async function claimsInVain(board) {
  // It is still his turn when he is heard.
  await until(async () => (await house.board(board)).ply === 7, `the last of seven half-moves at ${board}`, 60_000);
  await post(board, { event: 'claim', by: (await house.board(board)).turn, kind: 'threefold' });
}

const isOf = ({ board, kind }) => (one) => one.board === board && one.kind === kind;

/** The incident of each that is there by now: its id with what happened. */
async function incidents(known) {
  const all = await house.json('/api/incidents');
  for (const what of HAPPENS) {
    const one = all.find(isOf(what));
    if (one && ![...known.values()].includes(what)) known.set(one.id, what);
  }
  return known;
}

const SIGNS = { 'tag-restore': 2, 'tag-doubt': QUESTION, 'tag-proposed': QUESTION, 'tag-fault': FAULT, 'is-certain': CERTAIN, 'is-likely': LIKELY, 'is-possible': POSSIBLE };

/** What waits, from the top of the page down: each incident with the rank of the sign that it bears. */
const waiting = (page) => page.locator('section[aria-label="Waiting"] .incident').evaluateAll((all, signs) => all.map((one) => {
  const classes = [...one.querySelector('.tag').classList];
  return [one.dataset.incident, signs[classes.find((name) => name in signs)]];
}), SIGNS);

const isSorted = (shown) => shown.every(([, rank], n) => n === 0 || shown[n - 1][1] <= rank);

/** An arbiter at his inbox, and who has looked at what, as his page is told. */
async function arbiter(name, seen) {
  const page = await house.device(PHONE);
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => {
    const { changed, incident = changed, incidents: all = [incident] } = JSON.parse(payload);
    for (const one of all) if (one?.seen) seen.set(one.id, (seen.get(one.id) ?? new Set()).add(one.seen.who));
  }));
  await page.goto(`${house.address}/#/inbox`);
  await page.getByLabel(/Your name/).fill(name);
  return page;
}

/**
 * What an arbiter does until he has nothing left: the next, what is to be ruled, back to the list. Counts every tap, also those that come too late because
 * the other was quicker. Returns the taps of each ruling of his.
 */
async function work(page, known, look, isOver) {
  const counts = [];
  let taps = 0;
  const tap = async (button) => {
    taps += 1;
    return button.click({ timeout: 3_000 }).then(() => true, () => false);
  };
  while (!isOver()) {
    const next = page.locator('.dock .next');
    if (!page.url().endsWith('#/inbox')) await tap(page.locator('.incident-head .back'));
    await look(page);
    if (!(await next.isVisible())) {
      await page.waitForTimeout(100);
      continue;
    }
    if (!(await tap(next))) continue;
    const id = decodeURIComponent(new URL(page.url()).hash.slice('#/incident/'.length));
    const what = known.get(id);
    // To a board one goes; what is found or asked is ruled on.
    const act = what?.ordered
      ? page.locator('.dock .rule .strong').or(page.locator('.doubt .promotion button', { hasText: 'Knight' }))
      : page.getByRole('button', { name: 'I am going', exact: true });
    // The other may have ruled on it meanwhile.
    await act.or(page.locator('.empty, .ruled')).first().waitFor({ timeout: 5_000 }).catch(() => {});
    if (!(await act.isVisible()) || !(await tap(act))) continue;
    const sure = page.locator('dialog.confirm[open] .strong');
    const ruled = page.locator('.ruled, .empty').or(page.locator('.incident-head .stand', { hasText: 'is going' }));
    await ruled.or(sure).first().waitFor({ timeout: 5_000 }).catch(() => {});
    if (await sure.isVisible()) {
      await tap(sure);
      await ruled.first().waitFor({ timeout: 5_000 }).catch(() => {});
    }
    if (what) counts.push(taps);
    taps = 0;
  }
  return counts;
}

test('two arbiters at once: each incident is ruled once, and none is lost', { timeout: 400_000 }, async () => {
  await Promise.all(Array.from({ length: TABLES - HAPPENS.length }, (_, n) => house.play(nth(HAPPENS.length + n + 1), LONG, ['--speed', SLOW])));
  const began = Date.now();
  const known = new Map();
  const seen = new Map();
  const happening = HAPPENS.map(happen);
  const coming = Promise.all(happening);
  await Promise.all(happening.slice(0, FIRST));
  await until(async () => (await incidents(known)).size >= FIRST, 'one of every kind', 60_000)
    .catch((error) => { throw new Error(`${error.message}: there are ${[...known.values()].map(({ board }) => board)}`); });
  const [ada, ben] = [await arbiter('Ada', seen), await arbiter('Ben', seen)];
  // What each of them is by now, however sure it was at first.
  const expected = [...known].map(([id, { rank }]) => [id, rank]).sort(([, a], [, b]) => a - b);
  assert.equal(new Set(expected.map(([, rank]) => rank)).size, 5, 'every rank is there');
  for (const page of [ada, ben]) {
    const shown = async () => (await waiting(page)).filter(([id]) => known.has(id)).map(([, rank]) => rank).join(' ');
    await until(async () => (await shown()) === expected.map(([, rank]) => rank).join(' '), 'all of them stand there, the most urgent first')
      .catch(async (error) => { throw new Error(`${error.message}: ${await shown()}`); });
  }

  let isOver = false;
  const look = async (page) => {
    const shown = await waiting(page);
    assert.ok(isSorted(shown), `the most urgent is first: ${JSON.stringify(shown)}`);
  };
  const working = Promise.all([ada, ben].map((page) => work(page, known, look, () => isOver)));
  working.catch(() => {});
  const orders = async () => Promise.all(HAPPENS.map(async ({ board, ordered }) => {
    const { game } = await house.board(board);
    const given = game ? (await house.script(game)).filter((line) => line.event === 'arbiter') : [];
    return { board, ordered, given };
  }));
  const isDone = ({ ordered, given }) => ordered === null || given.some(({ action }) => action === ordered);
  const isSeen = () => [...known.keys()].every((id) => seen.has(id));
  try {
    await coming;
    await until(async () => (await incidents(known)).size === HAPPENS.length, 'twelve incidents', 120_000);
    assert.ok(Date.now() - began < 180_000, 'within three minutes');
    await until(async () => (await orders()).every(isDone) && isSeen(), 'all are seen and ruled', 180_000);
  } catch (error) {
    const undone = (await orders()).filter((one) => !isDone(one)).map(({ board }) => board);
    throw new Error(`${error.message}; not ruled: ${undone}; nobody has looked at: ${[...known].filter(([id]) => !seen.has(id)).map(([, { board }]) => board)}`);
  } finally {
    isOver = true;
  }
  const counts = (await working).flat().sort((a, b) => a - b);
  for (const [id, { board }] of known) assert.equal(seen.get(id).size, 1, `${id} at ${board} was acknowledged once`);
  for (const { board, ordered, given } of await orders()) {
    const names = given.map(({ action, id, square }) => [action, id, square].join(' '));
    assert.equal(new Set(names).size, names.length, `${board}: nothing is ruled twice: ${names}`);
    if (ordered) assert.match(given.find(({ action }) => action === ordered).author, /^(Ada|Ben)$/);
  }
  const median = counts[Math.floor(counts.length / 2)];
  console.log(`taps of each ruling: ${counts.join(' ')}; ${Math.round((Date.now() - began) / 1000)} s in all`);
  assert.ok(counts.length >= HAPPENS.length && median <= 4, `median of ${counts}`);
  assert.deepEqual([ada.complaints, ben.complaints].flat().filter((text) => !text.includes('409') && !text.includes('404')), []);
  await Promise.all([ada.close(), ben.close()]);
});
