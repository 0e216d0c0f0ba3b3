"""What a bot author imports: write a `Bot`, then `serve` it.

>>> from arena.sdk import Bot, serve
>>> class FirstMove(Bot):
...     games = ("gomoku/*",)
...
...     def choose(self, turn):
...         return turn.legal[0]
"""

from typing import TYPE_CHECKING, Any

from arena.sdk.bot import Bot, Choice, Decision
from arena.sdk.turn import Turn

if TYPE_CHECKING:
    from arena.sdk.server import BotServer, serve

__all__ = ["Bot", "BotServer", "Choice", "Decision", "Turn", "serve"]


def __getattr__(name: str) -> Any:
    # gRPC is loaded by those who serve, not by classes that are played in process.
    if name in ("BotServer", "serve"):
        from arena.sdk import server

        return getattr(server, name)
    raise AttributeError(f"module 'arena.sdk' has no attribute '{name}'")
