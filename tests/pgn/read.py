"""Reads PGN files with python-chess and prints one JSON object a game: file, moves (UCI), result, tags, errors."""

import json
import sys

import chess.pgn

for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        count = 0
        while (game := chess.pgn.read_game(file)) is not None:
            count += 1
            clocks = [node.clock() for node in game.mainline()]
            print(json.dumps({
                "file": name,
                "moves": [move.uci() for move in game.mainline_moves()],
                "result": game.headers.get("Result"),
                "tags": dict(game.headers),
                "clocks": sum(clock is not None for clock in clocks),
                "errors": [str(error) for error in game.errors],
            }))
        if count != 1:
            sys.exit(f"{name}: {count} games in one file")
