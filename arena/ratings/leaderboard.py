"""The leaderboard of one family."""

from __future__ import annotations

from dataclasses import dataclass

from arena.ledger.table import GameTable
from arena.ratings.blocks import Interval


@dataclass(frozen=True, slots=True)
class Meeting:
    """What one engine did against one other (or against itself)."""

    opponent: str
    games: int
    score: float
    """Share of points won."""

    expected: float
    """The share that the fitted model expects: a large difference is a residual to explain."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a leaderboard."""

    rank: int
    engine: str
    elo: float
    low: float
    high: float
    """95 % interval by block of the rating against the anchor; infinite for an engine that
    met no other."""

    games: int
    blocks: int
    score: float
    """Share of points over its games against others."""

    draws: float
    """Share of drawn games, likewise."""

    opponents: tuple[Meeting, ...]


@dataclass(frozen=True, slots=True)
class FirstSeat:
    """What moving first is worth under one rulebook, strength fitted away."""

    rulebook: str
    advantage: Interval
    """Elo of seat 0 over the mean of the others."""

    draw: float
    """Davidson's draw parameter: equals draw nu / (2 + nu) of their games."""

    games: int
    blocks: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Ratings of one family with what was fitted together with them."""

    family: str
    entries: tuple[Entry, ...]
    first_seat: tuple[FirstSeat, ...]
    groups: tuple[tuple[str, ...], ...]
    """Engines that met, directly or through others. Ratings compare only within a group."""

    anchor: str
    """What zero means."""

    games: int
    blocks: int
    notes: tuple[str, ...]
    covariance: tuple[tuple[float, ...], ...]
    """Of the ratings (Elo squared), in the order of `entries`, clustered by block."""

    def difference(self, a: str, b: str) -> Interval:
        """Elo of engine `a` over engine `b` with its 95 % interval."""
        raise NotImplementedError

    def superiority(self, a: str, b: str) -> float:
        """Likelihood of superiority (LOS): probability, by the normal law, that a > b."""
        raise NotImplementedError


def leaderboard(table: GameTable, family: str, *, anchor: str | None = None) -> Leaderboard:
    """Rate the engines of one family. `anchor` is the engine at 0; else the mean is 0."""
    raise NotImplementedError
