"""Confidence sequences: right at every block, under any law."""

from __future__ import annotations

import numpy as np
import pytest

from arena.ratings.anytime import anytime_interval, confidence_sequence, narrow_after
from arena.ratings.blocks import Z


def test_coverage_at_every_block_while_the_naive_interval_fails() -> None:
    """Whoever looks after each of 300 blocks finds the truth outside in under 5 %."""
    rng, rounds = np.random.default_rng(1), 300
    ladder = np.linspace(0, 1, 5)
    law = np.array([0.1, 0.2, 0.3, 0.3, 0.1])
    truth = float(law @ ladder)
    missed = naive = 0
    for _ in range(rounds):
        values = rng.choice(ladder, 300, p=law)
        bounds = confidence_sequence(values)
        missed += bool(((bounds[:, 0] > truth) | (bounds[:, 1] < truth)).any())
        n = np.arange(1, 301)
        mean = np.cumsum(values) / n
        sd = np.sqrt(np.maximum(np.cumsum(values**2) / n - mean**2, 1e-9))
        naive += bool((np.abs(mean - truth) > Z * sd / np.sqrt(n))[9:].any())
    assert missed <= 0.05 * rounds
    assert naive > 0.25 * rounds


def test_bounds_are_nested_and_narrow() -> None:
    rng = np.random.default_rng(2)
    values = rng.choice([0.25, 0.5, 0.75], 5000)
    bounds = confidence_sequence(values)
    assert (np.diff(bounds[:, 0]) >= 0).all() and (np.diff(bounds[:, 1]) <= 0).all()
    low, high = bounds[-1]
    assert low < 0.5 < high
    # The price of looking always: less than twice the interval that may be looked at once.
    assert high - low < 2 * 2 * Z * 0.204 / np.sqrt(5000) + 0.002


def test_symmetry_and_extremes() -> None:
    values = np.random.default_rng(3).random(400)
    one, other = confidence_sequence(values), confidence_sequence(1 - values)
    assert one[:, 0] == pytest.approx(1 - other[:, 1])
    won = anytime_interval(np.ones(50))
    assert won.value == 1 and 0.8 < won.low < 1 and won.high == 1
    assert (anytime_interval(np.empty(0)).low, anytime_interval(np.empty(0)).high) == (0, 1)
    first = anytime_interval(np.array([1.0]))
    assert (first.low, first.high) == (0.0, 1.0)
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        confidence_sequence(np.array([0.5, 1.5]))


def test_stopping_when_narrow_is_a_rule_on_prefixes() -> None:
    values = np.random.default_rng(4).random(3000)
    stop = narrow_after(values, 0.05)
    assert stop is not None and narrow_after(values[:stop], 0.05) == stop
    assert narrow_after(values[: stop - 1], 0.05) is None
    # Whatever comes after the prefix cannot change what was said of it.
    assert (confidence_sequence(values)[:stop] == confidence_sequence(values[:stop])).all()
