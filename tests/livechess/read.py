"""Reads everything that a daemon tells LiveChess's clients, with the package livechess of PyPI, whose classes take no key
that they do not know: read.py PORT. What it has read is written as JSON."""

import json
import sys

from livechess.local import LiveChessLocal

client = LiveChessLocal("127.0.0.1", int(sys.argv[1]))
boards = client.eboards()
pairings, moves = 0, []
for summary in client.tournaments():
    tournament = client.tournament(summary.uuid)
    assert tournament.rounds == summary.rounds
    for round in client.rounds(tournament.uuid, range(tournament.rounds)):
        for pairing in round.pairings:
            pairings += 1
            moves = [move.split(" ")[0] for move in client.game(pairing.uuid).moves]
    # What the program itself looks for: boards that are missing, moves that were guessed.
    list(client.events(tournament.uuid))
json.dump({
    "serials": [board.serialnr for board in boards],
    "states": [board.state for board in boards],
    "board": boards[0].board,
    "pairings": pairings,
    "moves": moves,
}, sys.stdout)
