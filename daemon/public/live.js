// The page of a round. It asks for one small file, and shows what that says: nothing ticks, and a
// clock shows what was left as of what is shown.
import { board, drawn, moved, placement } from './board.js';
import { inLetters, words } from './words.js';

const OFTEN = 5_000;
const SELDOM = 60_000;
const view = document.getElementById('view');
const state = document.getElementById('state');
let round;
let received;
let failures = 0;
let timer;
let busy = false;
const tags = new Map();
const kept = new Map();
let game;
let sought = '';
let turned = false;

/** An element with text inside: never markup, whatever a name holds. */
function make(tag, attributes = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'onclick' || key === 'oninput') element[key] = value;
    else if (value !== undefined && value !== false)
      element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...inside.filter((part) => part !== undefined && part !== ''));
  return element;
}

/** A file, or what is known of it where it is as it was. */
async function ask(file) {
  const known = tags.get(file);
  const answer = await fetch(file, {
    cache: 'no-store',
    headers: known ? { 'If-None-Match': known } : {},
    signal: AbortSignal.timeout(15_000),
  });
  if (answer.status === 304) return [kept.get(file), false];
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  const text = await answer.json();
  const tag = answer.headers.get('ETag');
  if (tag) tags.set(file, tag);
  const is_new = JSON.stringify(kept.get(file)) !== JSON.stringify(text);
  kept.set(file, text);
  return [text, is_new];
}

const time = (date) =>
  date.toLocaleTimeString(document.documentElement.lang, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });

async function renew() {
  if (busy) return;
  busy = true;
  clearTimeout(timer);
  try {
    const [found, is_new] = await ask('live.json');
    round = found;
    const newly = await renewGame();
    received = new Date();
    failures = 0;
    tell(words.shown(time(received)));
    if (is_new || newly) show();
  } catch {
    failures += 1;
    tell(words.offline(received ? time(received) : '–'), true);
  }
  busy = false;
  later();
}

/** Only while somebody looks, and more and more rarely where nobody answers. */
function later() {
  clearTimeout(timer);
  if (document.hidden) return;
  timer = setTimeout(renew, Math.min(OFTEN * 2 ** failures, SELDOM));
}

function tell(text, old = false) {
  // Only what is amiss is worth being read out.
  state.setAttribute('role', old ? 'alert' : 'note');
  state.classList.toggle('old', old);
  if (state.textContent !== text) state.textContent = text;
}

async function renewGame() {
  const place = where();
  if (!place.table) return false;
  const row = round.tables.find((one) => one.table === place.table);
  if (!row?.fen) {
    game = undefined;
    return true;
  }
  const [found, is_new] = await ask(`moves-${place.table}.json`);
  if (!is_new && game?.table === place.table) return false;
  const positions = [placement(found.start)];
  for (const [, uci] of found.moves) positions.push(moved(positions.at(-1), uci));
  game = { ...found, table: place.table, positions };
  return true;
}

/** `#table-2`, `#table-2-31` for a half-move of it, `#results`, or the round. */
function where() {
  const found = location.hash.match(/^#table-(\d+)(?:-(\d+))?$/);
  if (found)
    return { table: Number(found[1]), ply: found[2] === undefined ? undefined : Number(found[2]) };
  return { results: location.hash === '#results' };
}

function show() {
  if (!round) return;
  // What had the focus has it again, at what stands in its place.
  const focused = document.activeElement?.id;
  const scrolled = view.querySelector('.moves')?.scrollTop;
  const place = where();
  if (place.table) view.replaceChildren(...ofGame(place));
  else view.replaceChildren(tabs(place), ...(place.results ? [results()] : overview()));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  const list = view.querySelector('.moves');
  if (list && scrolled !== undefined) list.scrollTop = scrolled;
}

function tabs(place) {
  const tab = (hash, text, is) =>
    make(
      'a',
      { 'href': hash, 'id': `tab${hash.slice(1)}`, 'aria-current': is ? 'page' : undefined },
      text,
    );
  const input = make('input', {
    type: 'search',
    id: 'player',
    value: sought,
    autocomplete: 'off',
    oninput: (event) => {
      sought = event.target.value;
      filter();
    },
  });
  return make(
    'div',
    { class: 'tabs' },
    make(
      'nav',
      { 'aria-label': words.overview },
      tab('#', words.overview, !place.results),
      tab('#results', words.results, place.results),
    ),
    make('label', {}, `${words.player} `, input),
    make('p', { id: 'nobody', hidden: true }, words.nobody),
  );
}

// Letters that are not made of another one and an accent, as people without them write them.
const written = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ĸ: 'k',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ĳ: 'ij',
};
const plain = (text) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[łøđðħŧŋıĸæœßþĳ]/gu, (letter) => written[letter]);

function filter() {
  const wanted = plain(sought.trim());
  let count = 0;
  for (const row of view.querySelectorAll('[data-names]')) {
    row.hidden = !plain(row.dataset.names).includes(wanted);
    count += row.hidden ? 0 : 1;
  }
  view.querySelector('#nobody').hidden = count > 0;
}

function overview() {
  const list = make('ol', { class: 'tables' }, ...round.tables.map(card));
  queueMicrotask(filter);
  return [list];
}

const names = (row) => `${row.white[0]} ${row.black[0]}`;
const score = (row, white) => row.result.split(/[–/]/)[white ? 0 : 1] ?? '';
const isOver = (row) => row.result !== '*';

function clock(seconds) {
  if (seconds === null || seconds === undefined) return '';
  const two = (n) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

function player(row, white, at) {
  const [name, more] = white ? row.white : row.black;
  const left = at ?? row.clock?.[white ? 0 : 1];
  const runs = !isOver(row) && row.run === (white ? 'w' : 'b');
  const shown = isOver(row) && at === undefined ? score(row, white) : clock(left);
  return make(
    'p',
    { class: 'player' },
    make('span', {
      'class': white ? 'dot white' : 'dot black',
      'role': 'img',
      'aria-label': white ? words.white : words.black,
    }),
    make('span', { class: 'name' }, name || '?', more ? make('small', {}, ` ${more}`) : ''),
    make(
      'span',
      { class: runs && at === undefined ? 'clock runs' : 'clock' },
      shown,
      runs && at === undefined ? make('span', { class: 'heard' }, ` ${words.toMove}`) : '',
    ),
  );
}

function standing(row) {
  if (isOver(row))
    return `${row.result} · ${words.finished}`;
  if (!row.san) return words.unmoved;
  return numbered(row.fen, row.san);
}

/** A move with its number, from the position after it. */
function numbered(fen, san) {
  const [, turn, , , , number] = fen.split(' ');
  return turn === 'b' ? `${number}. ${inLetters(san)}` : `${Number(number) - 1}… ${inLetters(san)}`;
}

function marks(row) {
  const mark = (text) => make('span', { class: 'mark' }, text);
  return [row.corrected ? mark(words.corrected) : '', row.stopped ? mark(words.stopped) : ''];
}

function card(row) {
  const title = `${words.table} ${row.table}`;
  return make(
    'li',
    { 'data-names': names(row), 'class': isOver(row) ? 'over' : '' },
    make('h2', {}, make('a', { href: `#table-${row.table}`, id: `table-${row.table}` }, title)),
    make('p', { class: 'standing' }, standing(row), ...marks(row)),
    player(row, false),
    row.fen ? board(placement(row.fen), row.uci) : '',
    player(row, true),
  );
}

function results() {
  const cell = (tag, ...inside) => make(tag, tag === 'th' ? { scope: 'col' } : {}, ...inside);
  const line = (row) =>
    make(
      'tr',
      { 'data-names': names(row) },
      make(
        'th',
        { scope: 'row' },
        make('a', { href: `#table-${row.table}`, id: `table-${row.table}` }, String(row.table)),
      ),
      cell('td', row.white[0] || '?', make('br'), row.black[0] || '?'),
      cell(
        'td',
        isOver(row) ? row.result : '–',
        ...marks(row),
      ),
    );
  queueMicrotask(filter);
  return make(
    'table',
    { class: 'results' },
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        ...[words.table, `${words.white} / ${words.black}`, words.result].map((text) =>
          cell('th', text),
        ),
      ),
    ),
    make('tbody', {}, ...round.tables.map(line)),
  );
}

function ofGame(place) {
  const row = round.tables.find((one) => one.table === place.table);
  const back = make('p', {}, make('a', { href: '#', id: 'back' }, `← ${words.overview}`));
  if (!row) return [back, make('p', { class: 'soft' }, words.noTable(place.table))];
  const title = make('h2', {}, `${words.table} ${row.table}`);
  const head = make('p', { class: 'standing' }, standing(row), ...marks(row));
  if (!game || game.table !== place.table)
    return [back, title, head, player(row, false), player(row, true)];
  const newest = game.moves.length;
  const ply = Math.min(place.ply ?? newest, newest);
  const at = (white) => {
    if (ply === newest) return undefined;
    const turn = blackStarts() ? 1 : 0;
    for (let n = ply - 1; n >= 0; n -= 1) {
      if (((n + turn) % 2 === 0) === white) return game.moves[n][2];
    }
    return null;
  };
  const sides = [player(row, false, at(false)), player(row, true, at(true))];
  if (turned) sides.reverse();
  const steps = [
    ['start', '|◀', 0],
    ['back', '◀', ply - 1],
    ['on', '▶', ply + 1],
    ['end', '▶|', newest],
  ].map(([key, sign, to]) =>
    make(
      'button',
      {
        'id': `go-${key}`,
        'type': 'button',
        'aria-label': words[key],
        'title': words[key],
        'aria-disabled': to < 0 || to > newest || to === ply ? 'true' : undefined,
        'onclick': () => go(to),
      },
      `${sign}\uFE0E`,
    ),
  );
  const turn = make('button', { id: 'turn', type: 'button', onclick: flip }, words.turn);
  return [
    back,
    make(
      'div',
      { class: 'game' },
      make(
        'section',
        { class: 'play' },
        title,
        head,
        sides[0],
        board(game.positions[ply], game.moves[ply - 1]?.[1], turned),
        sides[1],
        make('div', { class: 'steps' }, ...steps, turn),
        make('p', { class: 'soft' }, words.keys),
      ),
      make(
        'section',
        { class: 'beside' },
        list(ply),
        bars(ply),
        make(
          'p',
          { class: 'links' },
          make(
            'a',
            { class: 'button', id: 'pgn', href: `game-${row.table}.pgn`, download: true },
            words.pgn,
          ),
          make('a', { class: 'button', id: 'link', href: `#table-${row.table}` }, words.link),
        ),
      ),
    ),
  ];
}

const blackStarts = () => game.start.split(' ')[1] === 'b';

function list(ply) {
  const first = Number(game.start.split(' ')[5] ?? 1);
  const odd = blackStarts() ? 1 : 0;
  const items = game.moves.map(([san, , left, used], n) => {
    const half = n + odd;
    const number = `${first + Math.floor(half / 2)}${half % 2 ? '…' : '.'}`;
    return make(
      'li',
      { class: half % 2 ? 'second' : 'first' },
      make(
        'a',
        {
          'href': `#table-${game.table}-${n + 1}`,
          'id': `m${n + 1}`,
          'aria-current': n + 1 === ply ? 'true' : undefined,
        },
        `${number} ${inLetters(san)}`,
      ),
      make('small', { title: words.left }, clock(left), used === null ? '' : ` (+${clock(used)})`),
    );
  });
  return make('ol', { 'class': 'moves', 'tabindex': '0', 'aria-label': words.move }, ...items);
}

/** The time that each move took: White upwards, Black downwards. */
function bars(ply) {
  const most = Math.max(...game.moves.map(([, , , used]) => used ?? 0));
  if (!(most > 0)) return '';
  const width = Math.max(game.moves.length, 40);
  const odd = blackStarts() ? 1 : 0;
  const picture = drawn('svg', {
    'viewBox': `0 0 ${width} 41`,
    'preserveAspectRatio': 'none',
    'role': 'img',
    'class': 'bars',
    'aria-label': `${words.spent}: 0–${clock(most)}`,
  });
  game.moves.forEach(([, , , used], n) => {
    const height = ((used ?? 0) / most) * 20;
    const white = (n + odd) % 2 === 0;
    const bar = { x: n, y: white ? 20 - height : 21, width: 0.8, height };
    picture.append(
      drawn('rect', { ...bar, class: `${white ? 'w' : 'b'}${n + 1 === ply ? ' now' : ''}` }),
    );
  });
  picture.append(drawn('path', { d: `M0 20.5H${width}`, class: 'axis' }));
  return make('figure', {}, make('figcaption', {}, `${words.spent} (0–${clock(most)})`), picture);
}

function go(ply) {
  if (!game || ply < 0 || ply > game.moves.length) return;
  // Whoever is at the newest position stays there when more comes.
  const end = ply === game.moves.length ? '' : `-${ply}`;
  history.replaceState(null, '', `#table-${game.table}${end}`);
  show();
  const list = view.querySelector('.moves');
  const now = list.querySelector('[aria-current]')?.parentElement;
  list.scrollTop = now ? now.offsetTop - list.clientHeight / 2 : 0;
}

function flip() {
  turned = !turned;
  show();
}

document.addEventListener('keydown', (event) => {
  const place = where();
  const is_typing = event.target.matches?.('input');
  if (!place.table || !game || is_typing || event.ctrlKey || event.altKey || event.metaKey) return;
  const newest = game.moves.length;
  const ply = Math.min(place.ply ?? newest, newest);
  const to = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: newest }[event.key];
  if (to !== undefined) go(to);
  else if (event.key === 'f' || event.key === 'F') flip();
  else return;
  event.preventDefault();
});
async function elsewhere() {
  // The fragment stays with the reader who changes the language.
  for (const link of document.querySelectorAll('header nav a')) link.hash = location.hash;
  if (where().table && round) {
    try {
      await renewGame();
    } catch {
      renew();
    }
  }
  show();
}
window.addEventListener('hashchange', elsewhere);
window.addEventListener('online', renew);
document.addEventListener('visibilitychange', () =>
  document.hidden ? clearTimeout(timer) : renew(),
);
elsewhere();
renew();
