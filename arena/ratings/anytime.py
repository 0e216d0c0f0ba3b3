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

_STAKE = 0.5
"""Largest share of the capital that one block may cost."""

_AT_ONCE = 512


def confidence_sequence(values: Floats, confidence: float = CONFIDENCE) -> Floats:
    """(n, 2) lower and upper bounds of the mean after each of n block values in [0, 1].

    All n intervals hold the mean with the given chance together; each lies within those
    before it. Raises ValueError for values outside [0, 1].
    """
    if len(values) and not (values.min() >= 0 and values.max() <= 1):
        raise ValueError("block values must lie in [0, 1]")
    wager = _wagers(values, 1 - confidence)
    low = _lower(values, wager, 1 - confidence)
    high = 1 - _lower(1 - values, wager, 1 - confidence)
    bounds = np.stack([np.maximum.accumulate(low), np.minimum.accumulate(high)], axis=1)
    return bounds


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


def _wagers(values: Floats, alpha: float) -> Floats:
    """What to bet on each block, from the blocks before it alone."""
    n = len(values)
    t = np.arange(1, n + 1)
    # One virtual block at 1/2 with variance 1/4 starts the running moments.
    mean = (0.5 + np.cumsum(values)) / (t + 1)
    variance = (0.25 + np.cumsum((values - mean) ** 2)) / (t + 1)
    known = np.concatenate([[0.25], variance[:-1]])[:n]
    wagers: Floats = np.sqrt(2 * math.log(2 / alpha) / (known * t * np.log1p(t)))
    return wagers


def _lower(values: Floats, wagers: Floats, alpha: float) -> Floats:
    """After each block the largest candidate mean that betting on more has ruled out.

    Wealth falls as the candidate rises, so that all smaller candidates are ruled out too.
    """
    grid = np.arange(1, _GRID) / _GRID
    limit = math.log(2 / alpha)
    wealth = np.zeros(len(grid))
    found = np.zeros(len(values))
    for start in range(0, len(values), _AT_ONCE):
        x = values[start : start + _AT_ONCE, None]
        stake = np.minimum(wagers[start : start + _AT_ONCE, None], _STAKE / grid)
        path = wealth + np.cumsum(np.log1p(stake * (x - grid)), axis=0)
        found[start : start + len(x)] = (path >= limit).sum(axis=1) / _GRID
        wealth = path[-1]
    return found
