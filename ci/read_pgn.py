#!/usr/bin/env python3
"""Reads every PGN file of a directory, and of those in it, with python-chess and says what it found: read_pgn.py DIR"""
import sys
from pathlib import Path

import chess.pgn

# A file with all games of a round has them a second time.
files = sorted(file for file in Path(sys.argv[1]).rglob("*.pgn") if file.name != "games.pgn")
moves = 0
for file in files:
    with file.open() as text:
        game = chess.pgn.read_game(text)
        if game is None or game.errors or chess.pgn.read_game(text) is not None:
            sys.exit(f"{file}: not one whole game: {game and game.errors}")
        moves += game.end().ply()
if not moves:
    sys.exit(f"{sys.argv[1]}: no moves in {len(files)} files")
print(f"{len(files)} games and {moves} half-moves read back")
