"""Plays planned games: whole blocks inside the core, or many at once through the referee."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self

from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed


class MatchRunner:
    """Plays games for one worker. Engines stay up between calls of `play`; close it after use.

    >>> with MatchRunner(MatchPolicy()) as runner:
    ...     results = list(runner.play([]))
    >>> results
    []
    """

    def __init__(self, policy: MatchPolicy, max_parallel_games: int = 64) -> None:
        """`max_parallel_games` bounds the games that go on at once outside the core."""
        if max_parallel_games < 1:
            raise ValueError(f"max_parallel_games: {max_parallel_games} is not at least 1")
        self.policy = policy
        self.max_parallel_games = max_parallel_games

    def play(self, requests: Iterable[GameRequest]) -> Iterator[GameResult | NotPlayed]:
        """Each request's result as it ends, in any order; exactly one for each request.

        A game whose engine cannot be reached or does not play it comes back as a
        `NotPlayed`. Faults in play are results, with their cause and culprit.
        """
        if list(requests):
            raise NotImplementedError("the referee has not landed yet")
        return iter(())

    def close(self) -> None:
        """Ends connections and started programs."""

    def __enter__(self) -> Self:
        """The runner itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Closes."""
        self.close()
