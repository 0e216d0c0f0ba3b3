"""Entrants, fixtures and their results, as plain values."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who plays in an event: an engine, partners, or a team with a line-up for each board."""

    number: int
    """From 1, in the order of the file."""

    name: str
    boards: tuple[tuple[str, ...], ...]
    """Engine names by board and chair."""

    absent: frozenset[int] = frozenset()
    """Rounds of the event that it does not play."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """Games to play: one line-up in one or several seatings, `blocks` times."""

    id: str
    """Stage, round, match, board and game: "1/2/3/1/g3"."""

    lineup: tuple[str, ...]
    """Engine names by seat in the first seating."""

    owners: tuple[int, ...]
    """For each of the line-up, which of the match's entrants it plays for: 0, 1, …."""

    width: int
    """Entrants of the match."""

    seatings: tuple[tuple[int, ...], ...]
    blocks: int
    first_deal: int
    """Fixtures of equal rules and equal numbers have the same deals."""

    phase: int = 0
    """Which of the series' clocks runs."""

    stage: int = 0
    """Which stage's rules hold."""

    series: int = -1
    """The stage whose series it belongs to; -1 for the event's."""

    @property
    def games(self) -> int:
        """Games of all blocks."""
        return self.blocks * len(self.seatings)


@dataclass(frozen=True, slots=True)
class GameScore:
    """One finished game, by entrant of its match."""

    game_id: str
    scores: tuple[float, ...]
    """Share of the opponents beaten."""

    places: tuple[int, ...]
    small: tuple[float, ...]
    """Levels climbed, where the game has levels; zeros elsewhere."""

    ending: str
    """Termination word."""

    first: int = 0
    """Which entrant had seat 0."""


@dataclass(frozen=True, slots=True)
class FixtureResult:
    """What became of a fixture: its games in order, or who was not there to play them."""

    games: tuple[GameScore, ...] = ()
    missing: frozenset[int] = frozenset()
    """Entrants (0, 1, … of the match) whose engine could not be had."""


THIRD_PLACE = "third_place"
"""Label of the match between the losers of the semi-finals."""

Results = Mapping[str, FixtureResult]
"""By fixture id."""

T = TypeVar("T")
Play = Generator[list[Fixture], Results, T]
"""A part of an event: asks for fixtures, is sent their results, and returns what came of it."""


class By(StrEnum):
    """What decided a match."""

    GAMES = "games"
    LOTS = "lots"
    SUDDEN_DEATH = "sudden_death"
    NUMBER = "number"
    FORFEIT = "forfeit"
    BYE = "bye"


@dataclass(frozen=True, slots=True)
class SeriesResult:
    """One board of a match."""

    scores: tuple[float, ...]
    """Game points (win 1, draw ½), by entrant of the match."""

    small: tuple[float, ...]
    winner: int | None
    """None: drawn."""

    by: By
    games: tuple[GameScore, ...] = ()
    missing: frozenset[int] = frozenset()


@dataclass(slots=True)
class Match:
    """A meeting of entrants; `boards` is filled once it is over."""

    id: str
    round: int
    """Counted through the event, from 1."""

    table: int
    entrants: tuple[int, ...]
    """Entrant numbers; the one in front has the first seat in the first game."""

    label: str = ""
    """Its group, or `THIRD_PLACE`."""

    boards: tuple[SeriesResult, ...] = ()
    bye: bool = False
    """Its only entrant has nobody to play."""

    bracket: tuple[int, ...] = ()
    """The entrants from top to bottom of a bracket, whoever has the first seat."""

    lot: int | None = None
    """The entrant that lots gave a match of teams that stayed level."""

    @property
    def over(self) -> bool:
        """Whether it is decided, or was none."""
        return self.bye or bool(self.boards)

    @property
    def scores(self) -> tuple[float, ...]:
        """Game points of all boards, by entrant."""
        return _sums([board.scores for board in self.boards], len(self.entrants))

    @property
    def small(self) -> tuple[float, ...]:
        """Small points of all boards, by entrant."""
        return _sums([board.small for board in self.boards], len(self.entrants))

    @property
    def won(self) -> tuple[float, ...]:
        """Boards won, a drawn one counting one half, by entrant."""
        return _sums(
            [
                tuple(
                    0.0
                    if board.missing >= {at}
                    else 1.0
                    if board.winner == at
                    else 0.5
                    if board.winner is None
                    else 0.0
                    for at in range(len(self.entrants))
                )
                for board in self.boards
            ],
            len(self.entrants),
        )

    @property
    def winner(self) -> int | None:
        """The entrant's number; None for a drawn match, or one that nobody played."""
        if self.bye:
            return self.entrants[0]
        if self.lot is not None or not self.boards:
            return self.lot
        for values in (self.won, self.scores, self.small):
            best = [
                number
                for number, value in zip(self.entrants, values, strict=True)
                if value == max(values) and number not in self.missing
            ]
            if len(best) == 1:
                return best[0]
            if len(self.boards) == 1:
                break  # a single board says itself who won it
        return None

    @property
    def missing(self) -> frozenset[int]:
        """Numbers of entrants that were not there on every board."""
        if not self.boards:
            return frozenset()
        away = frozenset.intersection(*(board.missing for board in self.boards))
        return frozenset(self.entrants[at] for at in away)

    @property
    def by(self) -> By:
        """What decided it: the least regular of its boards."""
        if self.bye:
            return By.BYE
        if self.lot is not None:
            return By.LOTS
        order = [By.FORFEIT, By.LOTS, By.NUMBER, By.SUDDEN_DEATH, By.GAMES]
        return min((board.by for board in self.boards), key=order.index)


class Lots:
    """Lots that follow from the event's seed and what they are drawn for."""

    def __init__(self, seed: int) -> None:
        """Equal seeds draw equal lots."""
        self._seed = seed

    def order(self, what: str, entrants: Sequence[int]) -> list[int]:
        """Entrants in an order drawn by lot, whatever their order was."""
        return sorted(entrants, key=lambda number: (self._ticket(what, number), number))

    def coin(self, what: str) -> int:
        """0 or 1."""
        return self._ticket(what, 0)[0] & 1

    def _ticket(self, what: str, number: int) -> bytes:
        return hashlib.sha256(f"{self._seed}|{what}|{number}".encode()).digest()


def together(plays: Sequence[Play[T]]) -> Play[list[T]]:
    """Plays side by side: what any of them asks for next is asked for at once."""
    waiting: dict[int, list[Fixture]] = {}
    done: dict[int, T] = {}
    for index, play in enumerate(plays):
        try:
            waiting[index] = next(play)
        except StopIteration as end:
            done[index] = end.value
    while waiting:
        results = yield [fixture for asked in waiting.values() for fixture in asked]
        for index in list(waiting):
            try:
                waiting[index] = plays[index].send(results)
            except StopIteration as end:
                del waiting[index]
                done[index] = end.value
    return [done[index] for index in range(len(plays))]


def _sums(rows: Sequence[tuple[float, ...]], width: int) -> tuple[float, ...]:
    return tuple(float(sum(row[at] for row in rows)) for at in range(width))
