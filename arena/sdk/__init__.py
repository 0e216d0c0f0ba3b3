"""What a bot author imports: write a `Bot`, then `serve` it, or `connect` it to an arena.

>>> from arena.sdk import Bot, serve
>>> class FirstMove(Bot):
...     games = ("gomoku/*",)
...
...     def choose(self, turn):
...         return turn.legal[0]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from arena.sdk.bot import Bot, Choice, Decision
from arena.sdk.receipt import Receipt
from arena.sdk.turn import Turn

if TYPE_CHECKING:
    from arena.sdk.dial import ConnectError, Connection, connect
    from arena.sdk.mind import LoadError
    from arena.sdk.server import BotServer, serve

__all__ = [
    "Bot",
    "BotServer",
    "Choice",
    "ConnectError",
    "Connection",
    "Decision",
    "LoadError",
    "Receipt",
    "Turn",
    "connect",
    "serve",
]


def __getattr__(name: str) -> Any:
    # gRPC is loaded by those who serve, not by classes that are played in process.
    if name in ("BotServer", "serve"):
        return getattr(import_module("arena.sdk.server"), name)
    if name in ("ConnectError", "Connection", "connect"):
        return getattr(import_module("arena.sdk.dial"), name)
    if name == "LoadError":
        return import_module("arena.sdk.mind").LoadError
    raise AttributeError(f"module 'arena.sdk' has no attribute '{name}'")
