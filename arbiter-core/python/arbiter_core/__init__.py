"""The electronic arbiter: square changes of a chess board in, rulings under the FIDE Laws out.

Events and rulings are the dictionaries of event scripts; README.md shows the main ones.
"""

from ._arbiter_core import Arbiter, __version__
from .types import Event, Setup

__all__ = ["Arbiter", "Event", "Setup", "__version__"]
