"""A board of the line format with a clock, on a pseudo-terminal, whose hands are told line by line on standard input what to do.

    byhand.py LINK [occupancy|piece [SQUARES]]

It tells pieces apart, or with `occupancy` which squares are occupied. SQUARES are the 64 that stand on it at first, a1 to h8, empty ones as dots; left out, all
pieces stand at their places.

`e2e4` takes a piece to another square, off which it takes what stands there, and presses; `e2e4-` does not press. `-f7` lifts, `+f7Q` puts down, `white` and
`black` press, `wait 500` waits for so many milliseconds, and `left white 3000` is what a clock has left. After each line that is done it says `done`.
"""

import os
import pty
import sys
import threading
import time
import tty

BEAT = 0.15  # from one contact to the next, in seconds


class Board:
    def __init__(self, link, sees, stands="RNBQKBNR" + "P" * 8 + "." * 32 + "p" * 8 + "rnbqkbnr"):
        self.sees = sees
        self.line, other = pty.openpty()
        tty.setraw(other)
        self.other = other  # kept open, or the line would hang up whenever nobody else has it open
        os.symlink(os.ttyname(other), link)
        self.squares = dict(zip((f + r for r in "12345678" for f in "abcdefgh"), stands))
        self.left = {"white": 5_400_000, "black": 5_400_000}
        self.writing = threading.Lock()
        threading.Thread(target=self.answer, daemon=True).start()

    def say(self, text):
        with self.writing:
            os.write(self.line, (text + "\n").encode())

    def answer(self):
        while asked := os.read(self.line, 1000):
            if b"?" in asked:
                self.say(f"board by-hand {self.sees} clock scan=20\n=" + "".join(map(self.shown, self.squares.values())))

    def shown(self, piece):
        return piece if self.sees == "piece" or piece == "." else "?"

    def lift(self, square):
        piece, self.squares[square] = self.squares[square], "."
        self.say("-" + square)
        time.sleep(BEAT)
        return piece

    def put(self, square, piece):
        self.squares[square] = piece
        self.say(f"+{square}{self.shown(piece)}")
        time.sleep(BEAT)

    def press(self, by):
        self.left[by] -= 3_000
        self.say(f"press {by} {self.left['white']} {self.left['black']}")
        time.sleep(BEAT)

    def do(self, word):
        if word in self.left:
            self.press(word)
        elif word[0] == "-":
            self.lift(word[1:])
        elif word[0] == "+":
            self.put(word[1:3], word[3])
        else:
            start, end = word[:2], word[2:4]
            if self.squares[end] != ".":
                self.lift(end)
            piece = self.lift(start)
            self.put(end, piece)
            if not word.endswith("-"):
                self.press("white" if piece.isupper() else "black")


board = Board(sys.argv[1], *(sys.argv[2:] or ["piece"]))
print("ready", flush=True)
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["wait"]:
        time.sleep(int(words[1]) / 1000)
    elif words[:1] == ["left"]:
        board.left[words[1]] = int(words[2])
    else:
        for word in words:
            board.do(word)
    print("done", flush=True)
