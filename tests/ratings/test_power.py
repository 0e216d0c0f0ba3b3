"""Blocks that a question takes, against tables and against simulated answers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.balance import Balance
from arena.balance.verdict import SeatMeans, verdicts
from arena.ratings.blocks import bounded_interval, share_of
from arena.ratings.power import Question, blocks_for, pilots
from tests.ledger.samples import cell
from tests.ratings.tables import duel_results, simulated_duel, table_from


def test_single_games_without_draws() -> None:
    """0.9604 / h^2 games: 9,604 for one per cent."""
    found = blocks_for(0.5, Question(half_width=0.01, effect=10, margin=0.05))
    assert found.for_half_width == 9604
    # Two-sided 5 %, power 80 %: ((1.95996 + 0.84162) sd / shift)^2.
    assert found.for_effect == math.ceil((2.801585 * 0.5 / (share_of(10) - 0.5)) ** 2)
    assert found.for_balance == math.ceil(((1.959964 + 1.281552) * 0.5 / 0.05) ** 2)


def test_a_larger_family_takes_more_and_calm_blocks_take_the_unseen_bound() -> None:
    few, many = (blocks_for(0.3, Question(0.02, 20, 0.05, claims=size)) for size in (2, 50))
    assert few.for_half_width == many.for_half_width
    assert few.for_effect < many.for_effect and few.for_balance < many.for_balance
    calm = blocks_for(0.0, Question(0.01, 20, 0.05))
    # No test is over at once because nothing has varied yet.
    assert calm.by_sequential == calm.for_effect > 50
    interval = bounded_interval(np.full(calm.for_half_width, 0.5))
    assert interval.high - interval.low <= 0.02
    interval = bounded_interval(np.full(calm.for_half_width - 1, 0.5))
    assert interval.high - interval.low > 0.02


def test_the_promised_power_is_kept() -> None:
    """Even variants are shown to be balanced about as often as was asked for."""
    rng, rounds = np.random.default_rng(5), 400
    n = blocks_for(0.35355, Question(0.02, 20, 0.05, power=0.8)).for_balance
    shown = 0
    for _ in range(rounds):
        first = rng.binomial(2, 0.5, n) / 2
        means = SeatMeans("r", np.arange(n), np.stack([first, 1 - first], axis=1))
        (verdict,) = verdicts([means])
        shown += verdict.balance is Balance.BALANCED
    assert 0.74 <= shown / rounds <= 0.86


def test_bad_questions() -> None:
    for numbers, name in (
        ((0.0, 5.0, 0.05, 0.8), "half-width"),
        ((0.5, 5.0, 0.05, 0.8), "half-width"),
        ((0.01, 0.0, 0.05, 0.8), "effect"),
        ((0.01, 5.0, 0.7, 0.8), "margin"),
        ((0.01, 5.0, 0.05, 1.0), "power"),
    ):
        with pytest.raises(ValueError, match=name):
            Question(*numbers)
    with pytest.raises(ValueError, match="claims"):
        Question(0.01, 5, 0.05, claims=0)
    with pytest.raises(ValueError, match="deviation"):
        blocks_for(0.6, Question(0.01, 5, 0.05))


def test_a_pilot_shows_what_pairing_gains() -> None:
    """Openings that win for one seat: pairs calm down what single games would not."""
    rng = np.random.default_rng(6)
    pair = cell(0, ("a@1", "b@1"), blocks=300)
    results = simulated_duel(rng, pair, {"a@1": 60, "b@1": 0}, nu=0.3, opening=500)
    (found,) = pilots(table_from([pair], results))
    assert (found.blocks, found.games) == (300, 2)
    means = np.array([r.scores[0] for r in results]).reshape(300, 2)
    assert found.sd == pytest.approx(means.mean(axis=1).std(ddof=1))
    # Seat 0 gets the same luck twice: here the block is *less* certain than two games.
    assert found.sd > found.unpaired
    assert pilots(table_from([pair], results[:2])) == []
    two = pilots(table_from([pair], duel_results(pair, [(1, 1), (0, 0)])))
    assert two[0].sd == 0.5  # the estimate from two blocks alone is 0.707


def test_a_sequential_test_is_shorter_on_average() -> None:
    found = blocks_for(0.3, Question(0.02, 20, 0.05))
    assert 0.4 * found.for_effect < found.by_sequential < found.for_effect
