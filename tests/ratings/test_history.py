"""Ratings of versions by their whole history: limits, truth, and what a chain is worth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from arena.ledger import CellRow, GameResult, GameTable
from arena.ratings import leaderboard
from arena.ratings.blocks import ELO
from arena.ratings.counts import count
from arena.ratings.draw_laws import DrawLaw
from arena.ratings.fitting import fit
from arena.ratings.history import Step, steps
from tests.ledger.samples import cell
from tests.ratings.tables import duel_results, simulated_duel, table_from


def test_versions_are_ordered_as_people_order_them() -> None:
    names = ["x@1.10", "y@2", "x@1.9", "x@1.9.1", "x@1.10-rc", "z@a", "a@b@2", "a@b@10"]
    assert steps([*names, "x@1.9"]) == [
        Step("a@b@2", "a@b@10"),
        Step("x@1.9", "x@1.9.1"),
        Step("x@1.9.1", "x@1.10"),
        Step("x@1.10", "x@1.10-rc"),
    ]
    assert steps([]) == []


def career(seed: int, elo: list[float], blocks: int) -> GameTable:
    """Versions of x, one after the other, each against the same opponent at 0."""
    rng = np.random.default_rng(seed)
    cells: list[CellRow] = []
    results: list[GameResult] = []
    for version, worth in enumerate(elo):
        pair = cell(len(cells), (f"x@{version}", "o@1"), blocks=blocks)
        cells.append(pair)
        results += simulated_duel(rng, pair, {f"x@{version}": worth, "o@1": 0.0}, nu=0.3)
    return table_from(cells, results)


def rated(table: GameTable, drift: float | None) -> dict[str, float]:
    return {
        e.engine: e.elo for e in leaderboard(table, "gomoku", anchor="o@1", drift=drift).entries
    }


def test_between_one_strength_and_no_history() -> None:
    table = career(1, [0.0, 60.0, 20.0], 40)
    free, loose, tight = (rated(table, drift) for drift in (None, 1e5, 0.01))
    assert loose == pytest.approx(free, abs=0.1)
    together = [tight[f"x@{v}"] for v in range(3)]
    assert max(together) - min(together) < 0.01
    # Of equal numbers of games, one strength is near the mean of the three.
    mean = sum(free[f"x@{v}"] for v in range(3)) / 3
    assert together[0] == pytest.approx(mean, abs=3)


def test_the_maximum_of_likelihood_and_steps() -> None:
    """The fit, against a general maximiser of the posterior written out."""
    counts = [count(part) for part in career(2, [0.0, 90.0], 30).by_cell()]
    names = ("o@1", "x@0", "x@1")
    rows = [
        (names.index(one), 3 + a, names.index(other), 3 + b, c.wins[k], c.draws[k], c.losses[k])
        for c in counts
        for k, ((one, other), (a, b)) in enumerate(zip(c.engines, c.pairs, strict=True))
    ]

    def loss(x: NDArray[np.float64], variance: float) -> float:
        found = -float((x[2] - x[1]) ** 2) / (2 * variance)
        for one, a, other, b, *seen in rows:
            lead = np.array([x[one] + x[a] - x[other] - x[b]])
            logs = DrawLaw.DAVIDSON.log_chances(lead, x[5:])[:, 0]
            found += float(logs @ np.array(seen))
        away = x - np.array([0, 0, 0, 0, 0, DrawLaw.DAVIDSON.centre])
        return -found + float((np.logaddexp(0, away) + np.logaddexp(0, -away)).sum()) / 2

    for variance in (0.01, 0.1, 1.0):
        best = minimize(loss, np.zeros(6), args=(variance,), tol=1e-10).x
        held = fit(counts, near=[("x@0", "x@1")], variance=variance)
        assert held.engines == names
        assert held.strength == pytest.approx(best[:3], abs=1e-4)


def test_history_rates_better_and_says_how_well() -> None:
    """Careers drawn from the prior: smaller errors than games alone, and honest intervals."""
    rng = np.random.default_rng(3)
    free_error, error, held, of = 0.0, 0.0, 0, 0
    for seed in range(30):
        elo = np.cumsum(rng.normal(0, 30, 6)).tolist()
        table = career(100 + seed, elo, 25)
        plain = rated(table, None)
        board = leaderboard(table, "gomoku", anchor="o@1", drift=30)
        for version, worth in enumerate(elo):
            interval = board.difference(f"x@{version}", "o@1")
            truth = worth * board.scale
            free_error += (plain[f"x@{version}"] - truth) ** 2
            error += (interval.value - truth) ** 2
            held += interval.low <= truth <= interval.high
            of += 1
    assert error < 0.6 * free_error
    assert 0.91 <= held / of <= 0.99


def test_versions_that_met_nobody_in_common_are_one_group() -> None:
    cells = [cell(0, ("x@1", "o@1"), blocks=20), cell(1, ("x@2", "p@1"), blocks=20)]
    table = table_from(cells, [r for c in cells for r in duel_results(c, [(1, 0), (0, 0)] * 10)])
    assert len(leaderboard(table, "gomoku").groups) == 2
    board = leaderboard(table, "gomoku", drift=20)
    assert len(board.groups) == 1 and "20 Elo or so" in board.notes[0].en
    assert math.isfinite(board.difference("x@1", "p@1").high)
    assert abs(board.difference("x@1", "x@2").value) < 20 * ELO / 100


def test_what_has_no_history_or_makes_no_sense() -> None:
    cells = [cell(0, ("a@1", "b@1"), blocks=4)]
    table = table_from(cells, duel_results(cells[0], [(1, 0)] * 4))
    assert "no engine has two versions" in leaderboard(table, "gomoku", drift=30).notes[0].en
    for drift in (0, -1, math.inf, math.nan):
        with pytest.raises(ValueError, match="drift"):
            leaderboard(table, "gomoku", drift=drift)
