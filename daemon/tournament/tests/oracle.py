#!/usr/bin/env python3
"""Results filled in by ours, and read by three programs of others.

    pip install trf caissify-pairings py4swiss        # 1.1.1, 0.5.0, 0.3.1 of PyPI
    cargo build -p tournament --example fill
    python3 daemon/tournament/tests/oracle.py target/debug/examples/fill [COUNT]

Random tournaments with every result that there is: such as add up to no point, forfeits of one or both, byes of every kind, games
that are not played; and such to which somebody comes late, whose line is ours. Ends with 3, and says so, where a reader is not installed.
"""

import random
import subprocess
import sys
import tempfile

try:
    import trf
    from caissify_pairings.trf import TRFParser
    from py4swiss.trf.sections import PlayerSection
except ImportError as error:
    print(f"NOT RUN: {error}; pip install trf caissify-pairings py4swiss", file=sys.stderr)
    sys.exit(3)

GAMES = ["1-0", "0-1", "=-=", "=-0", "0-=", "0-0", "+--", "--+", "---", "W-L", "D-D", "L-W"]
BYES = "HFUZ"


def tournament(chance):
    """Players, the number of rounds, and the file before the last round is played."""
    count, rounds = chance.randrange(2, 40), chance.randrange(1, 8)
    players = [
        trf.Player(startrank=n + 1, sex=chance.choice("mw "), title=chance.choice(["GM", "FM", ""]), name=f"Last{n}, Fürst",
                   rating=chance.choice([0, 1500, 2850]), fed="NOR", id=99000000 + n, birthdate="1990/01/02", points=0.0,
                   rank=n + 1, games=[])
        for n in range(count)
    ]
    for number in range(1, rounds + 1):
        left = chance.sample(players, count)
        alone = [left.pop() for _ in range(count % 2 + 2 * chance.randrange(0, 2) * (count > 4))]
        for white, black in zip(left[::2], left[1::2]):
            one, _, other = chance.choice(GAMES) if number < rounds else (" ", "-", " ")
            white.games.append(trf.Game(black.startrank, "w", one, number))
            black.games.append(trf.Game(white.startrank, "b", other, number))
        for player in alone:
            player.games.append(trf.Game(0, "-", chance.choice(BYES), number))
    event = trf.Tournament(name="x", players=players)
    return players, rounds, trf.dumps(event).replace("\n", chance.choice(["\n", "\r\n", "\r"]))


def by_trf(text):
    return {p.startrank: [g.result for g in p.games] for p in trf.loads(text.replace("\r\n", "\n").replace("\r", "\n")).players}


def by_caissify(text):
    players = TRFParser(text).parse()["players"]
    return {p["starting_number"]: [p["results"][n]["result"] for n in sorted(p["results"])] for p in players}


def by_py4swiss(text):
    lines = [line for line in text.replace("\r", "\n").split("\n") if line.startswith("001")]
    sections = [PlayerSection.from_string(line) for line in lines]
    return {s.starting_number: [r.result.value for r in s.results] for s in sections}


READERS = [by_trf, by_caissify, by_py4swiss]


def run(fill, file, number, results, *pairs):
    done = subprocess.run([fill, file, str(number), *pairs], input=results.encode(), capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{fill} {file} {number}: {done.stderr.decode()}")
    return done.stdout.decode()


def check(fill, seed):
    chance = random.Random(seed)
    players, rounds, text = tournament(chance)
    expected = {p.startrank: [g.result for g in p.games] for p in players}
    with tempfile.NamedTemporaryFile() as file:
        file.write(text.encode())
        file.flush()
        typed = []
        for line in run(fill, file.name, rounds, "").splitlines():
            table, white, black = map(int, line.split())
            result = chance.choice(GAMES)
            typed.append(f"{table} {result}")
            expected[white][-1], expected[black][-1] = result[0], result[2]
        after = run(fill, file.name, rounds, "\n".join(typed)) if typed else text
    for reader in READERS:
        read = reader(after)
        if read != expected:
            sys.exit(f"tournament {seed}: {reader.__name__} reads {read}\nand not {expected}\n{after}")


def check_late(fill, seed):
    """Whoever was alone in the last round plays somebody who is not in the file: his line is read like the others."""
    chance = random.Random(seed)
    players, rounds, text = tournament(chance)
    alone = [p for p in players if p.games[-1].startrank == 0]
    if not alone:
        return 0
    late, name = len(players) + 1, "Löwe, Späte"
    names = {p.startrank: p.name for p in players} | {late: name}
    pairs = [(p.startrank, p.games[-1].startrank) for p in players if p.games[-1].color == "w"]
    pairs.append(chance.choice([(late, alone[0].startrank), (alone[0].startrank, late)]))
    rows = [f'{n},{white},"{names[white]}",{black},"{names[black]}",' for n, (white, black) in enumerate(pairs, 1)]
    rows += [f',{p.startrank},"{p.name}",,bye,{p.games[-1].result}' for p in alone[1:]]
    expected = {p.startrank: [g.result for g in p.games] for p in players} | {late: ["Z"] * rounds}
    typed = []
    for n, (white, black) in enumerate(pairs, 1):
        result = chance.choice(GAMES)
        typed.append(f"{n} {result}")
        expected[white][-1], expected[black][-1] = result[0], result[2]
    with tempfile.NamedTemporaryFile() as file, tempfile.NamedTemporaryFile() as later:
        file.write(text.encode())
        later.write("\n".join(["table,white_no,white,black_no,black,result", *rows, ""]).encode())
        file.flush()
        later.flush()
        after = run(fill, file.name, rounds, "\n".join(typed), later.name)
    for reader in READERS:
        read = reader(after)
        if read != expected:
            sys.exit(f"tournament {seed}, late: {reader.__name__} reads {read}\nand not {expected}\n{after}")
    return 1


def main():
    fill, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    for seed in range(count):
        check(fill, seed)
    late = sum(check_late(fill, seed) for seed in range(count))
    if late == 0 and count > 50:
        sys.exit("nobody came late")
    print(f"{count} tournaments, {late} with somebody who came late: three readers see every result as it was typed")


if __name__ == "__main__":
    main()
