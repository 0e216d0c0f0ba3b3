"""Many tests at once: p-values adjusted so that each may be held against one level.

Sources: S. Holm 1979; J. P. Shaffer 1986 (logically possible hypotheses); Y. Benjamini and
Y. Hochberg 1995; Y. Benjamini and D. Yekutieli 2001.
"""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float], most_true: int | None = None) -> list[float]:
    """Step-down adjustment: the chance of *any* false refutation is held under the level.

    `most_true` says how many of the hypotheses can be true together, where logic lets
    that be fewer than all of them.
    """
    left = len(p_values)
    most = left if most_true is None else min(left, most_true)
    adjusted, worst = [0.0] * left, 0.0
    for i in sorted(range(len(p_values)), key=lambda i: p_values[i]):
        worst = max(worst, min(1.0, p_values[i] * min(most, left)))
        adjusted[i] = worst
        left -= 1
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Step-up adjustment: the expected *share* of false refutations is held under the level.

    For independent tests, and for such as lean the same way.
    """
    return _step_up(p_values, 1.0)


def benjamini_yekutieli(p_values: Sequence[float]) -> list[float]:
    """The same under any dependence between the tests; the price is a factor of ln(n)."""
    return _step_up(p_values, sum(1 / k for k in range(1, len(p_values) + 1)))


def _step_up(p_values: Sequence[float], factor: float) -> list[float]:
    n = len(p_values)
    adjusted, least = [1.0] * n, 1.0
    ranked = sorted(range(n), key=lambda i: p_values[i])
    for rank in range(n, 0, -1):
        i = ranked[rank - 1]
        least = min(least, p_values[i] * n * factor / rank)
        adjusted[i] = least
    return adjusted
