"""Trends over strength: by hand, and what their intervals promise."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from arena.balance.trend import Trend, trends
from arena.ledger import CellRow, GameResult, GameTable
from arena.ratings.blocks import elo_of, share_of
from tests.ledger.samples import cell
from tests.ratings.tables import duel_results, table_from

WORTH = {"a@1": 0.0, "b@1": 100.0, "c@1": 200.0, "d@1": 300.0}


def robin() -> tuple[list[CellRow], list[GameResult]]:
    """Games that rate the four at 100 Elo from each other, almost to the point."""
    cells: list[CellRow] = []
    results: list[GameResult] = []
    for one, other in combinations(WORTH, 2):
        pair = cell(len(cells), (one, other), blocks=60)
        won = round(60 * share_of(WORTH[one] - WORTH[other]))
        cells.append(pair)
        results += duel_results(pair, [(1.0, 0.0)] * won + [(0.0, 1.0)] * (60 - won))
    return cells, results


RATED = robin()


def ladder(
    rng: np.random.Generator, advantage: Callable[[float], float], blocks: int, luck: float = 0.0
) -> GameTable:
    """Self-play in which seat 0 leads by an advantage that depends on strength."""
    cells, results = list(RATED[0]), list(RATED[1])
    deal = rng.normal(0, luck, blocks) if luck else np.zeros(blocks)
    for engine, worth in WORTH.items():
        own = cell(len(cells), (engine, engine), blocks=blocks)
        chance = 1 / (1 + 10 ** (-(advantage(worth) + deal) / 400))
        cells.append(own)
        results += duel_results(own, [(float(x),) for x in rng.random(blocks) < chance])
    return table_from(cells, results)


def one(table: GameTable) -> Trend:
    (found,) = trends(table)
    return found


def test_a_rising_advantage() -> None:
    found = one(ladder(np.random.default_rng(1), lambda worth: 20 + worth / 5, 1500))
    assert [p.engine for p in found.points] == list(WORTH)
    assert found.points[-1].rating - found.points[0].rating == pytest.approx(300, abs=10)
    assert found.slope.low < 20 < found.slope.high and found.slope.low > 4
    assert found.beyond - found.points[-1].rating == pytest.approx(150, abs=5)
    # The line goes on to 110 Elo, or stays at 80: both lie within.
    assert found.ahead.low < share_of(80) < share_of(110) < found.ahead.high
    assert found.ahead.high - found.ahead.low > 2 * (
        found.points[-1].score.high - found.points[-1].score.value
    )


def test_a_line_by_hand() -> None:
    """Equal errors: the slope is that of least squares over the log odds."""
    cells, results = list(RATED[0]), list(RATED[1])
    wins = {"a@1": 50, "b@1": 54, "c@1": 57, "d@1": 62}
    for engine, won in wins.items():
        own = cell(len(cells), (engine, engine), blocks=100)
        cells.append(own)
        # No deal decides for two engines alike: the cells are independent.
        order = np.random.default_rng(won).permutation(100)
        results += duel_results(own, [(float(i < won),) for i in order])
    found = one(table_from(cells, results))
    y = np.array([elo_of((w + 0.5) / 101) for w in wins.values()])
    x = np.array([p.rating for p in found.points]) / 100
    assert found.slope.value == pytest.approx(np.polyfit(x, y, 1)[0], rel=0.03)
    error = 400 / math.log(10) * 0.2 / math.sqrt(((x - x.mean()) ** 2).sum())
    assert (found.slope.high - found.slope.low) / 2 == pytest.approx(1.96 * error, rel=0.2)
    assert found.scatter < 1


def test_coverage() -> None:
    """Of the slope, and of what is ahead where the trend goes on and where it ends."""
    slope = on = ends = 0
    for seed in range(60):
        found = one(ladder(np.random.default_rng([7, seed]), lambda worth: worth / 5, 100))
        slope += found.slope.low <= 20 <= found.slope.high
        on += found.ahead.low <= share_of(90) <= found.ahead.high
        ends += found.ahead.low <= share_of(60) <= found.ahead.high
    assert min(slope, on, ends) >= 54


def test_shared_deals_make_a_slope_surer() -> None:
    """Deals that all engines meet cancel in the slope: it is judged by what is left."""
    widths = []
    for luck in (0.0, 800.0):
        rng = np.random.default_rng(3)
        found = one(ladder(rng, lambda worth: 0.0, 600, luck))
        widths.append(found.slope.high - found.slope.low)
    assert widths[1] < 0.85 * widths[0]


def test_what_scatters_is_less_sure() -> None:
    zigzag = {0.0: 0.0, 100.0: 150.0, 200.0: -150.0, 300.0: 0.0}
    found = one(ladder(np.random.default_rng(4), lambda worth: zigzag[worth], 400))
    assert found.scatter > 3
    calm = one(ladder(np.random.default_rng(4), lambda worth: 0.0, 400))
    assert found.slope.high - found.slope.low > 3 * (calm.slope.high - calm.slope.low)


def test_no_trend_without_ratings_or_with_two_engines() -> None:
    table = ladder(np.random.default_rng(5), lambda worth: 0.0, 20)
    alone = [c for c in table.cells if len(set(c.lineup)) == 1]
    results = [r for c in alone for r in duel_results(c, [(1.0,), (0.0,)])]
    assert trends(table_from(alone, results)) == []
    two = [c for c in RATED[0] if set(c.lineup) == {"a@1", "b@1"}]
    games = [r for r in RATED[1] if r.cell_id == two[0].cell_id]
    assert trends(table_from([*two, *alone], games + results)) == []


def test_one_seat_that_wins_everything_stays_finite() -> None:
    found = one(ladder(np.random.default_rng(6), lambda worth: 4000.0, 30))
    assert 0.9 < found.ahead.value < 1 and found.ahead.low > 0.2
    assert math.isfinite(found.slope.low) and found.slope.low < 0 < found.slope.high
