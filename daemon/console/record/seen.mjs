// @ts-check
// What the sensors saw, line by line: pieces that are lifted, and where they are put.
import { colourOf, fenBefore, pieceAt } from '../words/pieces.mjs';
import { CENTRE, endsGame, lateOf, orderName } from './given.mjs';

/** @typedef {{ square: string, piece: string }} Held */
/** @typedef {{ line: InputLine, squares: Record<string, string>, hand: Held[], touched: string | null }} Moment */

const SQUARES = Array.from({ length: 64 }, (_, n) => `${'abcdefgh'[n % 8]}${8 - Math.floor(n / 8)}`);

/**
 * A record whose half-moves are made one after the other. One that is no move may be told to be made only once its answer was pressed for, later than that: it was made by the
 * time at which its player pressed before.
 * @template {{ start_fen: string, plies: PlyRecord[] }} V
 * @param {V} view
 * @param {InputLine[]} lines
 * @returns {V}
 */
export function inOrder(view, lines) {
  const blackBegins = view.start_fen.split(' ')[1] === 'b';
  const plies = [...view.plies];
  for (let n = plies.length - 2; n >= 0; n -= 1) {
    const next = plies[n + 1].at;
    if (plies[n].at <= next) continue;
    const by = moverOf(n, blackBegins);
    const pressed = lines.findLast((line) => line.event === 'press' && line.by === by && line.at <= next);
    plies[n] = { ...plies[n], at: Math.max(pressed?.at ?? next, plies[n - 1] && plies[n - 1].at <= next ? plies[n - 1].at : 0) };
  }
  return { ...view, plies };
}

/** Who makes a half-move after so many. @param {number} made @param {boolean} blackBegins @returns {Colour} */
const moverOf = (made, blackBegins) => ((made % 2 === 0) === blackBegins ? 'black' : 'white');

/**
 * Every moment of a script at which the board saw something, or somebody said something. Where sensors tell a piece they are believed; where they do not,
 * it is the one that was lifted last and can be meant, else that of the record where all that stands is as there, or `?`.
 * @param {{ start_fen: string, plies: PlyRecord[], fen: string }} view
 * @param {InputLine[]} lines
 * @returns {Moment[]}
 */
export function momentsOf(view, lines) {
  /** @type {Record<string, string>} */
  let squares = {};
  for (const square of SQUARES) {
    const piece = pieceAt(view.start_fen, square);
    if (piece) squares[square] = piece;
  }
  /** @type {Held[]} */
  let hand = [];
  /** @type {Moment[]} */
  const moments = [];
  const blackBegins = view.start_fen.split(' ')[1] === 'b';
  let made = 0;
  /** @type {Colour} */
  let mover = blackBegins ? 'black' : 'white';
  for (const line of lines) {
    const before = made;
    while (made < view.plies.length && view.plies[made].at < line.at) made += 1;
    // An order may take back what was pressed for.
    if (made > before || line.event === 'arbiter') mover = moverOf(made, blackBegins);
    if (line.event === 'tick' || line.event === 'mating' || line.event === 'setup') continue;
    let touched = null;
    if (line.event === 'lift') {
      touched = line.square;
      const { [line.square]: piece, ...rest } = squares;
      if (piece) hand = [...hand, { square: line.square, piece }];
      squares = rest;
    } else if (line.event === 'place') {
      touched = line.square;
      const held = meant(hand, line.square, line.seen ?? '?', mover);
      hand = hand.filter((one) => one !== held);
      squares = { ...squares, [line.square]: isPiece(line.seen) ? String(line.seen) : (held?.piece ?? '?') };
    } else if (line.event === 'snapshot') {
      squares = read(squares, line.board);
      hand = [];
    } else if (line.event === 'press') {
      hand = [];
      // What was pressed for may not be in the record, or at another moment.
      mover = line.by === 'white' ? 'black' : 'white';
    }
    squares = named(squares, fenBefore(view, made + 1));
    moments.push({ line, squares, hand, touched });
  }
  return moments;
}

/**
 * What stands as in a position of the record is what stands there, as on another board on which the game goes on.
 * @param {Record<string, string>} squares
 * @param {string} fen
 */
function named(squares, fen) {
  if (!Object.values(squares).includes('?')) return squares;
  const recorded = SQUARES.flatMap((square) => {
    const piece = pieceAt(fen, square);
    return piece ? [[square, piece]] : [];
  });
  const isSo = recorded.length === Object.keys(squares).length && recorded.every(([square, piece]) => squares[square] === piece || squares[square] === '?');
  return isSo ? Object.fromEntries(recorded) : squares;
}

/** Where something stands of which nobody knows what. @param {Record<string, string>} squares */
export const unknownIn = (squares) => SQUARES.filter((square) => squares[square] === '?');

/** What hands do on a board. */
const HANDLED = new Set(['lift', 'place', 'snapshot']);

/**
 * The moments of the game alone: what is put away after its end is none of it, nor what is set up for the next one. One that has no result goes on.
 * @param {GameDocument} game
 * @param {import('./protocol.mjs').View} view
 * @param {Moment[]} moments
 */
export function untilEnd(game, view, moments) {
  if (!view.result && game.result === '*') return moments;
  const made = view.plies.at(-1)?.at ?? 0;
  const [placement] = view.fen.split(' ');
  /** @param {Moment} moment */
  const stands = ({ line, squares }) => line.at >= made && placementOfSquares(squares) === placement;
  const isSign = view.result?.reason === 'kings-placed';
  const late = lateOf(game);
  const ordered = isSign ? -1 : moments.findLastIndex(({ line }) => endsGame(line, view) && !late.has(orderName(line)));
  const stood = moments.findIndex(stands);
  const signed = isSign ? moments.findIndex(({ line, squares }) => line.at >= made && isSigned(squares)) : -1;
  const last = moments.findLastIndex(({ line }) => line.at <= made);
  const setUp = view.plies.length > 0 ? moments.findIndex(({ squares }, n) => n > last && isSetUp(squares)) : -1;
  // Whoever says how it ended may do so when the pieces stand for the next one.
  const end = setUp >= 0 && setUp <= ordered ? Math.max(last, moments.findLastIndex((moment, n) => n < setUp && stands(moment))) : Math.max(ordered, stood, signed, last);
  const next = moments.findIndex(({ line }, n) => n > end && HANDLED.has(line.event));
  return next < 0 ? moments : moments.slice(0, next);
}

/** All pieces on their own two ranks. @param {Record<string, string>} squares */
const isSetUp = (squares) => SQUARES.every((square) => (square in squares) === '1278'.includes(square[1]));

/** @param {Record<string, string>} squares */
const isSigned = (squares) => ['K', 'k'].every((king) => [...CENTRE].some((square) => squares[square] === king));

/** @param {string | undefined} symbol */
const isPiece = (symbol) => /^[pnbrqk]$/i.test(symbol ?? '');

/** @param {string} piece @param {string} symbol */
const fits = (piece, symbol) => (isPiece(symbol) ? piece === symbol : symbol === 'L' ? piece !== '?' && colourOf(piece) === 'white' : symbol === 'D' ? piece !== '?' && colourOf(piece) === 'black' : true);

/**
 * Which of the pieces in the hand was put on `square`.
 * @param {Held[]} hand
 * @param {string} square
 * @param {string} symbol
 * @param {string} mover
 */
function meant(hand, square, symbol, mover) {
  const able = hand.filter(({ piece }) => fits(piece, symbol));
  /** @param {Held} held */
  const isOwn = ({ piece }) => piece !== '?' && colourOf(piece) === mover;
  const back = able.findLast((held) => held.square === square);
  const own = able.findLast((held) => held.square !== square && isOwn(held));
  if (back && (isOwn(back) || !own)) return back;
  return own ?? able.at(-1);
}

/**
 * @param {Record<string, string>} before
 * @param {string} board
 */
function read(before, board) {
  /** @type {Record<string, string>} */
  const squares = {};
  SQUARES.forEach((square, n) => {
    const symbol = board[n];
    if (symbol === '.') return;
    const known = before[square];
    squares[square] = isPiece(symbol) ? symbol : known && fits(known, symbol) ? known : '?';
  });
  return squares;
}

/**
 * The placement field of a FEN; what nobody knows is left out.
 * @param {Record<string, string>} squares
 */
export function placementOfSquares(squares) {
  const rows = [];
  for (let row = 0; row < 8; row += 1) {
    const pieces = SQUARES.slice(row * 8, row * 8 + 8).map((square) => (isPiece(squares[square]) ? squares[square] : '1'));
    rows.push(pieces.join('').replace(/1+/g, (empty) => String(empty.length)));
  }
  return rows.join('/');
}
