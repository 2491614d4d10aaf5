from collections.abc import Mapping
from typing import Any, Literal, Optional, TypedDict

__version__: str
__all__ = ["Arbiter", "__version__"]

Sensor = Literal["occupancy", "colour", "piece"]

class _Setup(TypedDict):
    sensor: Sensor

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

class Arbiter:
    """Follows one board. Never raises for evidence, however bad; `ValueError` where an event is none."""

    def __init__(self, setup: Setup | Mapping[str, Any]) -> None: ...
    def handle(self, event: Event | Mapping[str, Any]) -> list[dict[str, Any]]:
        """Takes an event, and gives the rulings that follow from it, each with `ruling`, `at` and `game`."""

    def finish(self) -> list[dict[str, Any]]:
        """Ends the game at hand: what was left to say, and its summary."""

    def view(self) -> Optional[dict[str, Any]]:
        """The board's state as consoles show it: position, plies, open findings and doubts."""

    def next_wake(self) -> Optional[int]:
        """When silence itself would mean something, in milliseconds: give a `tick` later than that."""
