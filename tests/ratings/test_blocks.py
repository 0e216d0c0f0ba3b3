"""Published and independently computed numbers, and what the intervals promise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.ratings.blocks import (
    NORMALISED as SCALE,
)
from arena.ratings.blocks import (
    bounded_interval,
    elo_of,
    normal_cdf,
    pair_stats,
    positive_interval,
    ratio_interval,
    share_of,
    t_quantile,
    unseen_share,
)

# fastchess, app/tests/elo_test.cpp: losses .. wins; each figure with its +-.
ELO = [
    ((96, 111, 136), 40.70, 30.43),
    ((34, 54, 63, 64, 75), 55.58, 27.65),
    ((332, 433, 498, 333, 334), -8.64, 10.33),
    ((7895, 8757, 5685, 568, 9999), -21.04, 2.95),
]
NORMALISED = [
    ((96, 111, 136), 49.77, 36.77),
    ((89, 123, 76), -20.76, 40.13),
    ((356, 0, 34), -508.44, 34.48),
    ((34, 54, 63, 64, 75), 57.94, 28.28),
    ((332, 433, 498, 333, 334), -9.17, 10.96),
    ((7895, 8757, 5685, 568, 9999), -19.01, 2.65),
]
SUPERIORITY = [
    ((96, 111, 136), 99.60),
    ((89, 123, 76), 15.53),
    ((332, 433, 498, 333, 334), 5.05),
]


@pytest.mark.parametrize(("counts", "value", "half"), ELO)
def test_elo_of_games_and_pairs(counts: tuple[int, ...], value: float, half: float) -> None:
    elo = pair_stats(counts).elo
    assert elo.value == pytest.approx(value, abs=0.006)
    assert (elo.high - elo.low) / 2 == pytest.approx(half, abs=0.006)


@pytest.mark.parametrize(("counts", "value", "half"), NORMALISED)
def test_normalised_elo(counts: tuple[int, ...], value: float, half: float) -> None:
    elo = pair_stats(counts).normalised
    assert elo.value == pytest.approx(value, abs=0.006)
    assert (elo.high - elo.low) / 2 == pytest.approx(half, abs=0.006)


@pytest.mark.parametrize(("counts", "percent"), SUPERIORITY)
def test_likelihood_of_superiority(counts: tuple[int, ...], percent: float) -> None:
    assert 100 * pair_stats(counts).superiority == pytest.approx(percent, abs=0.006)


def test_the_constants_of_the_documents() -> None:
    """fastchess prints a share of 0.579; 800 / ln 10 of normalised Elo; 202 points are 76 %."""
    assert pair_stats((34, 54, 63, 64, 75)).share.value == pytest.approx(0.579, abs=5.1e-4)
    assert pytest.approx(347.43558552, abs=5.1e-9) == SCALE
    assert share_of(202) == pytest.approx(0.76, abs=5.1e-3)
    # Normalised Elo is Elo over the root of what is not drawn, for small leads.
    drawn = pair_stats((2400, 5000, 2600))
    assert drawn.normalised.value == pytest.approx(drawn.elo.value / math.sqrt(0.5), rel=1e-3)


def test_the_example_of_ordos_manual() -> None:
    """Critter 1.4: +1467 =772 -161 is 77.2 %; leads of 23 and 6 at SD 10 and 11: 99.0 and 71.0."""
    assert 100 * pair_stats((161, 772, 1467)).share.value == pytest.approx(77.2, abs=0.051)
    for lead, sd, printed in ((23, 10, 99.0), (6, 11, 71.0)):
        # Ordo prints whole leads: half a point either way holds the figure.
        low, high = (100 * normal_cdf((lead + d) / (sd - d)) for d in (-0.5, 0.5))
        assert low < printed < high


def test_blocks_of_more_games_are_on_the_scale_of_a_game() -> None:
    """Blocks of k independent games have the normalised Elo of the single games."""
    single = np.array([0.3, 0.2, 0.5])
    for k in (2, 3, 4):
        block = single
        for _ in range(k - 1):
            block = np.convolve(block, single)
        counts = [round(p * 10**9) for p in block]
        found = pair_stats(counts).normalised.value
        assert found == pytest.approx(pair_stats([3, 2, 5]).normalised.value, rel=1e-6)


def test_all_equal_blocks_do_not_crash_pair_statistics() -> None:
    won = pair_stats([0, 0, 0, 0, 8])
    assert won.elo.value == math.inf and won.superiority == 1.0
    assert pair_stats([8, 0, 0]).superiority == 0.0
    assert pair_stats([0, 8, 0]).superiority == 0.5
    for bad in ([], [1, 2], [0, 0, 0], [1, -1, 2]):
        with pytest.raises(ValueError, match="2k \\+ 1"):
            pair_stats(bad)


def test_elo_and_share_are_inverse() -> None:
    for elo in (-700.0, -10.0, 0.0, 33.3, 500.0):
        assert elo_of(share_of(elo)) == pytest.approx(elo, abs=1e-9)
    assert share_of(400) == pytest.approx(10 / 11)
    assert elo_of(0.76) == pytest.approx(200.24, abs=0.01)
    assert (elo_of(0.0), elo_of(1.0)) == (-math.inf, math.inf)


def test_quantiles() -> None:
    # Student's table.
    assert t_quantile(1) == pytest.approx(12.7062, abs=1e-4)
    assert t_quantile(10) == pytest.approx(2.2281, abs=1e-4)
    assert t_quantile(10**9) == pytest.approx(1.959964, abs=1e-5)
    assert t_quantile(0) == math.inf


def test_none_of_twenty_is_the_clopper_pearson_bound() -> None:
    assert unseen_share(20) == pytest.approx(0.16843, abs=5e-6)
    found = bounded_interval(np.zeros(20))
    assert (found.value, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(0.16843, abs=5e-6)
    found = bounded_interval(np.ones(20))
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(1 - 0.16843, abs=5e-6)


def test_five_values_by_hand() -> None:
    """Mean 0.6, sd 0.41833, t(4) = 2.77645: 0.6 +- 0.51943, cut at 1."""
    found = bounded_interval(np.array([0.0, 0.5, 0.5, 1.0, 1.0]))
    assert found.value == pytest.approx(0.6)
    assert found.low == pytest.approx(0.6 - 2.776445 * 0.418330 / math.sqrt(5), abs=1e-5)
    assert found.high == 1.0


@pytest.mark.parametrize("values", [[], [0.5], [0.5, 0.5], [1.0] * 3, [0.5] * 9, [0.0, 1.0]])
def test_no_handful_of_blocks_gives_a_narrow_interval(values: list[float]) -> None:
    found = bounded_interval(np.array(values, dtype=np.float64))
    assert found.high - found.low > 0.3
    assert 0 <= found.low and found.high <= 1
    if len(values) < 2:
        assert found.high - found.low > 0.95


def test_lengths_have_no_upper_bound_but_an_interval() -> None:
    assert positive_interval(np.array([30.0])).high == math.inf
    same = positive_interval(np.full(50, 30.0))
    assert same.low < 30 < same.high and same.high - same.low < 10
    spread = positive_interval(np.array([10.0, 30.0, 50.0, 200.0]))
    assert spread.high > spread.value + 100 and spread.low >= 0


def test_ratio_of_sums_weighs_by_occurrence() -> None:
    found = ratio_interval(np.array([2.0, 0.0, 1.0, 0.0]), np.array([2.0, 0.0, 1.0, 3.0]))
    assert found.value == pytest.approx(0.5)
    assert math.isnan(ratio_interval(np.zeros(3), np.zeros(3)).value)


def pairs(rng: np.random.Generator, n: int, rho: float) -> np.ndarray:
    """(n, 2) scores of seat 0 in blocks of two games that share an opening."""
    shared = rng.standard_normal((n, 1))
    own = rng.standard_normal((n, 2))
    latent = math.sqrt(rho) * shared + math.sqrt(1 - rho) * own
    return np.select([latent > 0.5, latent > -0.3], [1.0, 0.5], 0.0)


def truth() -> float:
    def above(x: float) -> float:
        return 0.5 * math.erfc(x / math.sqrt(2))

    return above(0.5) + 0.5 * (above(-0.3) - above(0.5))


def test_block_intervals_cover_and_game_intervals_do_not() -> None:
    """Openings that favour one seat in both games: 95 % by block holds, by game fails."""
    rng = np.random.default_rng(20260101)
    rounds, by_block, by_game = 1500, 0, 0
    for _ in range(rounds):
        scores = pairs(rng, 80, 0.8)
        block = bounded_interval(scores.mean(axis=1))
        game = bounded_interval(scores.ravel())
        by_block += block.low <= truth() <= block.high
        by_game += game.low <= truth() <= game.high
    assert 0.94 <= by_block / rounds <= 0.96
    assert by_game / rounds < 0.90


@pytest.mark.parametrize("chance", [0.5, 0.9, 0.995])
@pytest.mark.parametrize("n", [2, 5, 20, 200])
def test_coverage_where_blocks_are_few_or_outcomes_rare(chance: float, n: int) -> None:
    """Conservative at the ends, where Student's t alone would fail badly."""
    rng = np.random.default_rng(n)
    rounds, covered = 1000, 0
    for _ in range(rounds):
        found = bounded_interval((rng.random(n) < chance).astype(np.float64))
        covered += found.low <= chance <= found.high
    assert covered / rounds >= 0.93
