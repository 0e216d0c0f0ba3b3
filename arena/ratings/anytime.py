"""Confidence sequences: intervals that hold at every block at once, so that one may stop.

An ordinary 95 % interval looked at after every block, and stopped when it says what one
likes, is wrong far more often than one time in twenty. These intervals bound the mean of
block values in [0, 1] at all times together, whatever their distribution, by a bet against
every candidate mean that is fair if the candidate is true (I. Waudby-Smith and A. Ramdas,
"Estimating means of bounded random variables by betting", JRSS B 86, 2024: the hedged
capital process; J. Ville 1939).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from arena.ratings.blocks import CONFIDENCE, Interval

Floats = NDArray[np.float64]

_GRID = 1000
"""Candidate means are a thousandth apart: intervals are that much wider than need be."""

_CANDIDATES = np.arange(1, _GRID) / _GRID

_STAKE = 0.5
"""Largest share of the capital that one block may cost."""

_AT_ONCE = 512


class ConfidenceSequence:
    """Bounds of the mean that grow block by block; `confidence_sequence` at any pace."""

    def __init__(self, confidence: float = CONFIDENCE) -> None:
        """Before any block the mean may be anything in [0, 1]."""
        self._alpha = 1 - confidence
        self._blocks = 0
        # One virtual block at 1/2 with variance 1/4 starts the running moments.
        self._sum, self._squares = 0.5, 0.25
        self._wealth = np.zeros((2, _GRID - 1))
        self._bounds = np.array([0.0, 1.0])

    @property
    def half_width(self) -> float:
        """Half of the last interval's width."""
        return float(self._bounds[1] - self._bounds[0]) / 2

    def extend(self, values: Floats) -> Floats:
        """(n, 2) bounds after each of n further block values in [0, 1].

        Raises ValueError for values outside [0, 1].
        """
        if len(values) and not (values.min() >= 0 and values.max() <= 1):
            raise ValueError("block values must lie in [0, 1]")
        wagers = self._wagers(values)
        found = np.empty((len(values), 2))
        for start in range(0, len(values), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            found[part, 0] = self._ruled_out(0, values[part], wagers[part])
            found[part, 1] = 1 - self._ruled_out(1, 1 - values[part], wagers[part])
        found[:, 0] = np.maximum.accumulate(np.maximum(found[:, 0], self._bounds[0]))
        found[:, 1] = np.minimum.accumulate(np.minimum(found[:, 1], self._bounds[1]))
        if len(found):
            self._bounds = found[-1]
        return found

    def _wagers(self, values: Floats) -> Floats:
        """What to bet on each block, from the blocks before it alone."""
        t = self._blocks + np.arange(1, len(values) + 1)
        mean = (self._sum + np.cumsum(values)) / (t + 1)
        squares = self._squares + np.cumsum((values - mean) ** 2)
        known = np.concatenate([[self._squares], squares[:-1]])[: len(values)] / t
        if len(values):
            self._blocks += len(values)
            self._sum += float(values.sum())
            self._squares = float(squares[-1])
        wagers: Floats = np.sqrt(2 * math.log(2 / self._alpha) / (known * t * np.log1p(t)))
        return wagers

    def _ruled_out(self, side: int, values: Floats, wagers: Floats) -> Floats:
        """After each block the largest candidate mean that betting on more has ruled out.

        Wealth falls as the candidate rises, so that all smaller candidates are ruled out too.
        """
        stake = np.minimum(wagers[:, None], _STAKE / _CANDIDATES)
        path = self._wealth[side] + np.cumsum(
            np.log1p(stake * (values[:, None] - _CANDIDATES)), axis=0
        )
        self._wealth[side] = path[-1]
        found: Floats = (path >= math.log(2 / self._alpha)).sum(axis=1) / _GRID
        return found


def confidence_sequence(values: Floats, confidence: float = CONFIDENCE) -> Floats:
    """(n, 2) lower and upper bounds of the mean after each of n block values in [0, 1].

    All n intervals hold the mean with the given chance together; each lies within those
    before it. Raises ValueError for values outside [0, 1].
    """
    return ConfidenceSequence(confidence).extend(values)


def anytime_interval(values: Floats, confidence: float = CONFIDENCE) -> Interval:
    """The mean and the last interval of `confidence_sequence`: the whole range without any."""
    if not len(values):
        return Interval(math.nan, 0.0, 1.0)
    low, high = confidence_sequence(values, confidence)[-1]
    return Interval(float(values.mean()), float(low), float(high))


def narrow_after(values: Floats, half_width: float, confidence: float = CONFIDENCE) -> int | None:
    """How many blocks of a schedule bring the interval to a half-width; None: not yet.

    A rule to stop by: the interval at that block is valid in spite of it.
    """
    bounds = confidence_sequence(values, confidence)
    narrow = np.flatnonzero(bounds[:, 1] - bounds[:, 0] <= 2 * half_width)
    return int(narrow[0]) + 1 if len(narrow) else None
