"""Checks Chess960 with python-chess, an independent reader. One JSON object a line on standard input.

`fen`, `legal` (UCI): the legal moves of a position. `fen`, `plies` (UCI, SAN, FEN after each) and `pgn`: a game.
Prints what differs, and how many lines were read.
"""

import io
import json
import sys

import chess
import chess.pgn


def same(what, got, wanted):
    if got != wanted:
        print(f"{what}: {got}, python-chess has {wanted}")


def fields(fen):
    """A FEN with its castling rights by files: X-FEN names the outermost rook by its side."""
    board = chess.Board(fen, chess960=True)
    same(f"status of {fen}", board.status(), chess.STATUS_VALID)
    return board.shredder_fen(en_passant="legal") if hasattr(board, "shredder_fen") else board.fen(shredder=True)


def check(record):
    board = chess.Board(record["fen"], chess960=True)
    if "legal" in record:
        same(f"legal moves of {record['fen']}", sorted(record["legal"]), sorted(m.uci() for m in board.legal_moves))
    for uci, san, fen in record.get("plies", []):
        move = board.parse_uci(uci)
        same(f"SAN of {uci} in {board.fen()}", san, board.san(move))
        board.push(move)
        same(f"FEN after {uci}", fields(fen), fields(board.fen(en_passant="legal")))
    if "pgn" in record:
        game = chess.pgn.read_game(io.StringIO(record["pgn"]))
        same("errors", game.errors, [])
        same("variant", game.headers.get("Variant"), "Chess960")
        same("chess960", game.board().chess960, True)
        same("moves of the PGN", [m.uci() for m in game.mainline_moves()], [uci for uci, _, _ in record["plies"]])


count = 0
for line in sys.stdin:
    check(json.loads(line))
    count += 1
print(count, "read")
