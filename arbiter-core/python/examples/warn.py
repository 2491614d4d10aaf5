"""An e-board program with a conscience: what python-chess believes, and what the arbiter has seen.

Reads changes of squares from standard input, `+e4` for a piece that is put down and `-e2` for one that is lifted, as any driver of
an e-board can print them, and says at once when a move was illegal: `python warn.py < changes.txt`
"""
import sys

import chess
from arbiter_core import Arbiter

arbiter = Arbiter({"sensor": "occupancy", "clock": False})
board = chess.Board()


def say(rulings):
    for ruling in rulings:
        if ruling["ruling"] == "move" and ruling["state"] == "made" and ruling["ply"] == len(board.move_stack) + 1:
            move = chess.Move.from_uci(ruling["uci"])
            print(board.san(move) if board.is_legal(move) else f"{move} stands")
            board.push(move)
        elif ruling["ruling"] == "revision":
            while len(board.move_stack) >= ruling["from_ply"]:
                board.pop()
        elif ruling["ruling"] in ("irregularity", "doubt"):
            print(f"!! {ruling['text']}")


def main():
    at = 0
    for line in sys.stdin:
        word = line.strip()
        if not word:  # a pause
            at += 5_000
            say(arbiter.handle({"event": "tick", "at": at}))
            continue
        at += 400
        event = "place" if word[0] == "+" else "lift"
        say(arbiter.handle({"event": event, "at": at, "square": word[1:]}))
    say(arbiter.handle({"event": "tick", "at": at + 20_000}))


if __name__ == "__main__":
    main()
