// The console speaks the event's language, and the arbiter's if he chooses one; rulings stay in the event's.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, until } from './house.mjs';

const MOVES = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6';
const BREACH = ['--breach', 'illegal-move@5', '--speed', '10'];
const EVENT = 'language = "fr"\nlaws = "fide-2001"\nclass = "rapid"\nsupervised = false\n';

let house;
before(async () => {
  house = await House.open(1, EVENT);
  await house.play('b01', MOVES, BREACH);
  await until(async () => (await house.board('b01')).findings.length > 0, 'the illegal move is found', 60_000);
});
after(() => house.close());

// The game goes on and more may be found: the first finding is the illegal move.
const panel = (page) => page.locator('.need-panel[data-finding="1"]');
const heading = (page) => panel(page).locator('h2');

test('an event in French is shown in French', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01');
  await heading(page).filter({ hasText: 'Coup illégal' }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'fr');
  const { findings: [finding] } = await house.board('b01');
  assert.match(finding.text, /Les Blancs ont achevé un coup illégal.*\u00a0: la pièce ne se déplace pas ainsi/);
  assert.match(finding.text, /Article 7\.4a \(numéro non confirmé\)\u00a0: un coup illégal est repris/);
  assert.match(finding.text, /que si les Noirs réclament avant de jouer un coup/);
  const shown = await panel(page).innerText();
  assert.ok(shown.includes(finding.text), 'the ruling is shown as it was written');
  assert.match(shown, /Article 7\.4a, numéro non confirmé/);
  assert.match(await page.locator('.rules').innerText(), /Règles de la FIDE de 2001 · rapide · sans surveillance complète/);
  assert.match(await page.locator('.move-list').innerText(), /Cf3/, 'moves carry French letters');
  assert.deepEqual(page.complaints, []);
});

test('a ruling is read in the language of the reader', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01');
  await page.locator('.bar .language').selectOption('de');
  await panel(page).getByText('Weiß schloss einen regelwidrigen Zug ab').waitFor();
  assert.match(await panel(page).innerText(), /Artikel 7\.4a \(Nummer nicht bestätigt\): ein regelwidriger Zug wird zurückgenommen/);
  const one = (await house.json('/api/incidents')).find(({ kind }) => kind === 'irregularity');
  await page.goto(`${house.address}/#/incident/${one.id}`);
  await page.locator('.need-panel').getByText('Weiß schloss einen regelwidrigen Zug ab').first().waitFor();
  const { game } = await house.board('b01');
  await page.goto(`${house.address}/#/game/${game}`);
  await page.locator('.protocol').getByText('Weiß schloss einen regelwidrigen Zug ab').first().waitFor();
  assert.deepEqual(page.complaints, []);
  await page.evaluate(() => localStorage.removeItem('arbiter-language'));
});

test('no place is left open, in any language, on any page', { timeout: 60_000 }, async () => {
  for (const language of ['fr', 'de', 'en']) {
    for (const hash of ['#/', '#/board/b01', '#/games']) {
      const page = await house.page(hash);
      await page.waitForSelector('.card, .room, .games');
      await page.locator('.bar .language').selectOption(language);
      await until(() => page.evaluate((tag) => document.documentElement.lang === tag, language), 'the language changes');
      await page.locator('details').evaluateAll((all) => all.forEach((one) => { one.open = true; }));
      const shown = await page.evaluate(() => document.body.innerHTML);
      assert.doesNotMatch(shown, /\{[a-z-]+\}|\bundefined\b|\bNaN\b|\[object/, `${hash} in ${language}`);
      await page.close();
    }
  }
});

test('the arbiter’s own choice goes before the event’s and is kept', { timeout: 60_000 }, async () => {
  const page = await house.page('#/board/b01');
  await page.locator('.bar .language').selectOption('en');
  await heading(page).filter({ hasText: 'Illegal move' }).waitFor();
  await page.reload();
  await heading(page).filter({ hasText: 'Illegal move' }).waitFor();
  assert.match(await panel(page).innerText(), /Article 7\.4a, number not confirmed/);
  assert.deepEqual(page.complaints, []);
});

test('what was spoken is in the language of whoever changes it, and moves are listed as it lists them', { timeout: 60_000 }, async () => {
  const page = await house.page('?modules#/');
  await page.locator('.card').first().waitFor();
  await page.evaluate(async () => {
    const { notify } = await import('/state/topics.mjs');
    const { boardById } = await import('/state/store.mjs');
    notify('urgency', boardById('b01'));
  });
  const spoken = page.locator('.spoken[role=status]');
  const texts = [];
  for (const [language, words] of [['fr', /Coup illégal/], ['de', /Regelwidriger Zug/], ['en', /Illegal move/]]) {
    await page.locator('.bar .language').selectOption(language);
    await spoken.filter({ hasText: words }).waitFor({ state: 'attached' });
    texts.push(await page.evaluate(async () => {
      const { restsText } = await import('/words/findings.mjs');
      const view = { start_fen: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' };
      return [[5], [5, 9]].map((all) => restsText(view, all.map((ply) => ({ ply }))).trim());
    }));
  }
  assert.deepEqual(texts.map(([one, more]) => [one.split(',')[0], more.split(',')[0]]), [
    ['Seulement si la faute du coup 3 est retenue', 'Seulement si les fautes des coups 3 et 5 sont retenues'],
    ['Nur wenn der Verstoß im Zug 3 bestätigt wird', 'Nur wenn die Verstöße in den Zügen 3 und 5 bestätigt werden'],
    ['Only if the offence of move 3 is upheld', 'Only if the offences of moves 3 and 5 are upheld'],
  ]);
  await page.evaluate(() => localStorage.removeItem('arbiter-language'));
  assert.deepEqual(page.complaints, []);
  await page.close();
});
