"""picochess as it was (github.com/jromang/picochess): its class for DGT boards drives our simulated one.

It waits until nothing has changed for a quarter of a second and then asks for the whole board: that is what it plays by. Its virtual
board (`test/dgtnixVirtualBoard.py`) is half of Python 2, runs in none, and answers dgtnix only; it is not run.
"""

import sys

import bench


def meet(checkout):
    sys.path.insert(0, checkout)
    bench.without("configobj", "paramiko", "git", "requests")
    import utilities
    from dgt.api import MessageApi
    from dgt.board import DgtBoard

    with bench.simulated("dgt", 2, "--serial", "SIM-25") as (port, board):
        display = utilities.DisplayMsg()
        dgt = DgtBoard(port, True, False, False)
        dgt.run()
        bench.plays(board)
    told = []
    while not display.msg_queue.empty():
        told.append(display.msg_queue.get())
    of = lambda kind: [message for message in told if repr(message) == kind]
    seen = [message.fen for message in of(MessageApi.DGT_FEN)]
    bench.in_order("the board as picochess asks for it", seen, bench.positions())
    bench.check("the serial number", {message.number for message in of(MessageApi.DGT_SERIAL_NR)}, {"00025"})
    bench.check("the board is known", len(of(MessageApi.DGT_EBOARD_VERSION)), 1)
    lefts, rights = ([getattr(message, side) for message in of(MessageApi.DGT_CLOCK_TIME)] for side in ("time_left", "time_right"))
    runs_down = [any(a > b > 0 for a, b in zip(side, side[1:])) for side in (lefts, rights)]
    bench.check("both sides' clocks run down", runs_down, [True, True])
    bench.check("the clock is connected", {message.connect for message in of(MessageApi.DGT_CLOCK_TIME)}, {True})
    levers = [message.button for message in of(MessageApi.DGT_BUTTON)]
    bench.check("the lever goes to and fro", all(a == -b for a, b in zip(levers, levers[1:])), True)
    bench.check("the lever, press after press", len(levers) in (len(bench.MOVES) - 1, len(bench.MOVES)), True)
