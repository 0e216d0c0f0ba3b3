"""Stopping a sequential test: decisions on the schedule's prefix, and what they leave to say.

Short games finish first. A decision on what has *arrived* would listen to them first, so
decisions here are a pure function of the planned order: the blocks up to the first that
is missing, in whole batches. What the score is after a stop is biased by the stop; only the
median-unbiased estimate is given, with its interval (`arena.ratings.estimate`).

Sources: fishtest, `sprt.py` (overshoot of record lows and highs); A. Wald, Sequential
Analysis (1947).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from arena.ledger.rows import CellRow, VoidBlock
from arena.ledger.table import CellGames, GameTable
from arena.ratings.blocks import NORMALISED, Interval, share_of
from arena.ratings.eprocess import evidence, signed
from arena.ratings.estimate import Stopped, after_stop
from arena.ratings.sequential import Hypotheses, Method, Scale, decided_llrs

Floats = NDArray[np.float64]


class Decision(StrEnum):
    """Where a test stands."""

    ACCEPT_H0 = "H0"
    ACCEPT_H1 = "H1"
    GO_ON = "go on"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a sequential test says of a prefix of the schedule."""

    decision: Decision
    blocks: int
    """Setups that the decision rests on; later ones are not looked at."""

    llr: float
    """The log-likelihood ratio as the test takes it, see `decided_llrs`; of an e-process the
    logarithm of the larger capital, negative if it was bet against H1."""

    lower: float
    """Bounds: of a GSPRT after correction for the overshoot seen, of an e-process ln(beta) and
    -ln(alpha)."""

    upper: float
    estimate: Interval | None
    """On the scale of the hypotheses, median-unbiased, 95 %; only after a stop."""


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """The setups of an engine, or of a pair, in planned order up to the first missing.

    All games of one deal or opening, of every line-up that meets it, are one datum.
    """

    scores: Floats
    """(blocks,) the engine's share of each, see `beaten`; even is 1/2."""

    games: int
    """Games of a setup."""

    steps: int
    """A setup's score is a multiple of 1 / steps."""

    waiting: bool
    """Whether a planned block is missing that would come next."""


def chairs_of(seatings: Collection[Sequence[str]], engine: str) -> NDArray[np.bool_]:
    """(permutations, seats) where an engine sits."""
    return np.array([[who == engine for who in seating] for seating in seatings], dtype=bool)


def steps_of(chairs: NDArray[np.bool_]) -> int:
    """The most that `beaten` can be of a block."""
    return 2 * int((chairs.sum(axis=1) * (~chairs).sum(axis=1)).sum())


def beaten(scores: Floats, chairs: NDArray[np.bool_]) -> int:
    """Of a block, twice the chairs of others that the engine's chairs beat, one for a tie.

    `scores` are (permutations, seats). Partners tie: so equals get half of all whatever the
    sides, also where one plays two and the game's own scores do not come out even.
    """
    order = np.rint(1e6 * (scores[:, :, None] - scores[:, None, :]))
    against = chairs[:, :, None] & ~chairs[:, None, :]
    return int(((1 + np.sign(order)) * against).sum())


def schedule(
    table: GameTable, engine: str, against: str | None = None, void: Collection[VoidBlock] = ()
) -> Schedule:
    """The setups in which `engine` meets others (only `against`, if given).

    Block 0 of all cells of the same rules, which meet the same deals, then of the next rules in
    plan order, then block 1: nothing comes later because its games are long. Where a block is
    void its setup is passed over; one that is not there yet ends the prefix. Raises ValueError
    where there are none, or where setups of different shapes would mix.
    """
    wanted = {engine, against} if against else None
    groups: dict[str, list[CellRow]] = {}
    for cell in table.cells:
        if set(cell.lineup) == wanted if wanted else {engine} < set(cell.lineup):
            groups.setdefault(cell.rules_digest, []).append(cell)
    versus = f" against '{against}'" if against else ""
    if not groups:
        raise ValueError(f"no cell in which '{engine}' plays{versus}")
    shapes = {
        (
            sum(len(cell.seatings) for cell in cells),
            sum(steps_of(chairs_of(cell.seatings, engine)) for cell in cells),
        )
        for cells in groups.values()
    }
    if len(shapes) > 1:
        raise ValueError(f"'{engine}'{versus} plays setups of different shapes; choose one game")
    ((games, steps),) = shapes
    there = {part.cell.cell_id: _by_block(part, engine) for part in table.by_cell()}
    gone = {(each.cell_id, each.block) for each in void}
    scores: list[float] = []
    planned = {rules: min(c.planned_blocks for c in cells) for rules, cells in groups.items()}
    for block in range(max(planned.values())):
        for rules, cells in groups.items():
            if block >= planned[rules] or any((c.cell_id, block) in gone for c in cells):
                continue
            found = [there.get(cell.cell_id, {}).get(block) for cell in cells]
            known = [each for each in found if each is not None]
            if len(known) < len(found):
                return Schedule(np.array(scores, dtype=np.float64), games, steps, waiting=True)
            scores.append(sum(known) / steps)
    return Schedule(np.array(scores, dtype=np.float64), games, steps, waiting=False)


def _by_block(games: CellGames, engine: str) -> dict[int, int]:
    chairs = chairs_of(games.cell.seatings, engine)
    return {
        block: beaten(scores, chairs)
        for block, scores in zip(games.block.tolist(), games.scores, strict=True)
    }


def decide(
    plan: Schedule, test: Hypotheses, batch: int = 1, method: Method = Method.GSPRT
) -> Verdict:
    """Walk the schedule in whole batches and stop where the test does.

    Raises ValueError for BayesElo hypotheses (a model of single games), for an e-process on
    another scale than the logistic, and for scores that are off the ladder of the schedule.
    """
    return SequentialTest(test, plan.games, plan.steps, batch, method).look(plan.scores)


class SequentialTest:
    """A test that goes on as its schedule grows, and has no block to look at twice."""

    def __init__(
        self,
        test: Hypotheses,
        games: int,
        steps: int,
        batch: int = 1,
        method: Method = Method.GSPRT,
    ) -> None:
        """Blocks of so many games have scores that are multiples of 1 / `steps`. As `decide`."""
        if test.scale is Scale.BAYES:
            raise ValueError("blocks are decided on the logistic or the normalised scale")
        if batch < 1:
            raise ValueError(f"batch {batch}: at least 1 block")
        self._test, self._games, self._steps = test, games, steps
        self._batch, self._method = batch, method
        self._walk = Overshoot(test) if method is Method.GSPRT else _Ville(test)
        self._seen = 0
        self._counts = np.zeros(steps + 1)
        self._capitals = np.zeros(2)
        self._end: Verdict | None = None

    def look(self, scores: Floats) -> Verdict:
        """What the test says of the whole schedule so far, which only grows. Raises ValueError."""
        while self._end is None and len(scores) - self._seen >= self._batch:
            held = min(_AT_ONCE, _HELD // (self._steps + 1))
            most = max(1, held // self._batch) * self._batch
            new = scores[self._seen : self._seen + most]
            self._go_on(new[: len(new) // self._batch * self._batch])
        if self._end is not None:
            return self._end
        walk = self._walk
        return Verdict(Decision.GO_ON, self._seen, walk.last, walk.lower, walk.upper, None)

    def _go_on(self, scores: Floats) -> None:
        rungs = np.rint(scores * self._steps)
        if np.abs(rungs - scores * self._steps).max() > 1e-6:
            raise ValueError(f"block scores are no multiples of 1/{self._steps}")
        at, batches = rungs.astype(np.int64), len(rungs) // self._batch
        more = np.zeros((batches, self._steps + 1))
        np.add.at(more, (np.repeat(np.arange(batches), self._batch), at), 1)
        counts = self._counts + np.cumsum(more, axis=0)
        if self._method is Method.GSPRT:
            path = decided_llrs(counts, self._games, self._test)
        else:
            capitals = self._capitals + evidence(at, self._steps + 1, self._test, self._counts)
            path = signed(capitals)[self._batch - 1 :: self._batch]
            self._capitals = capitals[-1]
        for i, value in enumerate(path.tolist()):
            decision = self._walk.step(value)
            if decision is not Decision.GO_ON:
                self._stop(decision, counts[i], self._seen + (i + 1) * self._batch, value)
                return
        self._counts = counts[-1]
        self._seen += len(scores)

    def _stop(self, decision: Decision, counts: Floats, blocks: int, value: float) -> None:
        bounds = self._walk.lower, self._walk.upper
        accepted = decision is Decision.ACCEPT_H1
        capital = abs(value)
        estimate = after_stop(
            Stopped(
                self._test,
                counts,
                self._games,
                self._batch,
                *bounds,
                accepted,
                self._method,
                capital,
            )
        )
        self._end = Verdict(decision, blocks, value, *bounds, estimate)


_AT_ONCE = 2048
_HELD = 2_000_000
"""Blocks, and numbers of their counts, that are worked out ahead of a decision."""


class Overshoot:
    """The bounds of one test as it walks, moved in by how far it tends to jump past them.

    The mean square of the jumps to record lows (highs) over twice their mean is what a
    walk is expected to overshoot its lower (upper) bound by.
    """

    def __init__(self, test: Hypotheses) -> None:
        """At the start of a walk, with the bounds of `test`."""
        self._test = test
        self._lows = [0.0, 0.0, 0.0]
        self._highs = [0.0, 0.0, 0.0]
        self.last = 0.0

    def step(self, ratio: float) -> Decision:
        """Take the next log-likelihood ratio, one a batch.

        The jump that passes a bound has no say in where that bound is: large jumps are the
        ones that pass, and each would lower its own bar.
        """
        self.last = ratio
        if ratio >= self.upper:
            return Decision.ACCEPT_H1
        if ratio <= self.lower:
            return Decision.ACCEPT_H0
        if ratio < self._lows[0]:
            self._extend(self._lows, ratio)
        if ratio > self._highs[0]:
            self._extend(self._highs, ratio)
        return Decision.GO_ON

    @staticmethod
    def _extend(record: list[float], ratio: float) -> None:
        jump = ratio - record[0]
        record[:] = ratio, record[1] + jump, record[2] + jump * jump

    @property
    def lower(self) -> float:
        """Corrected lower bound."""
        _, jumps, squares = self._lows
        return self._test.lower - (squares / jumps / 2 if jumps else 0.0)

    @property
    def upper(self) -> float:
        """Corrected upper bound."""
        _, jumps, squares = self._highs
        return self._test.upper - (squares / jumps / 2 if jumps else 0.0)


class _Ville:
    """Bounds that capital reaches with chances alpha and beta at most, however it gets there."""

    def __init__(self, test: Hypotheses) -> None:
        self.lower, self.upper = math.log(test.beta), -math.log(test.alpha)
        self.last = 0.0

    def step(self, capital: float) -> Decision:
        self.last = capital
        if capital >= self.upper:
            return Decision.ACCEPT_H1
        return Decision.ACCEPT_H0 if capital <= self.lower else Decision.GO_ON


@dataclass(frozen=True, slots=True)
class _Walk:
    """The test as Brownian motion: unit variance a block, drift from what is true."""

    down: float
    up: float
    middle: float
    """What has drift 0, in standard deviations of a block over an even score."""

    @classmethod
    def of(cls, test: Hypotheses, games: int, sd: float) -> _Walk:
        if test.scale is Scale.NORMALISED:
            t0, t1 = (e * math.sqrt(games) / NORMALISED for e in (test.elo0, test.elo1))
        else:
            t0, t1 = ((share_of(e) - 0.5) / sd for e in (test.elo0, test.elo1))
        return cls(-test.lower / (t1 - t0), test.upper / (t1 - t0), (t0 + t1) / 2)

    def drift(self, test: Hypotheses, games: int, sd: float, elo: float) -> float:
        if test.scale is Scale.NORMALISED:
            return elo * math.sqrt(games) / NORMALISED - self.middle
        return (share_of(elo) - 0.5) / sd - self.middle


@dataclass(frozen=True, slots=True)
class Operation:
    """What a test does when a difference is true, by Wald's theory without overshoot."""

    accept_h1: float
    blocks: float
    """Mean number until it stops."""


def operation(test: Hypotheses, elo: float, games: int, sd: float) -> Operation:
    """Chance of accepting H1 and the mean length of a test at a true difference.

    `elo` is on the scale of the hypotheses, `sd` the standard deviation of a block's score
    (not used on the normalised scale).
    """
    walk = _Walk.of(test, games, sd)
    drift = walk.drift(test, games, sd, elo)
    a, b = walk.down, walk.up
    if abs(drift) * (a + b) < 1e-9:
        return Operation(a / (a + b), a * b)
    # Written for negative exponents only.
    if drift > 0:
        accept = -math.expm1(-2 * drift * a) / -math.expm1(-2 * drift * (a + b))
    else:
        accept = (
            math.exp(2 * drift * b) * -math.expm1(2 * drift * a) / -math.expm1(2 * drift * (a + b))
        )
    return Operation(accept, (accept * b - (1 - accept) * a) / drift)
