"""Our drivers and simulated boards meet programs that nobody here wrote.

    python3 tests/foreign/peers.py --peer CHECKOUT [--peer ANOTHER ...] [--arbiterd target/debug/arbiterd]

A checkout is recognised by what is in it. Its modules are imported from where they lie and run as they are; where an old one asks for
something that Python no longer has, it is given that from outside, before it is imported. Without a checkout nothing is run, which is
said. The exit status is 0 when all that was compared is right, or nothing was.
"""

import argparse
import concurrent.futures
import importlib
import os
import shutil
import subprocess
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))

# What is in a checkout, and the module here that knows it. Each has `meet(DIR)`.
KNOWN = [
    ("asyncdgt/_info.py", "with_asyncdgt"),
    ("eboard/chesslink/chess_link.py", "with_picochess"),
    ("test/dgtnixVirtualBoard.py", "with_picochess_2019"),
    ("src/universalchess/emulators/millennium.py", "with_universal_chess"),
    ("mchess/chess_link.py", "with_mchess"),
    ("SquareOffInstance.py", "with_circleon"),
]


def module_of(checkout):
    return next((module for file, module in KNOWN if os.path.exists(os.path.join(checkout, file))), None)


sys.dont_write_bytecode = True  # not beside their files


def meet(checkout, program):
    """Runs one meeting in this process: their modules have names that others have too."""
    sys.path.insert(0, HERE)
    import bench

    bench.arbiterd, sys.stdout = program, open(os.devnull, "w")
    try:
        importlib.import_module(module_of(checkout)).meet(checkout)
    except BaseException:
        bench.failures.append(traceback.format_exc())
        print(bench.failures[-1], file=bench.out)
    bench.out.flush()
    # Their threads may never end.
    os._exit(min(len(bench.failures), 100))


def commit(checkout):
    told = subprocess.run(["git", "-C", checkout, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True)
    return told.stdout.strip() or "of no known commit"


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--peer", action="append", default=[], metavar="DIR", help="a checkout of a project of others")
    words.add_argument("--arbiterd", default="target/debug/arbiterd", metavar="PATH", help="our program [default: %(default)s]")
    words.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = words.parse_args()
    if not given.peer:
        print("SKIPPED: no --peer DIR was given, so no program of others was run")
        return 0
    program = shutil.which(given.arbiterd)
    if program is None:
        print(f"{given.arbiterd}: no such program; `cargo build -p daemon`, or say where it is with --arbiterd")
        return 2
    program = os.path.abspath(program)
    if given.here:
        return meet(os.path.abspath(given.peer[0]), program)
    known = [checkout for checkout in map(os.path.abspath, given.peer) if module_of(checkout)]
    for checkout in set(map(os.path.abspath, given.peer)) - set(known):
        print(f"SKIPPED: {checkout} is no project that is known here")
    if not known:
        print("SKIPPED: no program of others was run")
        return 0
    again = [sys.executable, os.path.abspath(__file__), "--here", "--arbiterd", program, "--peer"]
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(4) as side_by_side:
        runs = [side_by_side.submit(subprocess.run, [*again, one], capture_output=True, text=True) for one in known]
        for checkout, run in zip(known, runs):
            told = run.result()
            # What went wrong in a program of theirs, or in ours; what they tell while all is well is nobody's concern.
            print(f"{checkout}, commit {commit(checkout)}\n{told.stdout}{told.stderr if told.returncode else ''}", end="", flush=True)
            wrong += [checkout] if told.returncode else []
    print(f"WRONG: {', '.join(wrong)}" if wrong else f"all that was compared with {len(known)} of them is right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
