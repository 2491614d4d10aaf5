// Positions: placements as FEN has them, moves on them, and their drawing.
import { words } from './words.js';

const SHAPES = {
  P: 'M22 9a6 6 0 0 1 4 10c4 2 4 6 2 8 4 3 6 7 6 11H10c0-4 2-8 6-11-2-2-2-6 2-8a6 6 0 0 1 4-10z',
  R: 'M10 8h5v4h5V8h5v4h5V8h5v9l-4 3 1 12 4 3v4H9v-4l4-3 1-12-4-3z',
  N: 'M13 39c0-10 8-12 8-18-3 3-5 5-9 6-3 0-5-3-3-6l6-9-1-6 6 3c10 0 15 8 15 18l1 12z',
  B:
    'M22 4a3 3 0 0 1 2 5c5 4 8 8 8 13 0 4-2 6-4 7l1 5 5 2v3' +
    'H10v-3l5-2 1-5c-2-1-4-3-4-7 0-5 3-9 8-13' +
    'a3 3 0 0 1 2-5zM27 14l-6 7',
  Q: 'M6 12l8 9 1-13 7 12 7-12 1 13 8-9-5 19 2 8H9l2-8z',
  K:
    'M20 3h4v4h4v4h-4v4c3-3 13-4 14 4 0 5-4 8-5 12l1 8' +
    'H10l1-8c-1-4-5-7-5-12 1-8 11-7 14-4v-4h-4V7h4z',
};

/** Squares from a8 to h1: a letter as in FEN, or nothing. */
export function placement(fen) {
  const squares = [];
  for (const sign of fen.split(' ')[0]) {
    if (sign >= '1' && sign <= '8') squares.push(...Array(Number(sign)).fill(''));
    else if (sign !== '/') squares.push(sign);
  }
  return squares;
}

const square = (name) => (8 - Number(name[1])) * 8 + name.charCodeAt(0) - 97;
const isWhite = (piece) => piece !== piece.toLowerCase();

/** The placement after a move that is known to be legal. */
export function moved(before, uci) {
  const squares = [...before];
  const from = square(uci);
  const to = square(uci.slice(2));
  const piece = squares[from];
  const kind = piece.toUpperCase();
  const target = squares[to];
  squares[from] = '';
  const takesOwn = target && isWhite(target) === isWhite(piece);
  if (kind === 'K' && (takesOwn || Math.abs(to - from) === 2)) {
    // The king takes his own rook where castling is written so.
    const row = from - (from % 8);
    const short = to > from;
    const rook = takesOwn ? to : row + (short ? 7 : 0);
    const own = squares[rook];
    squares[rook] = '';
    squares[row + (short ? 6 : 2)] = piece;
    squares[row + (short ? 5 : 3)] = own;
    return squares;
  }
  if (kind === 'P' && from % 8 !== to % 8 && !target) squares[from - (from % 8) + (to % 8)] = '';
  const grown = uci[4] && (isWhite(piece) ? uci[4].toUpperCase() : uci[4]);
  squares[to] = grown || piece;
  return squares;
}

/** The board in words, for those who hear the page. */
export function said(squares) {
  const side = (white) => {
    const list = [];
    for (const kind of 'KQRBNP') {
      const sign = white ? kind : kind.toLowerCase();
      const places = squares.flatMap((found, n) => (found === sign ? [name(n)] : []));
      if (places.length) list.push(`${words.pieces[kind]} ${places.join(' ')}`);
    }
    return list.length ? `${white ? words.white : words.black}: ${list.join(', ')}` : '';
  };
  return [side(true), side(false)].filter(Boolean).join('. ') || words.empty;
}

const name = (n) => String.fromCharCode(97 + (n % 8)) + (8 - Math.floor(n / 8));

export function drawn(tag, attributes, ...inside) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

/** A board as a picture. The last move is marked by colour and by a frame. */
export function board(squares, last, turned = false) {
  const place = (n) => {
    const at = turned ? 63 - n : n;
    return [(at % 8) * 45, Math.floor(at / 8) * 45];
  };
  const picture = drawn('svg', {
    'viewBox': '0 0 360 360',
    'role': 'img',
    'class': 'board',
    'aria-label': said(squares),
  });
  picture.append(drawn('rect', { width: 360, height: 360, class: 'light' }));
  const dark = squares.flatMap((_, n) => ((n + Math.floor(n / 8)) % 2 ? [place(n)] : []));
  picture.append(
    drawn('path', { class: 'dark', d: dark.map(([x, y]) => `M${x} ${y}h45v45h-45z`).join('') }),
  );
  for (const end of last ? [last.slice(0, 2), last.slice(2, 4)] : []) {
    const [x, y] = place(square(end));
    picture.append(drawn('rect', { x: x + 1.5, y: y + 1.5, width: 42, height: 42, class: 'last' }));
  }
  squares.forEach((piece, n) => {
    if (!piece) return;
    const [x, y] = place(n);
    const shape = { d: SHAPES[piece.toUpperCase()], transform: `translate(${x} ${y})` };
    picture.append(drawn('path', { ...shape, class: isWhite(piece) ? 'w' : 'b' }));
  });
  return picture;
}
