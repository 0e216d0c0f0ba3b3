"""Balanced, favours, undecided: what is claimed, and how often wrongly."""

from __future__ import annotations

import time

import numpy as np
import pytest

from arena.balance import Balance, Correction, balance
from arena.balance.verdict import SeatMeans, Verdict, max_t_quantile, verdicts
from tests.ledger.samples import cell, result
from tests.ratings.tables import duel_results, simulated_duel, table_from


def two_seats(rng: np.random.Generator, share: float, blocks: int, rules: str = "r") -> SeatMeans:
    """Pairs without draws: each block's mean score of seat 0 is 0, 1/2 or 1."""
    first = rng.binomial(2, share, blocks) / 2
    return SeatMeans(rules, np.arange(blocks), np.stack([first, 1 - first], axis=1))


def one(means: SeatMeans, margin: float = 0.05) -> Verdict:
    (found,) = verdicts([means], margin)
    return found


def test_three_verdicts() -> None:
    rng = np.random.default_rng(1)
    even = one(two_seats(rng, 0.5, 4000))
    assert (even.balance, even.seat, even.family) == (Balance.BALANCED, None, 1)
    lean = one(two_seats(rng, 0.4, 4000))
    assert (lean.balance, lean.seat) == (Balance.FAVOURS, 1)
    assert one(two_seats(rng, 0.5, 60)).balance is Balance.UNDECIDED
    # A lean that is shown, but lies within the margin, is balance.
    slight = one(two_seats(rng, 0.52, 20_000))
    assert slight.balance is Balance.BALANCED and slight.p_favours < 0.05


def test_the_margin_decides() -> None:
    means = two_seats(np.random.default_rng(2), 0.53, 8000)
    assert one(means, 0.05).balance is Balance.BALANCED
    assert one(means, 0.01).balance is Balance.FAVOURS
    for margin in (0.0, 0.5, -0.1, float("nan")):
        with pytest.raises(ValueError, match="margin"):
            verdicts([means], margin)


def test_tost_is_two_t_tests() -> None:
    from scipy.stats import ttest_1samp

    means = two_seats(np.random.default_rng(3), 0.51, 700)
    first = means.means[:, 0]
    low = ttest_1samp(first, 0.45, alternative="greater").pvalue
    high = ttest_1samp(first, 0.55, alternative="less").pvalue
    found = one(means)
    # Three claims, of which two at most can be false.
    assert found.p_balanced == pytest.approx(min(1, 2 * max(low, high)))


@pytest.mark.parametrize("correction", list(Correction))
def test_equal_blocks_are_not_certainty(correction: Correction) -> None:
    """Twenty equal blocks do not show a balance within 5 %; twenty won ones show a lean."""
    half = SeatMeans("r", np.arange(20), np.full((20, 2), 0.5))
    (found,) = verdicts([half], correction=correction)
    assert found.balance is Balance.UNDECIDED
    long = SeatMeans("r", np.arange(2000), np.full((2000, 2), 0.5))
    (found,) = verdicts([long], correction=correction)
    assert found.balance is Balance.BALANCED
    won = SeatMeans("r", np.arange(20), np.tile([1.0, 0.0], (20, 1)))
    (found,) = verdicts([won], correction=correction)
    assert (found.balance, found.seat) == (Balance.FAVOURS, 0)
    (found,) = verdicts([SeatMeans("r", np.arange(1), np.array([[1.0, 0.0]]))])
    assert found.balance is Balance.UNDECIDED


@pytest.mark.parametrize("correction", [Correction.HOLM, Correction.MAX_T])
def test_false_claims_over_a_family(correction: Correction) -> None:
    """Forty variants, even or at the very edge of the margin: hardly ever a false claim."""
    rng, rounds, wrong, naive = np.random.default_rng(4), 60, 0, 0
    for _ in range(rounds):
        even = [two_seats(rng, 0.5, 150, f"e{i}") for i in range(20)]
        edge = [two_seats(rng, 0.55, 150, f"x{i}") for i in range(20)]
        found = verdicts([*even, *edge], 0.05, correction)
        wrong += any(v.balance is Balance.FAVOURS for v in found[:20]) or any(
            v.balance is Balance.BALANCED or v.seat == 1 for v in found[20:]
        )
        naive += any(one(m).balance is Balance.FAVOURS for m in even)
    assert wrong <= 8  # 5 % of 60 is 3
    assert naive >= 25


def test_max_t_knows_that_levels_share_their_deals() -> None:
    """Ten levels that score alike on the same deals are hardly more than one test."""
    rng = np.random.default_rng(5)
    means = two_seats(rng, 0.5, 300).means
    block = np.arange(300)
    same = [SeatMeans("r", block, means) for _ in range(10)]
    apart = [two_seats(rng, 0.5, 300, f"r{i}") for i in range(10)]
    assert max_t_quantile(same) == max_t_quantile(same[:1]) < 2.2
    assert 2.6 < max_t_quantile(apart) < 3.1
    assert max_t_quantile(apart) == max_t_quantile(apart)


def test_max_t_of_a_hundred_variants_of_six_seats_is_fast() -> None:
    rng = np.random.default_rng(6)
    cells = [
        SeatMeans(
            f"r{i}", np.arange(500), rng.permuted(np.tile(np.linspace(0, 1, 6), (500, 1)), axis=1)
        )
        for i in range(100)
    ]
    start = time.process_time()
    found = verdicts(cells, 0.05, Correction.MAX_T)
    assert time.process_time() - start < 10
    assert {v.balance for v in found} <= {Balance.BALANCED, Balance.UNDECIDED}
    assert sum(v.balance is Balance.BALANCED for v in verdicts(cells, 0.1, Correction.MAX_T)) > 50


def test_from_a_table() -> None:
    """Cells that mix seat and strength measure no balance and are no part of the family."""
    rng = np.random.default_rng(7)
    even = cell(0, ("a@1", "a@1"), blocks=1500)
    black = cell(1, ("a@1", "a@1"), blocks=1500, rulebook="gomoku/black")
    mixed = cell(2, seatings=[("a@1", "b@1")], blocks=30, rulebook="gomoku/mixed")
    results = simulated_duel(rng, even, {"a@1": 0}, nu=2)
    results += simulated_duel(rng, black, {"a@1": 0}, first=100)
    results += duel_results(mixed, [(1,)] * 30)
    table = table_from([even, black, mixed], results)
    found = [c.verdict for c in balance(table)]
    assert [v.balance for v in found] == [Balance.BALANCED, Balance.FAVOURS, Balance.MIXED]
    assert found[1].seat == 0 and {v.family for v in found} == {2}
    assert {v.margin for v in found} == {0.05}
    bh = balance(table, 0.2, Correction.BH)
    assert [c.verdict.balance for c in bh[:2]] == [Balance.BALANCED, Balance.BALANCED]


def test_one_against_two_is_even_where_the_seats_are_alike() -> None:
    """Two of three win most games: no seat is favoured though all score over a half."""
    rng = np.random.default_rng(8)
    table = cell(0, ("a@1",) * 3, blocks=600, rulebook="doudizhu/x")
    results = []
    for block in range(600):
        lord, won = int(rng.integers(3)), rng.random() < 0.3
        scores = [float(won if seat == lord else not won) for seat in range(3)]
        results.append(result(table, block, 0, scores))
    (found,) = balance(table_from([table], results), 0.1)
    assert all(seat.score.value > 0.5 for seat in found.by_seat)
    assert found.verdict.balance is Balance.BALANCED
