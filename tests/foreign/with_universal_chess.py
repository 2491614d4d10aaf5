"""Universal-Chess (github.com/adrian-dybwad/Universal-Chess), which makes a DGT Centaur answer as other makers' boards do: its Millennium,
Chessnut and Pegasus before our drivers. What they would send over Bluetooth goes over a pseudo-terminal, and the pieces of the Centaur
are ours: a hand plays the game.
"""

import logging
import os
import sys
import types

import bench
import chess


class Centaur(types.ModuleType):
    """What their emulators ask of the board: which squares are occupied, and lamps."""

    table, lit = None, []

    def getChessState(self):
        return [int(self.table.board.piece_at(square) is not None) for square in chess.SQUARES]

    def getBoardState(self):
        return self.getChessState()

    def getMetaProperty(self, name):
        return {"serial no": "P00000025"}.get(name)

    def rotateFieldHex(self, field):
        return (7 - field // 8) * 8 + field % 8

    def ledsOff(self):
        self.lit.append(set())

    def ledArray(self, squares, **_how):
        self.lit.append(set(squares))

    def ledFromTo(self, old, new, **_how):
        self.lit.append({old, new})


def emulators(checkout):
    """Their three emulators, without the parts of their program that open the Centaur."""
    root = os.path.join(checkout, "src", "universalchess")
    for name in ["", ".managers", ".utils", ".emulators"]:
        package = types.ModuleType("universalchess" + name)
        package.__path__ = [os.path.join(root, *name.split(".")[1:])]
        sys.modules[package.__name__] = package
    package, centaur, log = types.ModuleType("universalchess.board"), Centaur("universalchess.board.board"), types.ModuleType("log")
    package.board, log.log = centaur, logging.getLogger("theirs")
    log.log.disabled = True
    sys.modules |= {"universalchess.board": package, "universalchess.board.board": centaur, "universalchess.board.logging": log}
    from universalchess.emulators.chessnut import Chessnut
    from universalchess.emulators.millennium import Millennium
    from universalchess.emulators.pegasus import Pegasus
    from universalchess.managers.events import EVENT_LIFT_PIECE, EVENT_PLACE_PIECE

    return centaur, (EVENT_PLACE_PIECE, EVENT_LIFT_PIECE), Millennium, Chessnut, Pegasus


class Board:
    """One of their emulators on a pseudo-terminal, and the table whose pieces it sees."""

    def __init__(self, centaur, events, emulator):
        self.table, self.events, self.centaur = bench.Table(self.changed), events, centaur
        centaur.table, centaur.lit = self.table, []
        self.emulator = emulator(sendMessage_callback=lambda data: self.line.say(data), manager=self)
        self.line = bench.Emulated(lambda byte: self.emulator.parse_byte(byte))

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.line.close()

    def get_fen(self):
        return self.table.fen() + " w - - 0 1"

    def changed(self, square, is_lifted):
        with self.line.lock:
            self.emulator.handle_manager_event(self.events[is_lifted], int(not is_lifted), square, 0)


def kinds(port):
    """The kind of board that a probe finds, or what it says instead."""
    found, said = bench.probed(port)
    return [line.get("board", {}).get("kind") if isinstance(line.get("board"), dict) else line.get("board") for line in found] or said


def lamps(board, kind):
    lamps = bench.Lamps(lambda: board.centaur.lit[-1] if board.centaur.lit else set())
    bench.lines("doctor", board.line.port, "--board", kind, "--lamps", "--for", "40", "--json")
    lamps.check(kind)


def meet(checkout):
    centaur, events, millennium, chessnut, pegasus = emulators(checkout)

    with Board(centaur, events, millennium) as board:
        bench.check("Millennium: a probe finds it", kinds(board.line.port), ["chesslink"])
        bench.check("Millennium: and again, for it answers the next question", kinds(board.line.port), ["chesslink"])
    with Board(centaur, events, millennium) as board:
        rulings = bench.recorded(board.line.port, "chesslink", board.table.play)
        bench.blameless(rulings, "Millennium, told that it is one")
    with Board(centaur, events, millennium) as board:
        bench.blameless(bench.recorded(board.line.port, None, board.table.play), "Millennium, found out")
    with Board(centaur, events, millennium) as board:
        lamps(board, "chesslink")

    with Board(centaur, events, chessnut) as board:
        bench.blameless(bench.recorded(board.line.port, "chessnut", board.table.play), "Chessnut")
    with Board(centaur, events, chessnut) as board:
        lamps(board, "chessnut")

    with Board(centaur, events, pegasus) as board:
        # Not supported; it must not be taken for anything else, and not for a DGT board that knows pieces.
        found = kinds(board.line.port)
        bench.check("Pegasus: a probe takes it for no other board", found, [None])
