"""Bets against hypotheses: fair whatever the law, and as good as a likelihood ratio where the law is what it seems."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.blocks import share_of
from arena.ratings.eprocess import evidence, expected_evidence, signed
from arena.ratings.sequential import Hypotheses, Method, Scale
from arena.ratings.stopping import Decision, Schedule, Verdict, decide

TEST = Hypotheses(-10, 30, Scale.LOGISTIC)


def law_of_mean(weights: list[float], mean: float) -> np.ndarray:
    """Some law on a ladder with a mean: that of the weights, less whatever is too much."""
    law = np.array(weights) + 1e-3
    law /= law.sum()
    ladder = np.linspace(0, 1, len(law))
    own = law @ ladder
    end = 0.0 if own > mean else 1.0
    share = (own - mean) / (own - end)
    law *= 1 - share
    law[0 if end == 0 else -1] += share
    assert law @ ladder == pytest.approx(mean)
    return law


def by_decide(scores: np.ndarray, steps: int, test: Hypotheses, method: Method) -> Verdict:
    return decide(Schedule(scores, 4, steps, waiting=False), test, 1, method)


@given(
    st.lists(st.integers(0, 8), max_size=12),
    st.lists(st.floats(0, 1), min_size=9, max_size=9),
    st.booleans(),
)
def test_whatever_was_seen_the_next_bet_is_fair(
    seen: list[int], weights: list[float], against1: bool
) -> None:
    """Under any law with the hypothesis's mean capital stays what it is on average, exactly."""
    law = law_of_mean(weights, share_of(30 if against1 else -10))
    before = evidence(np.array(seen, dtype=np.int64), 9, TEST)
    capital = np.exp(before[-1, int(against1)]) if seen else 1.0
    after = [
        np.exp(evidence(np.array([*seen, rung], dtype=np.int64), 9, TEST)[-1, int(against1)])
        for rung in range(9)
    ]
    assert law @ after == pytest.approx(capital, rel=1e-6)


def test_a_bet_knows_nothing_of_what_it_is_on() -> None:
    rng = np.random.default_rng(3)
    rungs = rng.integers(0, 9, 40)
    whole = evidence(rungs, 9, TEST)
    assert whole[:25] == pytest.approx(evidence(rungs[:25], 9, TEST))
    # In a mirror the sides change places.
    mirrored = evidence(8 - rungs, 9, Hypotheses(-30, 10, Scale.LOGISTIC))
    assert mirrored == pytest.approx(whole[:, ::-1], abs=1e-6)
    assert signed(whole[:, ::-1]) == pytest.approx(-signed(whole))


def test_it_takes_about_as_long_as_a_likelihood_ratio() -> None:
    rng = np.random.default_rng(5)
    shape = np.array([1, 3, 6, 9, 10, 9, 6, 3, 1.0])
    blocks = dict.fromkeys(Method, 0)
    for elo, right in ((0.0, Decision.ACCEPT_H0), (40.0, Decision.ACCEPT_H1)):
        law = law_of_mean(shape.tolist(), share_of(elo))
        wrong = 0
        for _ in range(12):
            scores = rng.choice(9, 800, p=law) / 8
            for method in Method:
                found = by_decide(scores, 8, Hypotheses(0, 40, Scale.LOGISTIC), method)
                blocks[method] += found.blocks
                wrong += found.decision is not right
        assert wrong <= 2 * 12 * 0.2
    assert blocks[Method.E_PROCESS] < 1.3 * blocks[Method.GSPRT]


def test_bounds_are_those_of_the_errors_and_batches_are_whole() -> None:
    test = Hypotheses(0, 60, Scale.LOGISTIC, alpha=0.01, beta=0.2)
    scores = np.random.default_rng(6).choice([0.5, 0.75, 1.0], 90)
    found = decide(Schedule(scores, 4, 4, waiting=False), test, 7, Method.E_PROCESS)
    assert (found.lower, found.upper) == pytest.approx((np.log(0.2), np.log(100)))
    assert found.decision is Decision.ACCEPT_H1 and found.blocks % 7 == 0
    rungs = np.rint(scores * 4).astype(np.int64)
    capital = evidence(rungs, 5, test)[:, 0]
    assert found.llr == pytest.approx(capital[found.blocks - 1])
    assert found.llr >= np.log(100) > capital[found.blocks - 8]
    # All that lie on the other side of the middle end the test the other way.
    losing = decide(Schedule(1 - scores, 4, 4, waiting=False), test, 7, Method.E_PROCESS)
    assert losing.decision is Decision.ACCEPT_H0 and losing.llr <= np.log(0.2)


def test_the_estimate_is_of_this_test() -> None:
    rng = np.random.default_rng(7)
    law = law_of_mean([1, 3, 6, 9, 10, 9, 6, 3, 1], share_of(40))
    over = held = 0
    for _ in range(60):
        found = by_decide(
            rng.choice(9, 1500, p=law) / 8, 8, Hypotheses(0, 40, Scale.LOGISTIC), Method.E_PROCESS
        )
        assert found.estimate is not None
        over += found.estimate.value > 40
        held += found.estimate.low < 40 < found.estimate.high
    assert 20 <= over <= 40
    assert held >= 51


def test_expected_evidence_is_the_mean_of_what_is_seen() -> None:
    law = law_of_mean([1, 3, 6, 9, 10, 9, 6, 3, 1], 0.54)
    times = np.array([1.0, 5.0, 20.0, 60.0])
    said = expected_evidence(law[None, :], times, TEST)[:, 0]
    rng = np.random.default_rng(9)
    seen = np.mean(
        [evidence(rng.choice(9, 60, p=law), 9, TEST)[[0, 4, 19, 59]] for _ in range(200)], axis=0
    )
    assert said == pytest.approx(seen, abs=0.35)
    assert said[-1, 0] > 1 > said[-1, 1]


def test_only_the_mean_is_bet_on() -> None:
    with pytest.raises(ValueError, match="logistic scale"):
        evidence(np.array([1, 2]), 5, Hypotheses(0, 10))
