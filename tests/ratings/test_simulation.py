"""Errors of ratings by simulation beside those from the covariance."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.ledger import GameTable
from arena.ratings import DrawLaw, leaderboard
from arena.ratings.blocks import ELO
from arena.ratings.simulation import simulate
from tests.ledger.samples import cell, result
from tests.ratings.tables import duel_results, simulated_duel, table_from

WORTH = {"a@1": 120.0, "b@1": 0.0, "c@1": -90.0}
PAIRS = [("a@1", "b@1"), ("b@1", "c@1"), ("a@1", "c@1")]


def league(seed: int, opening: float, blocks: int = 400) -> GameTable:
    rng = np.random.default_rng(seed)
    cells = [cell(i, pair, blocks=blocks) for i, pair in enumerate(PAIRS)]
    results = [
        r
        for own in cells
        for r in simulated_duel(rng, own, WORTH, first=40, nu=0.5, opening=opening)
    ]
    return table_from(cells, results)


@pytest.mark.parametrize("law", list(DrawLaw))
def test_both_say_the_same_where_games_are_independent(law: DrawLaw) -> None:
    table = league(1, opening=0)
    board = leaderboard(table, "gomoku", law=law)
    found = simulate(table, board, 300)
    assert [each.engine for each in found] == [entry.engine for entry in board.entries]
    for each in found:
        assert each.error / each.simulated == pytest.approx(1, abs=0.15)
        assert abs(each.bias) < 0.3 * each.error
    assert found == simulate(table, board, 300), "the seed is fixed"
    anchored = leaderboard(table, "gomoku", law=law, anchor="b@1")
    zero = {each.engine: each for each in simulate(table, anchored, 100, anchor="b@1")}
    assert (zero["b@1"].error, zero["b@1"].simulated, zero["b@1"].bias) == (0, 0, 0)
    assert zero["a@1"].error / zero["a@1"].simulated == pytest.approx(1, abs=0.25)


def test_a_known_error_of_one_difference() -> None:
    """Two engines, 600 of 1,000 games won: the error of the log odds is 1 / sqrt(n p (1 - p))."""
    own = cell(0, ("a@1", "b@1"), blocks=500)
    rng = np.random.default_rng(2)
    won = np.zeros(1000)
    won[rng.permutation(1000)[:600]] = 1
    # Of the second game of a block the score is that of b, who sits in seat 0.
    scores = [(float(one), 1.0 - float(other)) for one, other in won.reshape(-1, 2)]
    table = table_from([own], duel_results(own, scores))
    board = leaderboard(table, "gomoku")
    first, second = simulate(table, board, 1000)
    wanted = ELO / math.sqrt(1000 * 0.6 * 0.4) / 2  # of each against the mean of the two
    assert first.simulated == pytest.approx(wanted, rel=0.1)
    assert first.simulated == pytest.approx(second.simulated)


def test_openings_that_decide_part_the_two() -> None:
    """Pairs that exchange seats take the luck of the opening off; single games do not know of it."""
    table = league(3, opening=800)
    board = leaderboard(table, "gomoku")
    assert all(each.error < 0.85 * each.simulated for each in simulate(table, board, 200))


def test_what_cannot_be_simulated() -> None:
    table = league(1, opening=0, blocks=3)
    board = leaderboard(table, "gomoku")
    with pytest.raises(ValueError, match="49 simulations: at least 50"):
        simulate(table, board, 49)
    three = cell(0, ("a@1", "b@1", "c@1"), blocks=2, rulebook="chinese_checkers/west10_3")
    played = [result(three, b, p, (1.0, 0.5, 0.0)) for b in range(2) for p in range(3)]
    wide = table_from([three], played)
    with pytest.raises(
        ValueError, match="chinese_checkers: simulated errors are for games of two seats"
    ):
        simulate(wide, leaderboard(wide, "chinese_checkers"), 50)
    empty = table_from([three], [])
    assert simulate(empty, leaderboard(empty, "chinese_checkers"), 50) == ()
