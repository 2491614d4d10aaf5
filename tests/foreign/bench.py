"""What the meetings with programs of others share: our simulated boards, pseudo-terminals for their emulators, hands that play on
these, and what is compared. Nothing here knows any of their programs.
"""

import contextlib
import importlib.util
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tty
import types

import chess

# En passant, captures, castling to either side; no promotion, for some clients ask a person for the piece.
MOVES = "e4 d5 e5 f5 exf6 Nxf6 Nf3 Bg4 Be2 Nc6 O-O Qd7 d4 O-O-O".split()
START = chess.STARTING_BOARD_FEN

arbiterd = "arbiterd"
failures = []
# Where we write; what their programs print goes elsewhere.
out = sys.stdout


def positions():
    """What stands on the board at the start and after every move."""
    board, told = chess.Board(), [START]
    for san in MOVES:
        board.push_san(san)
        told.append(board.board_fen())
    return told


def plies():
    """The moves, as UCI writes them."""
    board = chess.Board()
    return [board.push_san(san).uci() for san in MOVES]


def check(what, seen, wanted):
    """Says whether what was seen is what was wanted, and keeps what is not."""
    if seen == wanted:
        print(f"  ok    {what}", file=out)
        return True
    print(f"  WRONG {what}\n        seen   {seen}\n        wanted {wanted}", file=out)
    failures.append(what)
    return False


def in_order(what, seen, wanted):
    """Every one of `wanted` is among `seen`, in this order, and the last is the last."""
    rest = iter(seen)
    missing = next((f"not {one} after {n} others" for n, one in enumerate(wanted) if one not in rest), None)
    check(f"{what}: {len(wanted)} positions in their order", missing, None)
    check(f"{what}: the last position", seen[-1] if seen else None, wanted[-1])


class Lenient(types.ModuleType):
    """Stands for a package that is not installed and that nothing which is run here needs."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,), {})


def without(*names):
    """Lets modules be imported that import these packages and do not use them here."""
    for name in names:
        package = name.split(".")[0]
        if isinstance(sys.modules.get(package), Lenient) or importlib.util.find_spec(package) is None:
            sys.modules[name] = Lenient(name)


def without_modem_lines():
    """Lets programs set DTR, which no pseudo-terminal has."""
    import serial

    serial.Serial._update_dtr_state = serial.Serial._update_rts_state = lambda self: None


def until(what, fits, seconds=60):
    """Waits; False when it took too long, which is told."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if fits():
            return True
        time.sleep(0.02)
    return check(f"{what} within {seconds} s", False, True)


def plays(board, seconds=180):
    """Waits until one of our boards has ended its game."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        board.wait(seconds)
    return check("the game was played to its end", board.poll(), 0)


def ends(process):
    """Ends a program of ours as Ctrl-C does."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    try:
        return process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def directory():
    return tempfile.TemporaryDirectory(prefix="peers-")


@contextlib.contextmanager
def simulated(kind, speed, *more):
    """One of our simulated boards, on which the game is played once somebody has opened it: its port and its program."""
    with directory() as where:
        port, pgn = os.path.join(where, kind), os.path.join(where, "game.pgn")
        with open(pgn, "w") as file:
            # Without a result nobody shows it with the kings, and the last position stands.
            file.write('[Result "*"]\n\n' + " ".join(MOVES) + " *\n")
        board = subprocess.Popen(
            [arbiterd, "simulate", "--board", kind, "--link", port, "--pgn", pgn, "--hand", "tidy", "--speed", str(speed), *more],
            stdout=subprocess.DEVNULL,
        )
        try:
            until("a simulated board", lambda: os.path.lexists(port), 20)
            yield port, board
        finally:
            ends(board)


class Emulated:
    """A pseudo-terminal behind which somebody's emulator sits: it is given every byte, and `say` writes to the line."""

    def __init__(self, hear):
        self.hear = hear
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        self.port = os.ttyname(self.slave)
        self.heard, self.running, self.lock = bytearray(), True, threading.RLock()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while self.running:
            if not select.select([self.master], [], [], 0.05)[0]:
                continue
            data = os.read(self.master, 4096)
            self.heard += data
            with self.lock:
                for byte in data:
                    self.hear(byte)

    def say(self, data):
        # What nobody takes is lost, as over Bluetooth.
        with contextlib.suppress(BlockingIOError):
            os.write(self.master, bytes(data))

    def close(self):
        self.running = False
        self.thread.join()
        os.close(self.master)
        os.close(self.slave)


class Table:
    """A board with pieces, and a hand that plays the game on it; `changed(square, is_lifted)` is called for every change."""

    def __init__(self, changed):
        self.board, self.changed = chess.BaseBoard(), changed

    def fen(self):
        return self.board.board_fen()

    def lift(self, square, pause):
        piece = self.board.remove_piece_at(square)
        self.changed(square, True)
        time.sleep(pause)
        return piece

    def put(self, square, piece, pause):
        self.board.set_piece_at(square, piece)
        self.changed(square, False)
        time.sleep(pause)

    def play(self, pause=0.25):
        game = chess.Board()
        for san in MOVES:
            move = game.parse_san(san)
            if game.is_en_passant(move):
                self.lift(chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square)), pause)
            elif game.is_capture(move):
                self.lift(move.to_square, pause)
            self.put(move.to_square, self.lift(move.from_square, pause), pause)
            if game.is_castling(move):
                files = (7, 5) if game.is_kingside_castling(move) else (0, 3)
                old, new = (chess.square(file, chess.square_rank(move.from_square)) for file in files)
                self.put(new, self.lift(old, pause), pause)
            game.push(move)
            time.sleep(2 * pause)


def lines(*words, seconds=60):
    """What our program writes with `--json`, a line at a time."""
    told = subprocess.run([arbiterd, *words], capture_output=True, text=True, timeout=seconds)
    return [json.loads(line) for line in told.stdout.splitlines() if line.startswith("{")], told.stderr.strip()


def probed(port):
    """What `arbiterd ports --probe` says of a port."""
    return lines("ports", "--probe", "--json", port)


def recorded(port, kind, play):
    """What our arbiter makes of the game that `play` plays while our driver listens; `kind` None: it finds out."""
    with directory() as where:
        file = os.path.join(where, "game.rec")
        board = ["--board", kind] if kind else []
        words = [arbiterd, "record", port, *board, "-o", file]
        recorder = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        told = []
        listener = threading.Thread(target=lambda: told.extend(recorder.stdout), daemon=True)
        listener.start()
        until("our driver knows the board", lambda: any("answers" in line for line in told) or recorder.poll() is not None, 30)
        time.sleep(1.5)
        play()
        # Without a clock the last move is completed by rest.
        time.sleep(3)
        ends(recorder)
        rulings, complaint = lines("replay", "--raw", file, *board)
        if complaint:
            print(f"        {complaint}", file=out)
        return rulings


def blameless(rulings, what):
    """The game was recorded as it was played, and nobody was accused."""
    summary = next((ruling for ruling in rulings if ruling["ruling"] == "summary"), {})
    check(f"{what}: the record", summary.get("moves"), plies())
    check(f"{what}: irregularities", summary.get("irregularities"), {})
    check(f"{what}: doubts", summary.get("doubts"), [])


class Lamps:
    """Watches an emulator's lamps while our program lights rank by rank, file by file and then all."""

    def __init__(self, lit):
        self.lit, self.seen, self.running = lit, [], True
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        before, last, since = None, set(), 0
        while self.running:
            now = set(self.lit())
            since = since + 1 if now == before else 0
            # Not half of a picture.
            if since == 8 and now != last:
                last = now
                self.seen += [now] if now else []
            before = now
            time.sleep(0.02)

    def check(self, what):
        self.running = False
        self.thread.join()
        ranks, files = ([set(chess.SquareSet(line)) for line in lines] for lines in (chess.BB_RANKS, chess.BB_FILES))
        names = lambda seen: [chess.square_name(min(one)) + "-" + chess.square_name(max(one)) + f" ({len(one)})" for one in seen]
        check(f"{what}: lamps rank by rank, file by file, all", names(self.seen), names([*ranks, *files, set(chess.SQUARES)]))
