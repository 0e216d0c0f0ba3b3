"""What a check says of a bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """How a check went."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """It does not apply to this bot, or what it builds on has failed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of one bot, over one rulebook or over all of them."""

    check: str
    """Its name: "batch", "moves" …"""

    game: str
    """The rulebook or family it is about; empty where it is about all."""

    outcome: Outcome
    seconds: float
    detail: str
    """What was seen, or what was wrong and what would have been right."""

    exchange: tuple[str, ...] = ()
    """Of a failure: the messages concerned as lines of JSON, "->" to the bot, "<-" from it."""

    @property
    def name(self) -> str:
        """The check and what it is about: "moves gomoku/doc001"."""
        return f"{self.check} {self.game}".rstrip()


class CheckFailed(Exception):
    """A check that a bot does not pass."""

    def __init__(self, message: str, games: Sequence[str] = (), silent: bool = False) -> None:
        """`games` are ids of the games whose messages tell the story; none: all messages do.

        `silent`: nothing came at all, so that further checks would only wait again.
        """
        super().__init__(message)
        self.message = message
        self.games = tuple(games)
        self.silent = silent


class CheckSkipped(Exception):
    """A check that does not apply to this bot; the text says why."""
