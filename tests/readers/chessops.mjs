// Reads PGN files with chessops and prints one JSON object a game: table, moves, result. Fails where
// it has a game that its own rules do not play to the end.

import { readFileSync } from 'node:fs';

import { parsePgn, startingPosition } from 'chessops/pgn';
import { parseSan } from 'chessops/san';

for (const file of process.argv.slice(2)) {
  for (const game of parsePgn(readFileSync(file, 'utf8'))) {
    const position = startingPosition(game.headers).unwrap();
    const moves = [];
    for (const { san } of game.moves.mainline()) {
      const move = parseSan(position, san);
      if (!move) throw new Error(`${file}: ${game.headers.get('White')}: ${san}`);
      position.play(move);
      moves.push(san);
    }
    const [table, result] = ['Board', 'Result'].map((name) => game.headers.get(name));
    console.log(JSON.stringify({ table: Number(table), moves, result }));
  }
}
