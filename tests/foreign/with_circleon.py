"""CircleOn (github.com/Klepvink/CircleOn), which plays on a Square Off Pro: its handler before our simulated one, over a pseudo-terminal
where it has Bluetooth.
"""

import asyncio
import contextlib
import importlib.machinery
import importlib.util
import os
import re
import sys

import bench


class Older(importlib.machinery.SourceFileLoader):
    """Before 3.12 Python reads no quotes within the same quotes."""

    def get_data(self, path):
        data = super().get_data(path)
        if sys.version_info < (3, 12) and path.endswith(".py"):
            data = re.sub(rb'\{""(?=\.)', b"{''", data)
        return data


class Line:
    """What their handler asks of Bluetooth."""

    max_write_without_response_size = 20

    def __init__(self, port):
        self.line = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    async def write_gatt_char(self, _where, data, response):
        os.write(self.line, data)

    async def messages(self, board):
        text = b""
        while board.poll() is None:
            await asyncio.sleep(0.02)
            with contextlib.suppress(BlockingIOError, OSError):
                text += os.read(self.line, 4096)
            while b"*" in text:
                message, text = text.split(b"*", 1)
                yield bytearray(message.strip() + b"*")


def meet(checkout):
    sys.path_hooks.insert(0, importlib.machinery.FileFinder.path_hook((Older, [".py"])))
    sys.path.insert(0, checkout)
    example = importlib.util.spec_from_file_location("env", os.path.join(checkout, "env.example.py"))
    env = importlib.util.module_from_spec(example)
    example.loader.exec_module(env)
    env.PLAY_LICHESS_GAME, env.ENABLE_LICHESS_BROADCAST, env.ENGINE_PLAYERS = False, False, []
    sys.modules["env"] = env
    from UartComm import ChessBoardUARTHandler

    async def play(port, board):
        line = Line(port)
        handler = ChessBoardUARTHandler(client=line, rx_char=line)
        await handler.start_game()
        async for message in line.messages(board):
            await handler.handle_rx(None, message)
        return handler

    with bench.simulated("squareoff", 1, "--noise", "0") as (port, board):
        handler = asyncio.run(play(port, board))
    moves = [move.uci() for move in handler.chessboardInstance.board.move_stack]
    bench.check("every move, out of lifts, placings and states", moves, bench.plies())
