"""Matches between game-playing engines, by the thousand, and what the results mean.

``arena.game("gomoku/renju_rif", size=15)`` is the door to the rules. Everything
else lives in the rooms below it. Importing this package loads nothing heavy: the
names below are fetched when first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.games import SPECTATOR, Game, game, rulebooks

__all__ = ["SPECTATOR", "Game", "__version__", "game", "rulebooks"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("arena.games"), name)
    raise AttributeError(f"module 'arena' has no attribute '{name}'")
