"""picochess as it is today (github.com/JohanSjoblom/picochess) before our simulated boards: its classes for DGT, Millennium, Certabo,
Sentio and Chessnut boards.

Chessnut boards it knows over Bluetooth only: what our board says over USB is cut to the length that it has there.
"""

import asyncio
import json
import os
import queue
import sys
import threading
import time

import bench


def settles(board, told):
    """Waits until our board has ended, and what it said is worked off."""
    bench.plays(board)
    bench.until("all is worked off", lambda: told.empty() if told else True, 20)
    time.sleep(0.5)


def dgt():
    import utilities
    from dgt.api import MessageApi
    from dgt.board import DgtBoard

    told = []

    async def hears(port, board):
        loop = asyncio.get_running_loop()
        display = utilities.DisplayMsg(loop)
        DgtBoard(port, True, False, False, loop).run()
        while board.poll() is None:
            await asyncio.sleep(0.1)
            while not display.msg_queue.empty():
                told.append(display.msg_queue.get_nowait())

    def run(port, board):
        with asyncio.Runner() as runner:
            runner.get_loop().set_exception_handler(lambda *_: None)
            runner.run(hears(port, board))

    with bench.simulated("dgt", 2, "--serial", "SIM-25") as (port, board):
        # Its reader never ends, and a loop waits for its threads.
        threading.Thread(target=run, args=(port, board), daemon=True).start()
        bench.plays(board)
        time.sleep(1)
    of = lambda kind: [message for message in told if repr(message) == kind]
    bench.in_order("DGT: the board as picochess asks for it", [message.fen for message in of(MessageApi.DGT_FEN)], bench.positions())
    bench.check("DGT: the serial number", {message.number for message in of(MessageApi.DGT_SERIAL_NR)}, {"00025"})
    times = of(MessageApi.DGT_CLOCK_TIME)
    bench.check("DGT: the clock is connected", {message.connect for message in times}, {True})
    levers = [message.button for message in of(MessageApi.DGT_BUTTON)]
    bench.check("DGT: the lever goes to and fro", all(a == -b for a, b in zip(levers, levers[1:])), True)
    bench.check("DGT: the lever, press after press", len(levers) in (len(bench.MOVES) - 1, len(bench.MOVES)), True)


def chesslink():
    from eboard.chesslink.chess_link_agent import ChessLinkAgent

    told = queue.Queue()
    with bench.simulated("chesslink", 3) as (port, board):
        with open("chess_link_config.json", "w") as file:
            json.dump({"transport": "eboard.chesslink.chess_link_usb", "address": port, "autodetect": False}, file)
        agent = ChessLinkAgent(told)
        settles(board, None)
    seen = list(told.queue)
    bench.check("ChessLink: the version", agent.cl_brd.board_version, "01.04")
    bench.check("ChessLink: which side its cable is on", [one["orientation"] for one in seen if one["cmd"] == "new_game"], [True])
    fens = [one["fen"].split(" ")[0] for one in seen if one["cmd"] == "raw_board_position"]
    bench.in_order("ChessLink: every state", fens, bench.positions())


def tags(kind):
    from eboard.certabo.protocol import Protocol

    seen, told = [], queue.Queue()

    class Protocol(Protocol):
        def board_update(self, short_fen):
            seen.append(short_fen)
            super().board_update(short_fen)

    with bench.simulated(kind, 1.5) as (port, board):
        with open("certabo_config.json", "w") as file:
            json.dump({"address": port}, file)
        protocol = Protocol(told, kind)
        settles(board, protocol.trque)
    if kind == "certabo":
        bench.check("certabo: its pieces were learned", protocol.calibrated, True)
    bench.in_order(f"{kind}: every position", [bench.START, *seen] if kind == "sentio" else seen, bench.positions())


class OverTheAir:
    """Chessnut's reports on our pseudo-terminal, handed on as Bluetooth does."""

    def __init__(self, told, _read, _write):
        self.told, self.running = told, True

    def is_init(self):
        return True

    def open_mt(self, port):
        self.line = os.open(port, os.O_RDWR | os.O_NOCTTY)
        threading.Thread(target=self.run, daemon=True).start()
        return True

    def write_mt(self, message):
        os.write(self.line, message)

    def run(self):
        bytes_left = b""
        try:
            while self.running:
                bytes_left += os.read(self.line, 4096)
                while len(bytes_left) >= 65:
                    report, bytes_left = bytes_left[:65], bytes_left[65:]
                    self.told.put(bytearray([1, 0x24]) + report[2:38] if report[0] == 1 else bytearray(report[: 2 + report[1]]))
        except OSError:
            self.running = False

    def quit(self):
        self.running = False


def chessnut():
    from eboard.chessnut import protocol

    protocol.Transport = OverTheAir
    seen, told = [], queue.Queue()

    class Protocol(protocol.Protocol):
        def board_update(self, short_fen):
            seen.append(short_fen)
            super().board_update(short_fen)

    with bench.simulated("chessnut", 3) as (port, board):
        with open("chessnut_config.json", "w") as file:
            json.dump({"address": port}, file)
        host = Protocol(told, "chessnut")
        host.realtime_mode()
        host.brd_type = protocol.BoardType.CHESSNUT_REGULAR
        host.request_battery_status()
        settles(board, host.trque)
    bench.in_order("Chessnut: every state", seen, bench.positions())
    battery = [one["message"] for one in told.queue if one["cmd"] == "battery"]
    bench.check("Chessnut: the battery", battery[:1], ["DISCHARGING 80"])
    bench.check("Chessnut: it does not lie turned", host.brd_reversed, False)


def meet(checkout):
    sys.path.insert(0, checkout)
    bench.without("configobj", "bluepy", "bluepy.btle")
    bench.without_modem_lines()
    with bench.directory() as where:
        # They keep what they know of their board where they run.
        os.chdir(where)
        chesslink()
        tags("certabo")
        tags("sentio")
        chessnut()
        dgt()
        os.chdir("/")
