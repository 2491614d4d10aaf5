#!/usr/bin/env python3
"""The pairing program of a tournament: pairs the next round of a report file, by the Dutch system.

    pip install trf py4swiss                          # 1.1.1, 0.3.1 of PyPI
    pair.py PLAYERS ROUNDS > first.trf                # so many players, the first of so many rounds
    pair.py after-2.trf > third.trf                   # the round after those that the file has results of
    pair.py --exchange third.trf 12 34 > late.trf     # two who have White in its last round exchange their opponents

The pairings are py4swiss's, the file is written by trf.
"""

import sys
import tempfile
from pathlib import Path

import trf
from py4swiss.engines import DutchEngine
from py4swiss.trf import TrfParser

# Names as organisers hold them; a number tells them apart.
NAMES = ["Ångström, Åsa", "O'Neill, Cíara", "Müller, Jürgen", "Núñez, Inés", "Dvořák, Jiří", "Łuczak, Łucja", "Smith-Jones, Al", "de Vries, Anne"]
WORTH = {"1": 1.0, "=": 0.5, "0": 0.0, "+": 1.0, "-": 0.0, "W": 1.0, "D": 0.5, "L": 0.0, "H": 0.5, "F": 1.0, "U": 1.0, "Z": 0.0}


def entered(count, rounds):
    """A tournament before its first round."""
    players = [
        trf.Player(startrank=n, sex="mw"[n % 2], title=["GM", "IM", "FM", ""][n % 4], name=f"{NAMES[n % len(NAMES)]} {n}", rating=2600 - 13 * n,
                   fed="NOR", id=99000000 + n, birthdate=f"{1950 + n % 60}/01/02", points=0.0, rank=n, games=[])
        for n in range(1, count + 1)
    ]
    return trf.Tournament(name="Forty Tables Open", city="Oslo", federation="NOR", startdate="2026/11/24", enddate="2026/11/26",
                          numplayers=count, numratedplayers=count, type="Individual: Swiss-System", xx_fields={"XXR": str(rounds), "XXC": "white1"},
                          players=players)


def written(event):
    """The file; without the dates of rounds, which trf writes elsewhere than py4swiss reads them."""
    return "".join(line for line in trf.dumps(event).splitlines(keepends=True) if not line.startswith("132"))


def paired(event):
    """The pairings of the next round, the first table first; 0 is a bye."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "so-far.trf")
        file.write_text(written(event), encoding="utf-8")
        return [(p.white, p.black) for p in DutchEngine.generate_pairings(TrfParser.parse(file))]


def read(name):
    return Path(name).read_text(encoding="utf-8")


def write(text):
    sys.stdout.reconfigure(encoding="utf-8", newline="")
    sys.stdout.write(text)


def exchange(text, one, other):
    """Their opponents change places in the last round, which trf does not read as long as it has no results."""
    lines = text.split("\n")
    at = {int(line[4:8]): n for n, line in enumerate(lines) if line.startswith("001")}

    def plays(number, opponent=None):
        line = lines[at[number]]
        if opponent is not None:
            lines[at[number]] = f"{line[:-8]}{opponent:4}{line[-4:]}"
        return int(line[-8:-4])

    black = plays(one), plays(other)
    for white, opponent in ((one, black[1]), (other, black[0])):
        plays(white, opponent)
        plays(opponent, white)
    return "\n".join(lines)


def main():
    if sys.argv[1] == "--exchange":
        return write(exchange(read(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
    if len(sys.argv) == 3:
        event = entered(int(sys.argv[1]), int(sys.argv[2]))
    else:
        event = trf.loads(read(sys.argv[1]))
        for player in event.players:
            player.points = sum(WORTH[game.result] for game in player.games)
        for rank, player in enumerate(sorted(event.players, key=lambda p: (-p.points, p.startrank)), 1):
            player.rank = rank
    of = {player.startrank: player for player in event.players}
    number = max(len(player.games) for player in event.players) + 1
    for white, black in paired(event):
        if 0 in (white, black):
            of[white or black].games.append(trf.Game(0, "-", "U", number))
        else:
            of[white].games.append(trf.Game(black, "w", " ", number))
            of[black].games.append(trf.Game(white, "b", " ", number))
    return write(written(event))


if __name__ == "__main__":
    main()
