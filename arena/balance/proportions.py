"""Intervals of a share of k among n independent games or blocks.

For blocks of games that share a deal use `arena.ratings.blocks`: these take every trial as
independent. Sources: E. B. Wilson 1927; C. J. Clopper and E. S. Pearson 1934; L. D. Brown,
T. T. Cai and A. DasGupta 2001 (Jeffreys).
"""

from __future__ import annotations

import math

from arena.ratings.blocks import CONFIDENCE, Interval, Z


def wilson(k: int, n: int) -> Interval:
    """Wilson's score interval, 95 %."""
    share = _share(k, n)
    centre = share + Z * Z / (2 * n)
    half = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    scale = 1 + Z * Z / n
    # At 0 and n a bound is exactly the share; rounding may miss it.
    low = 0.0 if k == 0 else (centre - half) / scale
    high = 1.0 if k == n else (centre + half) / scale
    return Interval(share, low, high)


def jeffreys(k: int, n: int) -> Interval:
    """Equal-tailed 95 % interval under the prior Beta(1/2, 1/2), as it is also at 0 and n."""
    from scipy.special import betaincinv

    tail = (1 - CONFIDENCE) / 2
    low, high = (float(betaincinv(k + 0.5, n - k + 0.5, q)) for q in (tail, 1 - tail))
    return Interval(_share(k, n), low, high)


def clopper_pearson(k: int, n: int) -> Interval:
    """The exact 95 % interval: never covers less, often more."""
    from scipy.special import betaincinv

    tail = (1 - CONFIDENCE) / 2
    low = float(betaincinv(k, n - k + 1, tail)) if k > 0 else 0.0
    high = float(betaincinv(k + 1, n - k, 1 - tail)) if k < n else 1.0
    return Interval(_share(k, n), low, high)


def trials_for(half_width: float) -> int:
    """Independent games without draws that bring a 95 % interval at 1/2 to a half-width.

    0.9604 / h², as tables have it: z is rounded to 1.96.
    """
    if not 0 < half_width < 0.5:
        raise ValueError(f"half-width {half_width} must be over 0 and under 0.5")
    return math.ceil(0.9604 / half_width**2 - 1e-6)


def _share(k: int, n: int) -> float:
    if not 0 <= k <= n or n == 0:
        raise ValueError(f"{k} of {n}: expected 0 to n of at least 1")
    return k / n
