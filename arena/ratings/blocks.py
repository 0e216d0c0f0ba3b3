"""Block statistics: means and intervals where the block, not the game, is the datum.

Games of a block share a deal or an opening and are not independent of each other; blocks
are. Formulas: fishtest and fastchess for pairs (score, normalised Elo, LOS); Student's t
over block means; the exact bound of an unseen kind of block, which for blocks of 0 and 1
is the Clopper-Pearson interval at 0 of n.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
Z = 1.959963984540054
"""Normal quantile of `CONFIDENCE`, two-sided."""

ELO = 400 / math.log(10)
"""Elo points of one natural log unit of odds."""

NORMALISED = 800 / math.log(10)
"""Normalised Elo of one standard deviation: 347.4356."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A number and its 95 % interval. Bounds are infinite where nothing bounds them."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairStats:
    """What blocks of equal size between two sides say of their difference."""

    blocks: int
    share: Interval
    elo: Interval
    normalised: Interval
    """Normalised Elo: the difference in standard deviations of a game, times 347.4356."""

    superiority: float
    """LOS, the probability by the normal law that the first side is the stronger."""


def elo_of(share: float) -> float:
    """Elo difference that scores `share`; infinite at 0 and 1."""
    if share <= 0:
        return -math.inf
    if share >= 1:
        return math.inf
    return -400 * math.log10(1 / share - 1) + 0.0  # no minus zero


def share_of(elo: float) -> float:
    """Expected score at an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def normal_cdf(x: float) -> float:
    """Φ(x)."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def t_quantile(freedom: int) -> float:
    """Two-sided quantile of Student's t at `CONFIDENCE`; infinite without freedom."""
    if freedom < 1:
        return math.inf
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def pair_stats(counts: Sequence[int]) -> PairStats:
    """Statistics of blocks by score, from all lost to all won in equal steps.

    (losses, draws, wins) for single games; (LL, LD, WL+DD, WD, WW) for pairs; 2k + 1
    counts for blocks of k games. Normal intervals, as match runners print them; for few
    blocks `share_interval` is the one to trust. Raises ValueError for other shapes.
    """
    n = sum(counts)
    if len(counts) < 3 or len(counts) % 2 == 0 or min(counts) < 0 or n == 0:
        raise ValueError(f"counts {list(counts)}: expected 2k + 1 of them, not negative, not all 0")
    steps = len(counts) - 1
    mean = sum(k * c for k, c in enumerate(counts)) / (steps * n)
    sd = math.sqrt(_variance(counts))
    half = Z * sd / math.sqrt(n)
    share = Interval(mean, max(0.0, mean - half), min(1.0, mean + half))
    # Of a block of k games, one standard deviation of a game is sqrt(k) of the block's mean.
    per_game = NORMALISED / math.sqrt(steps / 2)
    if sd > 0:
        t = (mean - 0.5) / sd
        superiority = normal_cdf(t * math.sqrt(n))
    else:
        t = math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0
        superiority = 0.5 + 0.5 * math.copysign(mean != 0.5, mean - 0.5)
    wide = Z * per_game / math.sqrt(n)
    return PairStats(
        blocks=n,
        share=share,
        elo=Interval(elo_of(mean), elo_of(share.low), elo_of(share.high)),
        normalised=Interval(t * per_game, t * per_game - wide, t * per_game + wide),
        superiority=superiority,
    )


def opening_bias(games: Sequence[int], pairs: Sequence[int]) -> float:
    """Root mean square of what openings (or deals) give to a side of them, in Elo.

    From (losses, draws, wins) and (LL, LD, WL+DD, WD, WW) of the same games: sides change
    within a pair, so that its two games vary by twice that square less than two that are alone.
    0 where pairs vary more. Raises ValueError for other shapes.
    """
    if len(games) != 3 or len(pairs) != 5 or 0 in (sum(games), sum(pairs)):
        raise ValueError(
            f"games {list(games)} and pairs {list(pairs)}: expected 3 and 5 counts, not all 0"
        )
    square = _variance(games) - 2 * _variance(pairs)
    return elo_of(0.5 + math.sqrt(max(0.0, square)))


def _variance(counts: Sequence[int]) -> float:
    """Of the scores that are counted, from all lost to all won."""
    n, steps = sum(counts), len(counts) - 1
    mean = sum(k * c for k, c in enumerate(counts)) / (steps * n)
    return sum(c * (k / steps - mean) ** 2 for k, c in enumerate(counts)) / n


def unseen_share(blocks: int) -> float:
    """Largest share of blocks of a kind that none of `blocks` was: 1 - 0.025^(1/n)."""
    if blocks < 1:
        return 1.0
    return -math.expm1(math.log((1 - CONFIDENCE) / 2) / blocks)


def bounded_interval(values: NDArray[np.float64], low: float = 0.0, high: float = 1.0) -> Interval:
    """Mean of block values in [low, high], with the interval of Student's t.

    Never narrower than what blocks of a kind not yet seen could still move it by, so that
    ten equal blocks do not look like certainty. One block gives nearly the whole range,
    none NaN and the whole range.
    """
    return ratio_interval(values, np.ones_like(values), low, high)


def ratio_interval(
    sums: NDArray[np.float64],
    weights: NDArray[np.float64],
    low: float = 0.0,
    high: float = 1.0,
) -> Interval:
    """Sum over blocks of `sums` / sum of `weights`, a mean per unit in [low, high].

    The ratio estimator with its linearised variance by block: for what occurs a varying
    number of times in a block, such as a role.
    """
    n = int(np.count_nonzero(weights))
    if n == 0:
        return Interval(math.nan, low, high)
    total = float(weights.sum())
    mean = min(high, max(low, float(sums.sum()) / total))  # a sum may round past its bound
    half = _half_width(sums, weights, mean) if n > 1 else 0.0
    unseen = unseen_share(n)
    return Interval(
        mean,
        max(low, min(mean - half, mean - (mean - low) * unseen)),
        min(high, max(mean + half, mean + (high - mean) * unseen)),
    )


def _half_width(sums: NDArray[np.float64], weights: NDArray[np.float64], mean: float) -> float:
    """Student's half-width of a ratio over the blocks that have a weight, two or more."""
    n = int(np.count_nonzero(weights))
    residual = (sums - mean * weights) * (n / float(weights.sum()))
    variance = float(residual @ residual) / (n - 1)
    return t_quantile(n - 1) * math.sqrt(variance / n)


def positive_interval(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None = None
) -> Interval:
    """Mean of non-negative block values without an upper bound, such as lengths.

    With `weights` the sum of values / sum of weights, as in `ratio_interval`. The allowance
    for unseen blocks takes them to lie between 0 and twice the mean, 1 at least.
    """
    weights = np.ones_like(values) if weights is None else weights
    n = int(np.count_nonzero(weights))
    mean = float(values.sum()) / float(weights.sum()) if n else math.nan
    if n < 2:
        return Interval(mean, 0.0, math.inf)
    found = ratio_interval(values, weights, 0.0, max(1.0, 2 * mean))
    return Interval(mean, found.low, max(found.high, mean + _half_width(values, weights, mean)))


def elo_interval(share: Interval) -> Interval:
    """The Elo difference of a score with its interval."""
    return Interval(elo_of(share.value), elo_of(share.low), elo_of(share.high))
