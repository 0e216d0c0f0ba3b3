"""Ranks, cross tables, cycles: published values and what must hold."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from arena.ledger import CellRow, GameResult, GameTable
from arena.ratings import leaderboard
from arena.ratings.choice import strengths
from arena.ratings.views import (
    alpha_rank,
    cross_table,
    nash_average,
    one_line_fits,
    payoffs,
    ranks,
    running_elo,
    superiority_matrix,
)
from tests.ledger.samples import cell
from tests.ratings.tables import duel_results, simulated_duel, table_from


def robin(seed: int, elo: dict[tuple[str, str], float], blocks: int) -> GameTable:
    """A round robin; `elo` is the lead of the first of each pair."""
    rng = np.random.default_rng(seed)
    cells: list[CellRow] = []
    results: list[GameResult] = []
    for index, ((one, other), lead) in enumerate(elo.items()):
        pair = cell(index, (one, other), blocks=blocks)
        cells.append(pair)
        results += simulated_duel(rng, pair, {one: lead, other: 0.0}, nu=0.3)
    return table_from(cells, results)


def on_a_line(seed: int, blocks: int) -> GameTable:
    worth = {"a@1": 120.0, "b@1": 40.0, "c@1": 30.0, "d@1": -150.0}
    return robin(seed, {(x, y): worth[x] - worth[y] for x, y in combinations(worth, 2)}, blocks)


def test_alpha_rank_of_openspiel() -> None:
    """open_spiel, alpharank_test.py (payoffs of Han et al. 2013)."""
    r, t, p, s, delta, eps = 1.0, 2.0, 0.0, -1.0, 4.0, 0.25
    payoff = np.array(
        [
            [r - eps / 2, r - eps, 0, s + delta - eps, r - eps],
            [r, r, s, s, s],
            [0, t, p, p, p],
            [t - delta, t, p, p, p],
            [r, t, p, p, p],
        ]
    )
    assert alpha_rank(payoff, population=20, alpha=0.1) == pytest.approx(
        [0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039], abs=5e-9
    )
    with pytest.raises(ValueError, match="expected"):
        alpha_rank(payoff[:3])


def test_nash_averaging_of_openspiel() -> None:
    """open_spiel, nash_averaging_test.py."""
    scissors = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    share, value = nash_average(scissors)
    assert share == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert value == pytest.approx([0] * 3, abs=1e-6)
    share, value = nash_average(np.array([[0.0, -1, -1], [1, 0, -1], [1, 1, 0]]))
    assert (share.tolist(), value.tolist()) == ([0, 0, 1], [-1, -1, 0])
    dominated = np.array(
        [[0.0, 234, 34, -270], [-234, 0, -38, -464], [-34, 38, 0, -270], [270, 464, 270, 0]]
    )
    assert nash_average(dominated)[0] == pytest.approx([0, 0, 0, 1])
    # Copies share what one would have: entropy picks the even mixture.
    assert nash_average(np.zeros((3, 3)))[0] == pytest.approx([1 / 3] * 3, abs=1e-6)
    with pytest.raises(ValueError, match="antisymmetric"):
        nash_average(np.ones((2, 2)))


def test_elo_of_openspiel() -> None:
    """Wins [[0, 4, 2], [1, 0, 2], [3, 3, 0]]: the first equals the third, the second is lower."""
    wins = [[0, 4, 2], [1, 0, 2], [3, 3, 0]]
    names = ("a@1", "b@1", "c@1")
    cells: list[CellRow] = []
    results: list[GameResult] = []
    for i, j in combinations(range(3), 2):
        pair = cell(len(cells), (names[i], names[j]), blocks=5, rulebook=f"gomoku/g{i}{j}")
        cells.append(pair)
        outcomes = [(1.0, 0.0)] * wins[i][j] + [(0.0, 1.0)] * wins[j][i]
        results += duel_results(pair, outcomes)
    first, second, third = strengths(table_from(cells, results), prior=1e-7).elo
    assert first == pytest.approx(third, abs=1e-3) and second < first - 100


def test_ranks() -> None:
    board = leaderboard(on_a_line(1, 250), "gomoku")
    found = ranks(board)
    assert [view.engine for view in found] == [entry.engine for entry in board.entries]
    spans = {view.engine: (view.best, view.worst) for view in found}
    assert spans["a@1"] == (1, 1) and spans["d@1"] == (4, 4)
    assert spans["b@1"] == spans["c@1"] == (2, 3)
    assert sum(view.first for view in found) == pytest.approx(1, abs=2e-3)
    assert sum(view.top_three for view in found) == pytest.approx(3, abs=2e-3)
    matrix = np.array(superiority_matrix(board))
    assert matrix + matrix.T == pytest.approx(np.ones((4, 4)))
    assert (matrix[0, 1:] > 0.99).all()
    assert ranks(board) == found
    few = ranks(leaderboard(on_a_line(1, 4), "gomoku"))
    assert any(view.worst - view.best >= 2 for view in few)


def test_cross_table_by_hand() -> None:
    pair = cell(0, ("a@1", "b@1"), blocks=40)
    # Seat 0 holds a, then b: a scores 2, 1 and 1/2 of two.
    outcomes = [(1, 0), (1, 1), (0, 0.5), (1, 0)] * 10
    one, other = cross_table(table_from([pair], duel_results(pair, outcomes)))
    assert (one.engine, one.opponent, one.games) == ("a@1", "b@1", 80)
    assert one.score.value == pytest.approx((2 + 1 + 0.5 + 2) / 8)
    assert other.score.low == pytest.approx(1 - one.score.high)
    assert one.score.low < one.score.value < one.score.high


def test_a_cycle_is_found_and_a_line_is_not_refuted() -> None:
    straight = [one_line_fits(cross_table(on_a_line(seed, 60))) for seed in range(30)]
    assert sum(p < 0.05 for p in straight) <= 5
    cycle = {("a@1", "b@1"): 150.0, ("b@1", "c@1"): 150.0, ("a@1", "c@1"): -150.0}
    crossings = cross_table(robin(3, cycle, 80))
    assert one_line_fits(crossings) < 1e-6
    names, payoff = payoffs(crossings)
    assert names == ("a@1", "b@1", "c@1")
    assert nash_average(payoff)[0] == pytest.approx([1 / 3] * 3, abs=0.15)
    assert alpha_rank(payoff).sum() == pytest.approx(1)
    assert math.isnan(one_line_fits(cross_table(robin(4, {("a@1", "b@1"): 9.0}, 5))))
    assert math.isnan(one_line_fits([]))


def test_running_elo_follows_the_plan() -> None:
    elo = running_elo(on_a_line(2, 100))
    assert sum(elo.values()) == pytest.approx(0)
    assert max(elo, key=lambda name: elo[name]) == "a@1" and elo["d@1"] < -50


def test_running_elo_of_evalica() -> None:
    """evalica, README: three comparisons of three dishes, from 1000 by steps of 30."""
    games = [("pizza", "burger", 1.0), ("burger", "sushi", 0.0), ("pizza", "sushi", 0.5)]
    cells = [cell(i, pair, seatings=[pair], blocks=1) for i, (*pair, _) in enumerate(games)]
    results = [
        r
        for own, (*_, score) in zip(cells, games, strict=True)
        for r in duel_results(own, [(score,)])
    ]
    elo = running_elo(table_from(cells, results), gain=30)
    found = {name: 1000 + value for name, value in elo.items()}
    assert found == pytest.approx(
        {"pizza": 1014.972, "burger": 970.647, "sushi": 1014.381}, abs=5.1e-4
    )
