"""Published intervals of shares and adjusted p-values (computed there with statsmodels)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.balance.multiple import benjamini_hochberg, benjamini_yekutieli, holm
from arena.balance.proportions import clopper_pearson, jeffreys, trials_for, wilson
from arena.ratings import Interval

INTERVALS = [
    (wilson, 540, 1000, 0.50902, 0.57068),
    (jeffreys, 540, 1000, 0.50903, 0.57074),
    (clopper_pearson, 540, 1000, 0.50853, 0.57123),
    (wilson, 0, 20, 0.0, 0.16113),
    (jeffreys, 0, 20, 0.00002, 0.11664),
    (clopper_pearson, 0, 20, 0.0, 0.16843),
    (wilson, 5, 10, 0.23659, 0.76341),
]

P = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216]


@pytest.mark.parametrize(("interval", "k", "n", "low", "high"), INTERVALS)
def test_intervals(
    interval: Callable[[int, int], Interval], k: int, n: int, low: float, high: float
) -> None:
    found = interval(k, n)
    assert found.value == k / n
    assert found.low == pytest.approx(low, abs=5.1e-6)
    assert found.high == pytest.approx(high, abs=5.1e-6)
    mirrored = interval(n - k, n)
    assert mirrored.low == pytest.approx(1 - found.high)
    assert mirrored.high == pytest.approx(1 - found.low)
    with pytest.raises(ValueError, match="expected 0 to n"):
        interval(n + 1, n)


def test_games_for_a_half_width() -> None:
    assert (trials_for(0.01), trials_for(0.005)) == (9604, 38416)
    with pytest.raises(ValueError, match="half-width"):
        trials_for(0)


def test_adjusted_p_values() -> None:
    assert holm(P) == pytest.approx([0.01, 0.072] + [0.312] * 3 + [0.312] * 2 + [0.615] * 3)
    assert benjamini_hochberg(P) == pytest.approx(
        [0.01, 0.04] + [0.084] * 3 + [0.1, 0.074 * 10 / 7] + [0.216] * 3
    )
    assert benjamini_hochberg(P)[6] == pytest.approx(0.1057, abs=5e-5)
    assert benjamini_yekutieli(P)[0] == pytest.approx(0.0293, abs=5e-5)
    for adjust in (holm, benjamini_hochberg, benjamini_yekutieli):
        mixed = adjust(P[::-1])
        assert mixed[::-1] == pytest.approx(adjust(P)) and adjust([]) == []
        assert all(p <= q <= 1 for p, q in zip(P, adjust(P), strict=True))


def test_fewer_true_hypotheses_cost_less() -> None:
    assert holm([0.01, 0.02, 0.5], most_true=2) == pytest.approx([0.02, 0.04, 0.5])
    assert holm([0.01, 0.02, 0.5], most_true=9) == holm([0.01, 0.02, 0.5])
