#!/usr/bin/env python3
"""Random tournaments, written by somebody else's program and read by ours.

    pip install trf                                   # 1.1.1 of PyPI
    cargo build -p chess-trf --example read
    python3 daemon/trf/tests/oracle.py target/debug/examples/read [COUNT]

The other program knows titles of two letters only.
"""

import random
import subprocess
import sys
import tempfile

import trf

LETTERS = "abcdeXYZ ,.'-äéøßŁńž"
RESULTS = [("1", "0"), ("0", "1"), ("=", "="), ("+", "-"), ("-", "-"), ("W", "L"), (" ", " ")]


def player(chance, number):
    name = "".join(chance.choice(LETTERS) for _ in range(chance.randrange(1, 33)))
    return trf.Player(
        startrank=number,
        sex=chance.choice("mw "),
        title=chance.choice(["GM", "IM", "FM", "CM", "", "gf", "f"]),
        name=name.strip() or "x",
        rating=chance.choice([0, 1500, 2850]),
        fed=chance.choice(["GER", "", "NOR"]),
        id=chance.choice([None, 99000011, 5]),
        birthdate=chance.choice(["1990/01/02", "1990", ""]),
        points=0.0,
        rank=number,
        games=[],
    )


def tournament(chance):
    players = [player(chance, n + 1) for n in range(chance.randrange(2, 60))]
    for number in range(1, chance.randrange(0, 11) + 1):
        left = chance.sample(players, len(players))
        while len(left) > 1:
            white, black = left.pop(), left.pop()
            won, lost = chance.choice(RESULTS)
            white.games.append(trf.Game(black.startrank, "w", won, number))
            black.games.append(trf.Game(white.startrank, "b", lost, number))
        for alone in left:
            alone.games.append(trf.Game(0, "-", chance.choice("HFUZ"), number))
    return trf.Tournament(name="x", players=players)


def line(p):
    games = " ".join(f"{g.startrank}{g.color}{g.result}" for g in p.games)
    return f"{p.startrank}\t{p.name}\t{p.rating}\t{games}"


def main():
    reader, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
    for seed in range(count):
        chance = random.Random(seed)
        event = tournament(chance)
        text = trf.dumps(event).replace("\n", chance.choice(["\n", "\r\n", "\r"]))
        with tempfile.NamedTemporaryFile("w", newline="", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            read = subprocess.run([reader, file.name], capture_output=True, text=True, check=True)
        expected = [line(p) for p in event.players]
        if read.stdout.split("\n")[:-1] != expected:
            sys.exit(f"tournament {seed} reads otherwise:\n{read.stdout}\n{expected}")
    print(f"{count} tournaments read as they were written")


if __name__ == "__main__":
    main()
