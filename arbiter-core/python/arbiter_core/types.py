"""What an arbiter is told, for programs whose types are checked. All of it are plain dictionaries."""

from collections.abc import Mapping
from typing import Any, Literal, TypedDict


class _Setup(TypedDict):
    sensor: Literal["occupancy", "colour", "piece"]


class Setup(_Setup, total=False):
    """How a game begins. What is left out is as usual."""

    game: str
    laws: str
    supervised: bool
    clock: bool
    polled: bool
    fen: str
    chess960: bool
    options: Mapping[str, Any]


class _Event(TypedDict):
    event: str
    at: int


class Event(_Event, total=False):
    """What happened, `at` so many milliseconds: `lift` and `place` of a `square`, `press` `by` a player, `tick`, `snapshot` and so on."""

    square: str
    seen: str
    by: Literal["white", "black"]
    board: str
    clock: Mapping[str, int]
