// Follows a board with the class that lichess-dgt-boards (github.com/andrescavallin) uses for it: its checkout is given, with its
// packages installed, and where LiveChess answers. Each move that it takes for one is written on a line of its own, with a `+`
// before a move and a `-` before what it refuses. It plays both sides, and stops after so many moves.
//
// node board-manager.cjs --peer DIR --url ws://127.0.0.1:1982/api/v1.0 --moves 20

const path = require('node:path');
const { parseArgs } = require('node:util');

const options = { peer: { type: 'string' }, url: { type: 'string' }, moves: { type: 'string' } };
const { peer, url, moves } = parseArgs({ options }).values;
process.env.liveChessURL = url;
process.argv.length = 2;
const { createRequire } = require('node:module');
const ofPeer = createRequire(path.resolve(peer, 'package.json'));
const { Chess } = ofPeer('chess.js');
const BoardManager = ofPeer('./board-manager');

const board = new BoardManager();
const game = new Chess();
board.board_lichess = game;
board.currentGameColor = 'w';
let left = Number(moves);
board.on('move', (move) => {
  console.log(`+ ${move.san}`);
  game.move(move.san);
  board.currentGameColor = game.turn();
  left -= 1;
  if (left === 0) process.exit(0);
});
board.on('invalidMove', () => console.log('- invalid'));
board.on('invalidAdjust', (move) => console.log(`- ${move && move.san}`));
