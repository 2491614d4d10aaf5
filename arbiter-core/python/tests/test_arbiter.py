"""The module says what the program says: every scenario's script through both. Run by ci.sh.

    python tests/test_arbiter.py ARBITERD SCRIPTS
"""
import json
import subprocess
import sys
from pathlib import Path

from arbiter_core import Arbiter

HERE = Path(__file__).resolve().parent


def rulings(script):
    arbiter, said = None, []
    for line in script.read_text().splitlines():
        event = json.loads(line)
        if event["event"] == "setup":
            if arbiter is not None:
                return None  # a second game: an arbiter of its own would be needed
            assert event.pop("at") == 0, script
            del event["event"]
            arbiter = Arbiter(event)
        else:
            said += arbiter.handle(event)
    return said + arbiter.finish()


def same_as_the_program(program, scripts):
    compared = 0
    for script in sorted(Path(scripts).glob("*.jsonl")):
        ours = rulings(script)
        if ours is None:
            continue
        told = subprocess.run([program, "replay", script], check=True, capture_output=True, text=True).stdout
        theirs = [json.loads(line) for line in told.splitlines()]
        assert [without_evidence(one) for one in ours] == [without_evidence(one) for one in theirs], script
        compared += 1
    assert compared > 300, compared
    print(f"{compared} scripts: the module rules as the program does")


def without_evidence(ruling):
    """The program prints a summary's PGN and the lines of evidence in a form of its own."""
    return {key: value for key, value in ruling.items() if key not in ("pgn", "evidence")}


def what_is_no_event_is_refused():
    arbiter = Arbiter({"sensor": "colour"})
    for wrong in ({"event": "lift", "at": 1}, {"event": "jump", "at": 1}, {"at": 1}, 7):
        try:
            arbiter.handle(wrong)
        except ValueError as error:
            assert str(error).startswith("event: "), error
        else:
            raise AssertionError(wrong)
    try:
        Arbiter({"sensor": "radar"})
    except ValueError as error:
        assert "radar" in str(error), error
    else:
        raise AssertionError("radar")


def the_example_warns():
    changes = "-e2 +e4 . -e7 +e5 . -f1 +f4 . . .".replace(" ", "\n").replace(".", "")
    said = subprocess.run([sys.executable, HERE.parent / "examples" / "warn.py"], input=changes, capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[:2] == ["e4", "e5"], said
    assert "!!" in said, said


def silence_and_view():
    arbiter = Arbiter({"sensor": "piece", "clock": False})
    arbiter.handle({"event": "lift", "at": 1_000, "square": "e2"})
    arbiter.handle({"event": "place", "at": 1_400, "square": "e4", "seen": "P"})
    said, wakes = [], 0
    while (wake := arbiter.next_wake()) is not None and wake < 20_000:
        assert wake >= 1_400, wake
        said += arbiter.handle({"event": "tick", "at": wake + 1})
        wakes += 1
    assert 0 < wakes < 20, wakes
    assert [one["uci"] for one in said if one["ruling"] == "move" and one["state"] == "made"] == ["e2e4"], said
    assert arbiter.view()["fen"].startswith("rnbqkbnr/pppppppp/8/8/4P3/")


if __name__ == "__main__":
    what_is_no_event_is_refused()
    silence_and_view()
    the_example_warns()
    same_as_the_program(sys.argv[1], sys.argv[2])
