"""Which parameter stands where, and which of them a comparison adds and takes off.

The one place that says what a fit of strengths is about: engines, what a seat is worth (to everybody
under a rulebook, at each strength, or both), and how often a rulebook is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.ledger.rows import CellRow
from arena.ratings.counts import CellCounts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class FirstSeatTerms(StrEnum):
    """Of what the worth of a seat depends on.

    A strength is what the tables of balance call one: an engine that plays itself, or engines
    that meet.
    """

    POOLED = "pooled"
    """On the rulebook alone."""

    STRENGTH = "strength"
    """On the rulebook and the strength, each by itself."""

    BOTH = "both"
    """A strength differs from its rulebook by a step whose usual size the strengths tell."""


class Term(NamedTuple):
    """One worth of the seats."""

    rulebook: str
    level: str
    """Empty where it is that of the rulebook at every strength."""


class Ties(NamedTuple):
    """Pairs of parameters that beforehand differ by a normal step of mean 0."""

    one: Ints
    other: Ints
    tight: Floats
    """One over the variance of the step."""


MOST_TERMS = 2_000
"""Terms by strength of one fit: each is told from every other."""

_Key = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Layout:
    """Strengths, then the seats of each term, then a draw parameter of each rulebook."""

    kind: FirstSeatTerms
    engines: tuple[str, ...]
    rulebooks: tuple[str, ...]
    terms: tuple[Term, ...]
    seat_at: tuple[int, ...]
    """Where the seats of each term begin."""

    draw_at: int
    of_cell: Mapping[_Key, int]
    """The term that the games of a rulebook and a line-up are about."""

    @classmethod
    def of(cls, cells: Sequence[CellCounts], kind: FirstSeatTerms) -> Layout:
        """The layout of some cells. Raises ValueError for more strengths than can be told apart."""
        engines = tuple(sorted({e for cell in cells for pair in cell.engines for e in pair}))
        seats = {cell.games.cell.rulebook: cell.games.cell.seats for cell in cells}
        levels: dict[str, dict[_Key, str]] = {rulebook: {} for rulebook in sorted(seats)}
        for row in (cell.games.cell for cell in cells):
            levels[row.rulebook].setdefault(_key(row), row.level)
        terms: list[Term] = []
        of_cell: dict[_Key, int] = {}
        for rulebook, own in levels.items():
            if kind is not FirstSeatTerms.STRENGTH:
                terms.append(Term(rulebook, ""))
            for key, level in own.items():
                if kind is not FirstSeatTerms.POOLED:
                    terms.append(Term(rulebook, level))
                of_cell[key] = len(terms) - 1
        if kind is not FirstSeatTerms.POOLED and len(terms) > MOST_TERMS:
            raise ValueError(
                f"{len(terms):,} rulebooks by strengths, each with a first seat of its own: at most "
                f"{MOST_TERMS:,}; choose fewer rulebooks, or one number for each of them"
            )
        ends = np.cumsum([len(engines), *(seats[term.rulebook] for term in terms)]).tolist()
        return cls(kind, engines, tuple(levels), tuple(terms), tuple(ends[:-1]), ends[-1], of_cell)

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return self.draw_at + len(self.rulebooks)

    def seats(self, term: int) -> slice:
        """Where the seats of a term stand."""
        return slice(self.seat_at[term], [*self.seat_at, self.draw_at][term + 1])

    def term_of(self, cell: CellRow) -> int:
        """The term that a cell's games are about."""
        return self.of_cell[_key(cell)]

    def levels(self, rulebook: str) -> list[int]:
        """The terms of the strengths that a rulebook was met at."""
        return [i for i, term in enumerate(self.terms) if term.rulebook == rulebook and term.level]

    def designs(self, cells: Sequence[CellCounts]) -> list[tuple[Ints, int]]:
        """For each cell (K, 4) indices of what is added (engine, seat) and taken off, and of `t`."""
        engine = {name: i for i, name in enumerate(self.engines)}
        rulebook = {name: i for i, name in enumerate(self.rulebooks)}
        found = []
        for cell in cells:
            seat = self.seat_at[self.term_of(cell.games.cell)]
            rows = [
                (engine[ea], seat + a, engine[eb], seat + b)
                for (ea, eb), (a, b) in zip(cell.engines, cell.pairs, strict=True)
            ]
            draw = self.draw_at + rulebook[cell.games.cell.rulebook]
            found.append((np.array(rows, dtype=np.int64).reshape(-1, 4), draw))
        return found

    def virtual(self) -> Floats:
        """(size,) virtual games of each parameter: a strength that its rulebook ties needs none."""
        found = np.ones(self.size)
        if self.kind is FirstSeatTerms.BOTH:
            for term, (_, level) in enumerate(self.terms):
                found[self.seats(term)] = 0.0 if level else 1.0
        return found

    def ties(self, near: Iterable[tuple[str, str]], variance: float, between: float | None) -> Ties:
        """Engines that are near each other, with the variance of their step, and strengths to
        their rulebook with that of what the first seat is worth between them."""
        pairs = [(self.engines.index(a), self.engines.index(b), 1 / variance) for a, b in near]
        if between is not None:
            for rulebook in self.rulebooks:
                own = self.seats(self.terms.index(Term(rulebook, "")))
                # The first over the mean of the others varies so many times as a seat does.
                times = 1 + 1 / (own.stop - own.start - 1)
                for level in map(self.seats, self.levels(rulebook)):
                    for seat in range(own.stop - own.start):
                        pairs.append((own.start + seat, level.start + seat, times / between))
        one, other, tight = np.array(pairs, dtype=np.float64).reshape(-1, 3).T
        return Ties(one.astype(np.int64), other.astype(np.int64), tight)


def _key(cell: CellRow) -> _Key:
    # Two that meet are one strength, whoever of them an event's file names first.
    lineup = tuple(sorted(cell.lineup)) if cell.seats == 2 else cell.lineup
    return cell.rulebook, lineup
