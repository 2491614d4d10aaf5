from collections.abc import Mapping
from typing import Any, Optional, final

from .types import Event as Event, Setup as Setup

__version__: str
__all__ = ["Arbiter", "Event", "Setup", "__version__"]

@final
class Arbiter:
    """Follows one board. Never raises for evidence, however bad; `ValueError` where an event is none."""

    def __new__(cls, setup: Setup | Mapping[str, Any]) -> "Arbiter": ...
    def handle(self, event: Event | Mapping[str, Any]) -> list[dict[str, Any]]:
        """Takes an event, and gives the rulings that follow from it, each with `ruling`, `at` and `game`."""

    def finish(self) -> list[dict[str, Any]]:
        """Ends the game at hand: what was left to say, and its summary."""

    def view(self) -> Optional[dict[str, Any]]:
        """The board's state as consoles show it: position, plies, open findings and doubts."""

    def next_wake(self) -> Optional[int]:
        """When silence itself would mean something, in milliseconds: give a `tick` later than that."""
