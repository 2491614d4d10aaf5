#!/usr/bin/env python3
"""What three programs of others read in a report file, as JSON: by program and starting number, the result of every round.

    pip install trf caissify-pairings py4swiss        # 1.1.1, 0.5.0, 0.3.1 of PyPI
    read.py FILE
"""

import json
import sys
from pathlib import Path

import trf
from caissify_pairings.trf import TRFParser
from py4swiss.trf.sections import PlayerSection


def by_trf(text):
    return {player.startrank: [game.result for game in player.games] for player in trf.loads(text).players}


def by_caissify(text):
    players = TRFParser(text).parse()["players"]
    return {p["starting_number"]: [p["results"][n]["result"] for n in sorted(p["results"])] for p in players}


def by_py4swiss(text):
    sections = [PlayerSection.from_string(line) for line in text.splitlines() if line.startswith("001")]
    return {section.starting_number: [result.result.value for result in section.results] for section in sections}


def main():
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    readers = {"trf": by_trf, "caissify-pairings": by_caissify, "py4swiss": by_py4swiss}
    json.dump({name: reader(text) for name, reader in readers.items()}, sys.stdout)


if __name__ == "__main__":
    main()
