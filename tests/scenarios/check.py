#!/usr/bin/env python3
"""Checks the chess of the scenario files with python-chess, an independent reader.

For every file and every variant it names:
- the FENs parse and the position is legal;
- `[end].moves` are legal one after the other (where an illegal move was found, or may have been made, one may stand:
  from-to);
- `[end].fen` is the position they lead to;
- the script can happen: nothing is lifted from an empty square or put on a full one;
- what stands on the board at the end is that position, unless the end says why not;
- `moves` of an obligation and `required` of an irregularity are legal, and are all the moves that the article
  leaves: of one piece, of all captors of one piece, or of one piece capturing another.

Needs: pip install chess.  Usage: check.py [--fill] [FILE...]   (--fill writes a missing [end].fen)
"""
import re
import sys
import tomllib
from pathlib import Path

import chess

HERE = Path(__file__).resolve().parent
KEYS = {"title", "article", "case", "why", "laws", "class", "supervised", "sensor", "clock", "polled", "chess960", "fen",
        "stands", "options", "mirror", "play", "end"}
EDITIONS = [1974, 1997, 2001, 2005, 2009, 2014, 2017, 2018, 2023]
ENDS = {"moves", "result", "fen", "irregularities", "doubts", "unresolved", "withdrawn", "may"}
# Findings after which the board may wait to be put right. After a result nobody keeps the pieces in order.
OFF_THE_BOARD = ("illegal-move", "pawn-not-promoted", "piece-displaced", "displacement-found-later", "moved-out-of-turn",
                 "position-setup-wrong", "board-orientation-wrong")


# Findings after which play may go on from what stands, though no move led there: the record has a leap in it.
LEAPS = ("piece-displaced", "displacement-found-later", "position-setup-wrong", "clock-pressed-without-move")


class Wrong(Exception):
    """What is wrong with a file."""

# The array turned by a right angle, either way: no position, but how a board reads that lies so.
TURNED_ARRAYS = (
    "rp4PR/np4PN/bp4PB/kp4PK/qp4PQ/bp4PB/np4PN/rp4PR w - - 0 1",
    "RP4pr/NP4pn/BP4pb/QP4pq/KP4pk/BP4pb/NP4pn/RP4pr w - - 0 1",
)


def need(condition, message):
    if not condition:
        raise Wrong(message)


def span(text):
    """The editions of `2014`, `2014+`, `1997-2009` or `all`."""
    if text == "all":
        return EDITIONS
    if text.endswith("+"):
        text += "-2023"
    first, _, last = text.replace("+", "").partition("-")
    return EDITIONS[EDITIONS.index(int(first)) : EDITIONS.index(int(last or first)) + 1]


def word_holds(word, variant):
    return variant["laws"] in span(word) if word[0].isdigit() else word in variant["words"]


def holds(condition, variant):
    """Whether `2014+,piece-1997-2009` holds: alternatives, and in each of them words that must all hold."""
    alternatives = [re.findall(r"\d{4}-\d{4}|[^-]+", alternative.strip()) for alternative in condition.split(",")]
    return any(all(word_holds(word, variant) for word in words) for words in alternatives)


def listed(value):
    return value if isinstance(value, list) else [value]


def variants(data):
    """Every variant that makes a difference to the chess: edition, class, supervision, sensor, clock."""
    for laws in sorted({year for text in listed(data.get("laws", "2023")) for year in span(text)}):
        for play in listed(data.get("class", "standard")):
            for supervised in [True] if play == "standard" else listed(data.get("supervised", True)):
                for sensor in data["sensor"]:
                    for clock in listed(data.get("clock", True)):
                        words = {play, sensor, "clock" if clock else "clockless"}
                        words.add("supervised" if supervised else "unsupervised")
                        yield {"laws": laws, "words": words}


def lines(play, variant):
    """(number, action or None, expectation or None) of the lines that apply to a variant."""
    for number, line in enumerate(play.splitlines(), 1):
        action, _, expectation = (part.strip() for part in line.split("#")[0].partition("=>"))
        out, applies = [], True
        for half in (action, expectation):
            guard = re.match(r"\[([^]]*)\]\s*", half)
            if guard:
                half = half[guard.end():]
                applies = applies and holds(guard[1], variant)
            out.append(half if applies and half else None)
        yield number, *out


def words_in(condition):
    """How many words must hold at once: the more, the more special."""
    return max(len(re.findall(r"\d{4}-\d{4}|[^-]+", alternative)) for alternative in condition.split(","))


def ends(table, variant):
    end = {k: v for k, v in table.items() if not isinstance(v, dict)}
    overrides = [(k, v) for k, v in table.items() if isinstance(v, dict)]
    for key, part in sorted(overrides, key=lambda kv: words_in(kv[0])):
        if holds(key, variant):
            end.update(part)
    unknown = set(end) - ENDS
    need(not unknown, f"[end] does not know {unknown}")
    return end


class Stands(Exception):
    """A record in which an illegal move stands that from-to does not describe."""


def step(board, uci, standing):
    """Plays one move of the record; with `standing` an illegal one goes from-to."""
    move = chess.Move.from_uci(uci)
    if move in board.legal_moves:
        board.push(move)
        return
    need(standing, f"{uci} is not legal in {board.fen()}")
    piece = board.remove_piece_at(move.from_square)
    if not piece:
        raise Stands(uci)
    board.set_piece_at(move.to_square, piece)
    board.turn = not board.turn
    board.ep_square = None


def replay(start, moves, standing):
    board = start.copy()
    for uci in moves:
        step(board, uci, standing)
    return board


def replayed(start, moves, standing, fen, data):
    """The position the record leads to; where an illegal move stands, two pieces may have gone, or a pawn been replaced
    late: then the end says what stands, and the board is held against it."""
    if standing and not fen:
        return replay(start, moves, standing)
    stands = position(fen + " 0 1", data) if standing else None
    try:
        board = replay(start, moves, standing)
    except Stands:
        return stands
    # Who has moved out of turn and goes on in his turn has two pieces elsewhere, and one move in the record.
    legal = replay_is_legal(start, moves) and not (standing and "moved-out-of-turn" in str(data["end"].get("irregularities")))
    return board if legal or not standing or board.board_fen() == stands.board_fen() else stands


def replay_is_legal(start, moves):
    try:
        replay(start, moves, False)
        return True
    except Wrong:
        return False


def handle(board, action):
    """Does one action on the true board."""
    for act in action.split("&"):
        words = act.split()
        if words[0].startswith("+"):
            words.pop(0)
        if words[0] == "unseen":
            words.pop(0)
        verb, rest = words[0], words[1:]
        if verb == "lift":
            for name in rest[0].split("+"):
                need(board.remove_piece_at(chess.parse_square(name)), f"lift {name}: the square is empty")
        elif verb in ("place", "push"):
            square = chess.parse_square(rest[0])
            need((board.piece_at(square) is None) == (verb == "place"), f"{act}: wrong kind of square")
            board.set_piece_at(square, chess.Piece.from_symbol(rest[1]))
        elif verb == "plays":
            for uci in rest:
                move = chess.Move.from_uci(uci)
                piece = board.piece_at(move.from_square)
                need(piece, f"plays {uci}: the square is empty")
                board.turn = piece.color
                if board.chess960 and board.piece_at(move.to_square) == chess.Piece(chess.ROOK, piece.color):
                    short = move.to_square > move.from_square
                    rank = move.from_square - move.from_square % 8
                    board.remove_piece_at(move.from_square)
                    board.remove_piece_at(move.to_square)
                    board.set_piece_at(rank + (6 if short else 2), piece)
                    board.set_piece_at(rank + (5 if short else 3), chess.Piece(chess.ROOK, piece.color))
                    continue
                castling = piece.piece_type == chess.KING and abs(move.from_square - move.to_square) == 2
                passing = piece.piece_type == chess.PAWN and move.from_square % 8 != move.to_square % 8
                if passing and board.piece_at(move.to_square) is None:
                    board.remove_piece_at(chess.square(move.to_square % 8, move.from_square // 8))
                board.remove_piece_at(move.from_square)
                board.set_piece_at(move.to_square, chess.Piece(move.promotion or piece.piece_type, piece.color))
                if castling:
                    short = move.to_square > move.from_square
                    rook = move.from_square + (3 if short else -4)
                    board.remove_piece_at(rook)
                    board.set_piece_at(move.from_square + (1 if short else -1), chess.Piece(chess.ROOK, piece.color))


def field(words, name):
    return words[words.index(name) + 1] if name in words else None


def captured(board, move):
    if board.is_en_passant(move):
        return chess.square(move.to_square % 8, move.from_square // 8)
    return move.to_square if board.is_capture(move) else None


# Findings that leave one single move: the piece and its square are settled.
ONE_MOVE = ("touch-move-both-colours", "released-piece-moved-again", "promotion-choice-changed", "castling-not-completed",
            "incorrect-draw-claim")
ONE_MOVE_REASONS = ("castling-half-done", "two-pieces-moved", "en-passant-victim-left")


def exact(board, wanted, words):
    """Whether the moves are all that the article leaves in this position."""
    legal = list(board.legal_moves)
    for uci in wanted:
        need(chess.Move.from_uci(uci) in legal, f"{uci} is not legal in {board.fen()}")
    wanted = set(wanted)
    by_origin = {}
    by_victim = {}
    for move in legal:
        by_origin.setdefault(move.from_square, set()).add(move.uci())
        by_victim.setdefault(captured(board, move), set()).add(move.uci())
    by_victim.pop(None, None)
    castling = {m.uci() for m in legal if board.is_castling(m)}
    moves_of_one = any(pool - castling <= wanted <= pool for pool in by_origin.values())
    captures_of_one = wanted in by_victim.values()
    code = words[1]
    if code == "touch-move-own-piece":
        return moves_of_one
    if code == "touch-move-opponent-piece":
        return captures_of_one
    if len({u[:4] for u in wanted}) == 1:
        # A pawn promotes as it likes, or as it already has. A rook let go on a square stays there.
        told = code in ONE_MOVE or field(words, "reason") in ONE_MOVE_REASONS
        rook_released = code == "castling-rook-first"
        castles = wanted <= castling
        if told or rook_released or castles:
            return True
    return moves_of_one or captures_of_one


def check_expectation(start, moves, text, standing):
    words = text.split()
    if words[0] == "irregularity" and field(words, "required") not in (None, "free"):
        ply = int(field(words, "ply") or 1)
        wanted = field(words, "required").split(",")
        board = replay(start, moves[: ply - 1], standing)
        need(exact(board, wanted, words), f"`{text}`: not just the moves that are left in {board.fen()}")


def position(fen, data):
    return chess.Board(fen, chess960=data.get("chess960", False))


def laid_rightly(turned):
    """The position on a board that was turned by a right angle clockwise, as it is on one that lies rightly."""
    board = chess.Board(None)
    for square, piece in turned.piece_map().items():
        board.set_piece_at(chess.square(chess.square_rank(square), 7 - chess.square_file(square)), piece)
    return board


def ends_so(start, end):
    """Whether the record, played from there, ends in the position that the end names."""
    moves = end["moves"].split()
    return replay_is_legal(start, moves) and replay(start, moves, False).board_fen() == end.get("fen", "").split(" ")[0]


def check_variant(data, variant):
    start = position(chess.STARTING_FEN if data.get("fen") in (None, "unknown", *TURNED_ARRAYS) else data["fen"], data)
    setpos = re.search(r"arbiter set-position (.+)", data["play"])
    if data.get("fen") == "unknown":
        start = position(setpos[1].split("=>")[0].split("#")[0].strip(), data) if setpos else start
    standing_from_the_start = chess.STATUS_OPPOSITE_CHECK if data["article"] == "A.5.4" else chess.STATUS_VALID
    need(not start.status() & ~standing_from_the_start, f"the position is not legal: {start.status()!r}")
    end = ends(data["end"], variant)
    told = str(end.get("irregularities"))
    if "position-setup-wrong" in told and ("certain" in told or end["moves"]):
        # The game is followed as the pieces stand, unless they were put right, before it or in play.
        required = start
        start = position(data.get("stands") or data.get("fen") or chess.STARTING_FEN, data)
        if "board-orientation-wrong" in told:
            start = laid_rightly(start)
        elif "board-turned" in str(end.get("doubts")):
            start = position(turn(start, 180).board_fen() + " w KQkq - 0 1", data)
        elif ends_so(required, end) and not ends_so(start, end):
            start = required
    # What answers a move out of turn may be no legal move without it.
    standing = any(code in str(end.get("irregularities")) for code in ("illegal-move", "pawn-not-promoted", "illegal-position", "moved-out-of-turn"))
    # By one of the accounts that fit, pieces stood otherwise from the start.
    exchanged = "pieces-exchanged" in str([end.get("doubts"), end.get("may")])
    if exchanged and "stands" in data and not ends_so(start, end):
        stood = position(data["stands"], data)
        start = stood if ends_so(stood, end) else start
    standing |= exchanged
    records = [record.split() for record in end["moves"].split("|")]
    leaps = "fen" in end and "stands" not in data and any(code in told for code in LEAPS) and not ends_so(start, end)
    if leaps or (setpos and data.get("fen") != "unknown"):
        # The record has a leap in it: what is left to check is that the board stands as the end says.
        boards = [position(end["fen"] + " 0 1", data)]
    else:
        written = end["fen"].split(" | ") if "fen" in end else [None] * len(records)
        boards = [replayed(start, moves, standing, fen, data) for moves, fen in zip(records, written)]
    fens = [" ".join(board.fen(en_passant="legal").split()[:4]) for board in boards]
    if "fen" in end:
        wanted = end["fen"].split(" | ")
        need(len(wanted) == len(fens), "one position for each record")
        for want, board in zip(wanted, boards):
            got = board.fen(en_passant="legal").split()
            need(want.split() == got[: len(want.split())], f"[end].fen {want} is not {' '.join(got)}")
    physical = position(data.get("stands") or data.get("fen") or chess.STARTING_FEN, data)
    men = len(physical.piece_map())
    for number, action, expectation in lines(data["play"], variant):
        try:
            if action and action != "finally":
                handle(physical, action)
            if expectation:
                check_expectation(start, records[0], expectation, standing)
        except Wrong as e:
            raise Wrong(f"play, line {number}: {e}") from e
    if leaps and end["moves"]:
        need(physical.board_fen() == boards[0].board_fen(), f"what stands at the end is {physical.board_fen()}")
    told = str(end.get("irregularities", []))
    asked = "arbiter board-turned" not in data["play"] and "stands" in data and any(doubt.split()[0] in ("check-square", "board-turned") for doubt in end.get("doubts", []))
    # Where the thread is lost, record and board differ, and that is what is asked.
    lost = any(doubt.split()[0] == "thread-lost" for doubt in end.get("doubts", []))
    if end.get("result", "*") == "*" and not asked and not lost and not any(code in told for code in OFF_THE_BOARD):
        shown = [seen(turn(physical, degrees), variant) for degrees in lies(data, end)]
        in_hand = any(len(physical.piece_map()) < len(board.piece_map()) <= men for board in boards)
        fits = any(seen(board, variant) in shown for board in boards)
        need(in_hand or fits, f"the board shows {physical.board_fen()}, not {fens}")
    return " | ".join(fens)


def lies(data, end):
    """By how many degrees the board may lie turned at the end: as told, any way where that is asked, else rightly."""
    told = re.findall(r"arbiter board-turned (\d+)", data["play"])
    asked = any(doubt.split()[0] == "board-turned" for doubt in end.get("doubts", []))
    return [int(told[0])] if told else [0, 90, 180, 270] if asked else [0]


def turn(board, degrees):
    """The board as it stands before the players when it lies turned so many degrees clockwise."""
    for _ in range(degrees // 90):
        board = board.transform(chess.flip_anti_diagonal).transform(chess.flip_horizontal)
    return board


def seen(board, variant):
    """The board as the sensors read it."""
    men = board.piece_map()
    if "piece" in variant["words"]:
        return {square: piece.symbol() for square, piece in men.items()}
    return {square: "colour" in variant["words"] and piece.color for square, piece in men.items()}


def check(path, fill):
    text = path.read_text()
    data = tomllib.loads(text)
    unknown = set(data) - KEYS
    need(not unknown, f"unknown keys {unknown}")
    need(path.parent.name == data["article"], "the directory is not the article")
    for variant in variants(data):
        fen = check_variant(data, variant)
    if fill and "fen" not in data["end"]:
        path.write_text(re.sub(r"(\[end\]\nmoves = .*\n(?:result = .*\n)?)", rf'\1fen = "{fen}"\n', text, count=1))


def main(arguments):
    fill = "--fill" in arguments
    given = [Path(a) for a in arguments if not a.startswith("--")]
    paths = given or sorted(HERE.glob("*/*.toml"))
    problems = 0
    for path in paths:
        try:
            check(path, fill)
        except (Wrong, ValueError, KeyError, AssertionError, IndexError) as e:
            problems += 1
            print(f"{path}: {type(e).__name__}: {e}")
    print(f"{len(paths)} scenarios, {problems} problems")
    return 1 if problems or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
