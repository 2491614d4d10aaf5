// The views that a round under way does not show: how people and devices come in, what goes out, a hub, the page without a line; and what is open on a view:
// a claim, a position that is set up, a ruling that is taken back.
import { House, until } from './house.mjs';

const PASSWORD = 'rainy tuesday harbour';
const PLAYERS = ['Þórdís Önnudóttir', 'Maximilian von Hohenstetten-Brückl', 'Agnieszka Łęcka-Borowy', 'Ben Cole'];
const round = (number, pairs) => pairs.map(([white, black], n) =>
  `[Event "Winter Open"]\n[Round "${number}.${n + 1}"]\n[White "${PLAYERS[white]}"]\n[Black "${PLAYERS[black]}"]\n[Result "*"]\n\n*\n`).join('\n');

const opened = (part, drawn) => async (page) => {
  await page.locator(`${part} summary`).first().click();
  await page.locator(`${part} ${drawn}`).first().waitFor();
  await page.locator(part).scrollIntoViewIfNeeded();
};

/** A hall at a hub, in its second round, with a ruling that can be taken back. */
async function atHub(house) {
  const hub = await house.openHub('main', { sections: '[public]\nserve = true\n' });
  const post = async (path, body) => {
    const answer = await fetch(house.address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  await post('/api/pairings', { file: Buffer.from(round(1, [[0, 1], [2, 3]])).toString('base64') });
  await post('/api/rounds/1/start', {});
  await post('/api/rounds/1/results', { results: { 1: '1-0', 2: '1/2-1/2' } });
  await post('/api/rounds/1/close', {});
  await post('/api/pairings', { file: Buffer.from(round(2, [[1, 2], [3, 0]])).toString('base64') });
  await post('/api/rounds/2/start', {});
  await house.play('b01', '1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. e3', ['--breach', 'illegal-move@7', '--speed', '8', '--seed', '3']);
  const found = () => house.json('/api/incidents').then((all) => all.find(({ findings }) => findings.length > 0));
  const { id, findings } = await until(found, 'an incident', 60_000);
  await post(`/api/incidents/${id}/rule`, { id: 'ruled', order: { event: 'arbiter', action: 'uphold', id: findings[0].id, author: 'Ada' } });
  return [
    ['claim', '#/board/b01', '.room .move', opened('.claims', '.verdict')],
    ['editor', '#/board/b01', '.room .move', opened('.set-position', '.move-board piece')],
    ['take-back', `#/incident/${id}`, '.ruled', async (page) => {
      await page.locator('.ruled button').first().click();
      await page.locator('dialog.confirm[open] .strong').waitFor();
    }],
    ['closed-round', '#/round/1', '.results tbody tr'],
    ['event-report', '#/report', '.report'],
    ['publication', 'public.html', 'tbody tr'],
    ['wall', 'wall.html', '.wall figure'],
    ['offline', 'offline.html', 'h1'],
    ['halls', `${hub.address}/halls.html`, 'tbody tr'],
    ['hub-round', `${hub.address}/index.html#/round`, '.bar nav'],
  ].map(([name, path, drawn, then]) => [name, path, drawn, then, house]);
}

/** A hall in which everybody is asked who he is: its chief arbiter is in, and a phone that chooses its PIN. */
async function withPeople(house) {
  const chief = await house.device();
  await chief.goto(house.setupLink);
  await chief.locator('[name=name]').fill('Ada');
  await chief.locator('[name=password]').fill(PASSWORD);
  await chief.locator('button').click();
  await chief.waitForSelector('a.card', { timeout: 60_000 });
  await chief.goto(`${house.address}/people.html?en`);
  const add = chief.locator('form', { has: chief.locator('button', { hasText: 'Make a code' }) });
  await add.locator('[name=name]').fill('rows 1-10');
  await add.locator('[name=role]').selectOption('sector');
  await add.locator('[name=tables]').fill('1-10');
  await add.locator('button').click();
  const phone = await house.device();
  await phone.goto(`${house.address}/pair.html`);
  await phone.locator('[name=code]').fill(await chief.locator('.invited .code').innerText());
  await phone.locator('.door button').click();
  await chief.locator('.asking button', { hasText: 'Let in' }).click();
  await phone.waitForURL('**/pin.html');
  const [chiefs, phones] = await Promise.all([chief, phone].map((page) => page.context().cookies()));
  await Promise.all([chief, phone].map((page) => page.close()));
  const as = (cookies) => (page) => page.context().addCookies(cookies);
  return [
    ['login', 'login.html', '.door form'],
    ['setup', 'setup.html#secret', '.door form'],
    ['pair', 'pair.html', '.door form'],
    ['screen', 'screen.html', '.door .code'],
    ['people', 'people.html', 'tbody tr', undefined, as(chiefs)],
    ['pin', 'pin.html', '.door form', undefined, as(phones)],
  ].map(([name, path, drawn, then, first]) => [name, path, drawn, then, house, first]);
}

/** Both of them; each view stands with its house and, where somebody has to be in, how he comes in. */
export async function more() {
  const houses = [await House.open(1, '', '', true, 'device-pin = 30\n'), await House.open(2, 'language = "en"\n[public]\nserve = true\n')];
  const close = () => Promise.all(houses.map((house) => house.close()));
  try {
    const [people, hub] = [await withPeople(houses[0]), await atHub(houses[1])];
    return { views: [...hub, ...people], close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Shows one of them in a language, on a page of its own: others are in on other pages. */
export async function open(view, size, language) {
  const [, path, drawn, then, house, first] = view;
  const page = await house.device(size);
  await page.addInitScript((tag) => localStorage.setItem('arbiter-language', tag), language);
  await first?.(page);
  const address = path.startsWith('http') ? path : `${house.address}/${path.startsWith('#') ? `?${language}` : ''}${path}`;
  await page.goto(address);
  await page.locator(drawn).first().waitFor({ timeout: 30_000 });
  await then?.(page);
  return page;
}
