#!/usr/bin/env python3
"""Plays games to the arbiter and holds every ply against python-chess, an independent implementation.

Compared are the legal moves, SAN and FEN of every ply, the draws that can be claimed after it (threefold, fifty moves), and how the
game ends: mate, stalemate, dead position by material, fivefold repetition, 75 moves. A dead position that counting pieces does not
show is the arbiter's alone; it is counted, and tests of its own stand for it.

Needs: pip install chess.  Usage: compare.py FOLLOW [--random N] [--seed N] [TSV ...]
FOLLOW is the built example `follow`. A TSV holds games, one a line: result, (start as FEN or `startpos`,) moves in SAN.
"""
import argparse
import json
import random
import subprocess
import sys
from collections import Counter

import chess

# Endings without pawns to move about in: they come back to the same positions again and again.
SHUFFLED = [
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k2q/8/8/8/8/8/8/Q3K3 w - - 0 1",
    "2b1k1n1/8/8/8/8/8/8/1N2KB2 b - - 30 60",
    "8/2k5/p1p1p3/P1P1P3/8/3B4/2K5/8 w - - 90 80",
    "rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
]


def random_game(rng):
    """Legal moves at random, with a leaning towards pawns and captures."""
    chess960 = rng.random() < 0.4
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    return play(rng, board, rng.randrange(20, 250), lambda m: 3 if board.is_capture(m) else 1 + board.is_castling(m) * 9)


def shuffled_game(rng):
    """Pieces go to and fro: positions come back, with and without their rights."""
    board = chess.Board(rng.choice(SHUFFLED))

    def weight(move):
        back = len(board.move_stack) > 1 and board.move_stack[-2].uci()[2:4] + board.move_stack[-2].uci()[:2] == move.uci()
        return 40 if back else 0.2 if board.is_capture(move) else 1

    return play(rng, board, 220, weight)


def play(rng, board, plies, weight):
    fen = board.fen()
    while plies and not board.is_game_over():
        moves = list(board.legal_moves)
        board.push(rng.choices(moves, [weight(move) for move in moves])[0])
        plies -= 1
    return fen, board.chess960, [move.uci() for move in board.move_stack]


def read(path):
    with open(path, encoding="ascii") as file:
        for line in file:
            columns = line.rstrip("\n").split("\t")
            start = columns[1] if len(columns) == 3 else "startpos"
            board = chess.Board() if start == "startpos" else chess.Board(start, chess960=True)
            if start != "startpos" and not board.has_chess960_castling_rights():
                board = chess.Board(start)
            fen = board.fen()
            for san in columns[-1].split():
                board.push_san(san)
            yield fen, board.chess960, [move.uci() for move in board.move_stack]


def expected_claims(board):
    claims = ["threefold"] if board.is_repetition(3) else []
    return claims + (["fifty-moves"] if board.halfmove_clock in (100, 101) else [])


def expected_result(board):
    if board.is_checkmate():
        return ["0-1" if board.turn else "1-0", "checkmate"]
    drawn = (
        (board.is_stalemate(), "stalemate"),
        (board.is_insufficient_material(), "dead-position"),
        (board.is_fivefold_repetition(), "fivefold"),
        (board.is_seventyfive_moves(), "seventy-five-moves"),
    )
    return next((["1/2-1/2", reason] for is_so, reason in drawn if is_so), None)


def compare(game, told, counts):
    """Says what differs first, or nothing."""
    fen, chess960, moves = game
    board = chess.Board(fen, chess960=chess960)
    for ply, (uci, said) in enumerate(zip(moves, told["plies"]), 1):
        move = chess.Move.from_uci(uci)
        legal = sorted(m.uci() for m in board.legal_moves)
        if sorted(said["legal"]) != legal:
            return f"ply {ply}: legal moves {sorted(set(said['legal']) ^ set(legal))} in {board.fen()}"
        san = board.san(move)
        board.push(move)
        got = (said["san"], " ".join(said["fen"].split()[:4]), said["fen"].split()[4:])
        shown = board.shredder_fen(en_passant="legal") if chess960 else board.fen(en_passant="legal")
        want = (san, " ".join(shown.split()[:4]), shown.split()[4:])
        if chess960:
            # Castling rights are written in more than one way in Chess960.
            again = chess.Board(said["fen"], chess960=True).shredder_fen(en_passant="legal")
            got = (got[0], " ".join(again.split()[:4]), got[2])
        if got != want:
            return f"ply {ply}: {got}, not {want}"
        counts["plies"] += 1
        result = expected_result(board)
        if said["result"] != result:
            if said["result"] == ["1/2-1/2", "dead-position"]:
                counts["dead by search"] += 1
                return None
            return f"ply {ply}: result {said['result']}, not {result} in {board.fen()}"
        if result:
            counts[result[1]] += 1
            return None if ply == len(told["plies"]) else f"ply {ply}: the game went on after {result}"
        claims = expected_claims(board)
        if said["claims"] != claims:
            return f"ply {ply}: claims {said['claims']}, not {claims} in {board.fen()}"
        for claim in claims:
            counts[claim] += 1
    return None if len(told["plies"]) == len(moves) else "the arbiter stopped following"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("follow")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("games", nargs="*")
    arguments = parser.parse_intermixed_args()
    rng = random.Random(arguments.seed)
    games = [game for path in arguments.games for game in read(path)]
    games += [(shuffled_game if n % 3 == 0 else random_game)(rng) for n in range(arguments.random)]
    lines = "".join(json.dumps({"fen": f, "chess960": c, "moves": m}) + "\n" for f, c, m in games)
    run = subprocess.run([arguments.follow], input=lines, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"{arguments.follow}: {run.stderr}")
    counts, wrong = Counter(), 0
    for number, (game, line) in enumerate(zip(games, run.stdout.splitlines(), strict=True), 1):
        if difference := compare(game, json.loads(line), counts):
            wrong += 1
            print(f"game {number}: {difference}\n  {game[0]} {' '.join(game[2])}", file=sys.stderr)
    print(f"{len(games)} games: " + ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    sys.exit(f"{wrong} games differ" if wrong else 0)


main()
