"""What is said of a difference after a stop, beside the theory of Brownian motion."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import log_ndtr

from arena.ratings.blocks import Interval, elo_of, share_of
from arena.ratings.estimate import Stopped, _nodes, _Passage, after_stop
from arena.ratings.sequential import Hypotheses, Method, Scale
from arena.ratings.stopping import Decision, Schedule, decide

LOGISTIC = Hypotheses(0, 40, Scale.LOGISTIC)


def hit_by(time: float, near: float, far: float, drift: float) -> float:
    """Chance that Brownian motion reaches +near before -far and by `time`: images of barriers."""
    width, root = near + far, math.sqrt(time)
    images = math.ceil(10 * root / width) + 10
    distance = near + 2 * width * np.arange(-images, images + 1)
    c, m = np.abs(distance), abs(drift)
    lift = drift * near
    terms = np.exp(lift - m * c + log_ndtr((m * time - c) / root)) + np.exp(
        lift + m * c + log_ndtr(-(m * time + c) / root)
    )
    return float((np.sign(distance) * terms).sum())


def test_the_oracle_knows_its_theory() -> None:
    # Without a far barrier in reach: 2 (1 - Phi(c / sqrt t)); with all time: the ruin problem.
    assert hit_by(1.0, 1.0, 60.0, 0.0) == pytest.approx(0.3173105, abs=1e-6)
    for drift in (-0.7, 0.2, 1.5):
        ruin = math.expm1(6 * drift) / (math.expm1(6 * drift) - math.expm1(-4 * drift))
        assert hit_by(1e4, 2.0, 3.0, drift) == pytest.approx(ruin, abs=1e-9)


@pytest.mark.parametrize("course", [0.0, 0.2])
@pytest.mark.parametrize("drift", [-0.3, 0.0, 0.1, 0.4])
def test_a_walk_between_straight_bounds(drift: float, course: float) -> None:
    """As Brownian motion between bounds that are 0.5826 of a step further out."""
    stages, near, far = 120, 9.0, 12.0
    walk = _Passage(np.full(stages, near), np.full(stages, far), 1.0, course)
    found = walk.beyond(-far, drift)
    # At the last look the walk must be over a point, which here is the bound itself.
    assert found == pytest.approx(hit_by(120.0, near + 0.5826, far + 0.5826, drift), abs=3e-3)
    # Over a point that nothing reaches: what left before.
    assert walk.beyond(1e3, drift) < found


def test_a_walk_without_bounds_is_normal() -> None:
    walk = _Passage(np.full(50, np.inf), np.full(50, np.inf), 2.0)
    for at, drift in ((0.0, 0.0), (7.0, 0.1), (-9.0, 0.05)):
        expected = 0.5 * math.erfc((at - 100 * drift) / 10 / math.sqrt(2))
        assert walk.beyond(at, drift) == pytest.approx(expected, abs=1e-9)


def test_long_tests_are_brownian_motion() -> None:
    """Thousands of blocks in one look each: straight bounds, taken in coarse stages."""
    test = Hypotheses(0, 5, Scale.LOGISTIC)
    counts = np.array([160, 1990, 3600, 2060, 190], dtype=np.float64)
    found = after_stop(Stopped(test, counts, 2, 1, test.lower, test.upper, accepted=True))
    assert found is not None
    ladder, blocks = np.linspace(0, 1, 5), float(counts.sum())
    mean = counts @ ladder / blocks
    sd = math.sqrt(counts @ (ladder - mean) ** 2 / blocks)
    step, middle = (share_of(5) - 0.5) / sd, (share_of(5) + 0.5) / 2
    near = max(test.upper / step, blocks * float(mean - middle) / sd) + 0.5826
    far = -test.lower / step + 0.5826

    def expected(level: float) -> float:
        drift = brentq(lambda d: hit_by(blocks, near, far, d) - level, -1, 1, xtol=1e-12)
        return elo_of(middle + drift * sd)

    width = found.high - found.low
    for value, level in ((found.low, 0.025), (found.value, 0.5), (found.high, 0.975)):
        assert value == pytest.approx(expected(level), abs=0.02 * width)


def test_either_side_is_the_other_in_a_mirror() -> None:
    counts = np.array([1, 9, 31, 22, 5], dtype=np.float64)
    for test, mirrored in (
        (LOGISTIC, Hypotheses(-40, 0, Scale.LOGISTIC)),
        (Hypotheses(0, 60), Hypotheses(-60, 0)),
    ):
        one = after_stop(Stopped(test, counts, 2, 1, -2.9, 2.8, accepted=True))
        other = after_stop(Stopped(mirrored, counts[::-1], 2, 1, -2.8, 2.9, accepted=False))
        assert one is not None and other is not None
        assert one.low < one.value < one.high
        assert (one.low, one.value, one.high) == pytest.approx(
            (-other.high, -other.value, -other.low), abs=1e-3
        )


def test_blocks_that_do_not_vary_or_leave_the_middle_out() -> None:
    alike = np.array([0, 0, 0, 0, 40], dtype=np.float64)
    assert after_stop(Stopped(LOGISTIC, alike, 2, 1, -2.9, 2.9, accepted=True)) is None
    # No law of only such blocks has an even mean.
    rng = np.random.default_rng(4)
    plan = Schedule(rng.choice([0.75, 1.0], 60), 2, 4, waiting=False)
    found = decide(plan, LOGISTIC)
    assert found.decision is Decision.ACCEPT_H1 and found.estimate is not None
    low, value, high = found.estimate.low, found.estimate.value, found.estimate.high
    assert 40 < low < value < high
    assert low < elo_of(float(plan.scores[: found.blocks].mean())) < high


def test_blocks_of_six_that_stop_as_early_as_they_can() -> None:
    """A quarter of such tests end within six blocks of the first that may stop them.

    Motion between straight bounds, which takes them to have been stopped late, sees the truth
    under three estimates in four.
    """
    one = np.array([0.1, 0.25, 0.3, 0.25, 0.1])
    law = np.convolve(np.convolve(one, one), one)
    rungs = np.arange(13) / 12
    law = law * np.exp(2.4 * rungs)
    law /= law.sum()
    true = elo_of(float(law @ rungs))
    test = Hypotheses(true - 25, true, Scale.LOGISTIC)
    rng, over, held = np.random.default_rng(5), 0, 0
    for _ in range(80):
        plan = Schedule(rng.choice(13, 1500, p=law) / 12, 6, 12, waiting=False)
        verdict = decide(plan, test)
        assert verdict.decision is not Decision.GO_ON and verdict.estimate is not None
        over += verdict.estimate.value > true
        held += verdict.estimate.low <= true <= verdict.estimate.high
    assert 28 <= over <= 52
    assert held >= 71


@pytest.mark.parametrize("method", list(Method))
def test_scores_far_from_close_hypotheses_take_no_longer(
    method: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A walk with such a lead is thousands of standard deviations from one without drift."""
    points: list[int] = []

    def nodes(width: float) -> int:
        points.append(_nodes(width))
        assert points[-1] <= 1_000
        return points[-1]

    monkeypatch.setattr("arena.ratings.estimate._nodes", nodes)
    scores = np.random.default_rng(8).binomial(24, 0.1, 400) / 24
    test = Hypotheses(0, 10, Scale.LOGISTIC)
    found = decide(Schedule(scores, 4, 24, waiting=False), test, method=method)
    assert found.decision is Decision.ACCEPT_H0 and found.estimate is not None and points
    mean, sd = float(scores[: found.blocks].mean()), float(scores[: found.blocks].std())
    error = 1.96 * sd / math.sqrt(found.blocks)
    assert found.estimate.low == pytest.approx(elo_of(mean - error), abs=8)
    assert found.estimate.value == pytest.approx(elo_of(mean), abs=4)
    assert found.estimate.high == pytest.approx(elo_of(mean + error), abs=8)


@pytest.mark.parametrize("method", list(Method))
def test_walks_that_are_not_followed_would_change_nothing(
    method: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = np.random.default_rng(8).binomial(24, 0.35, 400) / 24
    plan, test = Schedule(scores, 4, 24, waiting=False), Hypotheses(0, 40, Scale.LOGISTIC)
    some = decide(plan, test, method=method).estimate
    monkeypatch.setattr("arena.ratings.estimate._SLOWEST", 1e9)
    every = decide(plan, test, method=method).estimate
    monkeypatch.setattr("arena.ratings.estimate._SLOWEST", 6.0)
    few = decide(plan, test, method=method).estimate
    assert some is not None and every is not None and few is not None and some != few
    for one in (some, few):
        for value, expected in zip(_said(one), _said(every), strict=True):
            assert value == pytest.approx(expected, abs=0.01)


def _said(interval: Interval) -> tuple[float, float, float]:
    return interval.low, interval.value, interval.high


def test_of_a_stop_on_the_other_side_of_the_middle_nothing_is_said() -> None:
    """Blocks that hardly vary, over the middle but far below the upper hypothesis: it is not that."""
    test = Hypotheses(0, 300, Scale.LOGISTIC)
    scores = np.array([0.74, 0.75, 0.74, 0.74, 0.75, 0.74] * 4)
    found = decide(Schedule(scores, 2, 100, waiting=False), test, 1, Method.E_PROCESS)
    assert found.decision is Decision.ACCEPT_H0
    assert float(scores.mean()) > (share_of(0) + share_of(300)) / 2
    assert found.estimate is None
