"""python-asyncdgt (github.com/niklasf/python-asyncdgt) as the driver of our simulated DGT board.

It is of Python 3.4 to 3.9: coroutines by decorator, and events that are given their loop.
"""

import asyncio
import importlib.util
import sys
import types

import bench


def as_it_was(thing):
    """The same class, which may be told its loop again."""
    return lambda loop=None: thing()


class Emitter:
    """What it asks of the package `pyee`, which may not be installed."""

    def __init__(self):
        self.hearers = {}

    def on(self, event, hearer):
        self.hearers.setdefault(event, []).append(hearer)

    def emit(self, event, *words):
        for hearer in self.hearers.get(event, []):
            hearer(*words)


def meet(checkout):
    asyncio.coroutine = types.coroutine
    asyncio.Event, asyncio.Lock = as_it_was(asyncio.Event), as_it_was(asyncio.Lock)
    sys.path.insert(0, checkout)
    if importlib.util.find_spec("pyee") is None:
        sys.modules["pyee"] = types.SimpleNamespace(EventEmitter=Emitter)
    import asyncdgt

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    with bench.simulated("dgt", 20, "--serial", "SIM-25") as (port, board):
        seen, clocks, gone = [], [], asyncio.Event()
        dgt = asyncdgt.Connection(loop, [port])
        dgt.on("board", lambda position: seen.append(position.board_fen()))
        dgt.on("clock", clocks.append)
        dgt.on("disconnected", gone.set)
        bench.check("the port opens", dgt.connect(), port)

        async def ask():
            answers = {}
            for name in ["version", "serialnr", "long_serialnr", "board"]:
                answer = await asyncio.wait_for(getattr(dgt, f"get_{name}")(), 10)
                answers[name] = answer.board_fen() if name == "board" else answer
            await asyncio.wait_for(gone.wait(), 120)
            return answers

        answers = loop.run_until_complete(ask())
    bench.check("the version", answers["version"][:2], "1.")
    bench.check("the serial numbers", (answers["serialnr"], answers["long_serialnr"]), ("00025", "3000000025"))
    seen = seen[: len(seen) - seen[::-1].index(bench.positions()[-1])] if bench.positions()[-1] in seen else seen
    bench.in_order("every change", seen, bench.positions())
    bench.check("both clocks are told", bool(clocks) and all(clock.left_time > 0 and clock.right_time > 0 for clock in clocks), True)
    run_down = [(a.left_time - b.left_time, a.right_time - b.right_time, a.left_up) for a, b in zip(clocks, clocks[1:])]
    # Whose lever is up is thinking. A press adds some seconds, and is told with them.
    wrong = [step for step in run_down if step[1] > 0 and step[2] or step[0] > 0 and not step[2]]
    bench.check("both sides' clocks run down", (any(step[0] > 0 for step in run_down), any(step[1] > 0 for step in run_down)), (True, True))
    bench.check("the clock runs of the side whose lever is up", wrong, [])
    levers = sum(a.left_up != b.left_up for a, b in zip(clocks, clocks[1:]))
    # The first that is told is the first press.
    bench.check("the lever, press after press", levers, len(bench.MOVES) - 1)
