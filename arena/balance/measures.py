"""A family's own numbers (`Outcome.measures`), and what replaying a deal gains.

The block is the datum here too. A measure that a game lacks (no trump was called) is missing
from its block's mean; a block without any is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.games import Measure
from arena.ledger.table import CellGames
from arena.ratings.blocks import Interval, Z, ratio_interval

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Of the games of a cell: how a measure is spread."""


@dataclass(frozen=True, slots=True)
class MeasureBalance:
    """One measure of one cell."""

    name: str
    mean: Interval
    deviation: float
    """Standard deviation of single games."""

    quantiles: tuple[float, ...]
    """At `QUANTILES`, of single games."""

    games: int
    """Games that have it."""


@dataclass(frozen=True, slots=True)
class PairingGain:
    """What replaying each deal with the sides exchanged gains, for one engine's score."""

    engine: str
    paired: float
    """Variance of a block's mean score."""

    unpaired: float
    """The same if each of the block's games had a deal of its own."""

    gain: Interval
    """`unpaired` / `paired`: so many times the blocks would be needed; jackknife by block."""


def measures_of(games: CellGames, known: Mapping[str, Measure]) -> tuple[MeasureBalance, ...]:
    """Every measure of a cell: those that the family names first, in its order."""
    order = [*known, *(name for name in games.measures if name not in known)]
    return tuple(
        _measure(name, games.measures[name], name in known and known[name].share)
        for name in order
        if name in games.measures
    )


def _measure(name: str, values: NDArray[np.float64], share: bool) -> MeasureBalance:
    there = ~np.isnan(values)
    single = values[there]
    # A block of a kind not yet seen is taken to lie within what single games reached.
    reach = float(np.abs(single).max()) or 1.0
    low = 0.0 if share or float(single.min()) >= 0 else -reach
    mean = ratio_interval(
        np.where(there, values, 0.0).sum(axis=1),
        there.sum(axis=1).astype(np.float64),
        low,
        1.0 if share else reach,
    )
    return MeasureBalance(
        name=name,
        mean=mean,
        deviation=float(single.std(ddof=1)) if len(single) > 1 else 0.0,
        quantiles=tuple(float(q) for q in np.quantile(single, QUANTILES)),
        games=len(single),
    )


def pairing_gain(games: CellGames) -> PairingGain | None:
    """The gain for the line-up's first engine.

    None in self-play, with too few blocks, and where every block went alike: nothing to compare.
    """
    seatings = games.cell.seatings
    engine = games.cell.lineup[0]
    blocks, m, _ = games.scores.shape
    if m < 2 or blocks < 3 or len(set(games.cell.lineup)) < 2:
        return None
    chairs = np.array([[who == engine for who in seating] for seating in seatings])
    own = np.where(chairs, games.scores, 0.0).sum(axis=2) / chairs.sum(axis=1)
    paired, unpaired = _variance(own.mean(axis=1)), _variance(own).sum() / m**2
    if unpaired <= 1e-15:
        return None
    value = float(unpaired[()] / paired[()]) if paired > 1e-15 else math.inf
    return PairingGain(
        engine, float(paired[()]), float(unpaired), Interval(value, *_bounds(own, value))
    )


def _variance(values: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.asarray(values.var(axis=0, ddof=1))
    return found


def _bounds(own: NDArray[np.float64], value: float) -> tuple[float, float]:
    """Of the ratio, on the scale of its logarithm; the whole range where nothing bounds it."""
    n, m = own.shape

    def without_one(values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Variances of all but each block in turn."""
        away = values - values.mean(axis=0)
        total = (away**2).sum(axis=0)
        left: NDArray[np.float64] = (total - away**2 * n / (n - 1)) / (n - 2)
        return left

    paired = without_one(own.mean(axis=1))
    unpaired = without_one(own).sum(axis=1) / m**2
    if not math.isfinite(value) or value <= 0 or paired.min() <= 1e-15 or unpaired.min() <= 0:
        return 0.0, math.inf
    logs = np.log(unpaired / paired)
    error = math.sqrt((n - 1) / n * float(((logs - logs.mean()) ** 2).sum()))
    return value * math.exp(-Z * error), value * math.exp(Z * error)
