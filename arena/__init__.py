"""Matches between game-playing engines, by the thousand, and what the results mean.

``arena.game("gomoku/renju_rif", size=15)`` is the door to the rules. Everything
else lives in the rooms below it; importing this package loads neither Ray nor gRPC.
"""

from arena.games import SPECTATOR, Game, game, rulebooks

__all__ = ["SPECTATOR", "Game", "__version__", "game", "rulebooks"]
__version__ = "0.1.0"
