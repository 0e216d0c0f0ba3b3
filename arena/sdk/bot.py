"""What a bot author writes: a `Bot` that chooses moves."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from arena._core import Move

if TYPE_CHECKING:
    from arena.protocol.v1 import bot_pb2
    from arena.sdk.turn import Turn


@dataclass(frozen=True, slots=True)
class Decision:
    """A move with what a bot may want to say beside it."""

    move: str | Move = ""
    """Canonical text, or a handle from a state. Empty only beside `resign` or `accept_draw`."""

    resign: bool = False
    offer_draw: bool = False
    accept_draw: bool = False
    value: float | None = None
    """Expected score of the seat, in [0, 1]."""

    comment: str = ""
    nodes: int = 0
    policy: tuple[tuple[str, float], ...] = field(default=())
    """(move, probability) of the moves that were thought about."""

    drawn: bool = False
    """The move was drawn by chance from exactly this policy: statistics may then take the luck of
    the draw off the result. False where the best of the policy is played."""


Choice = str | Move | Decision
"""What `choose` may return."""


class Bot:
    """A program that plays. Subclass it, say what it plays, and choose.

    >>> class FirstMove(Bot):
    ...     games = ("gomoku/*",)
    ...
    ...     def choose(self, turn):
    ...         return turn.legal[0]

    `choose` may be ``async``. A bot that likes to think about many games at once overrides
    `choose_batch` instead. A turn holds everything that is needed to answer it, so a bot
    keeps no books on its games; one instance plays all of them.
    """

    name: ClassVar[str] = ""
    """Any Unicode; the class name where empty."""

    version: ClassVar[str] = "1"
    authors: ClassVar[Sequence[str]] = ()
    games: ClassVar[Sequence[str]] = ("*",)
    """Globs over rulebooks: "gomoku/*", "chinese_checkers/doc000"."""

    max_parallel_games: ClassVar[int] = 0
    """0: as many as the arena likes while no clock runs, one at a time under a clock."""

    preferred_batch: ClassVar[int] = 0
    """Turns in one message; 0: the arena decides."""

    wants_legal_moves: ClassVar[bool] = False
    """Have legal moves sent along. `Turn.legal` works without, by local rules, where a seat sees
    the whole state; elsewhere it needs this."""

    threads: ClassVar[int] = 1
    memory_mib: ClassVar[int] = 0
    gpus: ClassVar[int] = 0
    description: ClassVar[str] = ""

    def load(self) -> None:
        """Called once before the first turn; may take its time (the arena is told)."""

    def choose(self, turn: Turn) -> Choice | Awaitable[Choice]:
        """The move for one turn. An exception loses this game and no other."""
        raise NotImplementedError(f"{type(self).__name__} has neither choose nor choose_batch")

    def choose_batch(self, turns: Sequence[Turn]) -> Sequence[Choice] | Awaitable[Sequence[Choice]]:
        """Moves for many turns, in their order. Override for bots that think in batches."""
        raise NotImplementedError

    def game_over(self, over: bot_pb2.GameOver) -> None:
        """Called when a game ends, however it ends."""


def batches(bot: Bot) -> bool:
    """Whether the bot chooses for many turns at once."""
    return type(bot).choose_batch is not Bot.choose_batch
