"""Plackett-Luce, teams and one against two by one core: against Davidson, choix and truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import root

from arena.ledger import CellRow, GameResult, GameTable
from arena.ratings import leaderboard
from arena.ratings.blocks import ELO
from arena.ratings.choice import Effects, strengths
from arena.ratings.draw_laws import DrawLaw
from tests.ledger.samples import cell, result
from tests.ratings.tables import duel_results, simulated_duel, table_from


def test_two_seats_are_davidsons_model() -> None:
    rng = np.random.default_rng(1)
    cells = [
        cell(0, ("a@1", "b@1"), blocks=60),
        cell(1, ("b@1", "c@1"), blocks=60),
        cell(2, ("a@1", "c@1"), blocks=60, rulebook="gomoku/other"),
    ]
    strong = {"a@1": 80, "b@1": 0, "c@1": -60}
    results = [r for c in cells for r in simulated_duel(rng, c, strong, first=40, nu=0.8)]
    table = table_from(cells, results)
    board, found = leaderboard(table, "gomoku"), strengths(table)
    for one, other in permutations(found.players, 2):
        old, new = board.difference(one, other), found.difference(one, other)
        assert new.value * board.scale == pytest.approx(old.value, abs=1e-5)
        assert board.superiority(one, other) == pytest.approx(found.superiority(one, other))
    draws = {first.rulebook: first.draw for first in board.first_seat}
    assert {r: nu for r, _, nu in found.draws} == pytest.approx(draws, rel=1e-6)


def test_choix_by_maximum_likelihood() -> None:
    """choix 0.4.1, `opt_pairwise` on (1>0) (0>4) (3>1) (0>2) (2>4) (4>3)."""
    names = [f"e{i}@1" for i in range(5)]
    wins = [(1, 0), (0, 4), (3, 1), (0, 2), (2, 4), (4, 3)]
    cells, results = [], []
    for index, (winner, loser) in enumerate(wins):
        # Each seat once, so that the seats are even; the same result as one game of each.
        duel = cell(index, (names[winner], names[loser]), blocks=1, rulebook=f"gomoku/g{index}")
        cells.append(duel)
        results += duel_results(duel, [(1, 0)])
    # Without a prior; and with its penalty of 0.01 theta^2 on single games, which near 0 is
    # that of 8 x 0.01 virtual games here, for every game that was played.
    for prior, published, apart in (
        (1e-7, (0.582814, 0.194271, 0, -0.194271, -0.582814), 2e-6),
        (0.16, (0.56623, 0.183671, 0, -0.183671, -0.56623), 5e-4),
    ):
        found = strengths(table_from(cells, results), prior=prior)
        order = [found.players.index(name) for name in names]
        assert found.elo[order] / ELO == pytest.approx(published, abs=apart)


def slopes_of(theta: np.ndarray) -> np.ndarray:
    """Of the likelihood of (1>0) (0>4) (3>1) (0>2) (2>4) (4>3), by those that are fitted here."""
    slopes = np.zeros(5)
    for winner, loser in [(1, 0), (0, 4), (3, 1), (0, 2), (2, 4), (4, 3)]:
        # No draws: their parameter far down.
        lead = np.array([theta[winner] - theta[loser]])
        by_u = DrawLaw.RAO_KUPPER.slopes(lead, np.array([-50.0]))[0, 0, 0]
        slopes[winner] += by_u
        slopes[loser] -= by_u
    return slopes


def test_choix_by_its_penalty() -> None:
    """choix 0.4.1, `opt_pairwise` with alpha = 0.01 on the same six games: it pulls by 2 alpha theta."""

    def pulled(theta: np.ndarray) -> np.ndarray:
        slopes: np.ndarray = slopes_of(theta) - 0.02 * theta
        return slopes

    found = root(pulled, np.zeros(5), tol=1e-12).x
    assert found == pytest.approx([0.56623, 0.183671, 0, -0.183671, -0.56623], abs=5.1e-6)
    assert found[[1, 3]] == pytest.approx([0.183671, -0.183671], abs=5.1e-7)


def test_choix_by_its_chain() -> None:
    """choix 0.4.1, `ilsr_pairwise` with alpha = 0.01 on the same six games.

    Its alpha is added to every rate of a Markov chain: where the chain is at rest, the slopes of
    the likelihood equal a pull of alpha x n x (an item's weight - 1), weights being 1 on average.
    """

    def pulled(theta: np.ndarray) -> np.ndarray:
        weights = np.exp(theta) / np.exp(theta).mean()
        # Of the sum nothing is said by the games; choix makes it 0.
        slopes: np.ndarray = slopes_of(theta) - 0.01 * 5 * (weights - 1) + theta.sum()
        return slopes

    found = root(pulled, np.zeros(5), tol=1e-12).x
    published = [0.539294, 0.174554, 0.001540, -0.166111, -0.549277]
    assert found == pytest.approx(published, abs=5.1e-7)


def rankings(
    rng: np.random.Generator, table: CellRow, worth: dict[str, float], seat: Sequence[float]
) -> list[GameResult]:
    """Plackett-Luce by Gumbel's trick."""
    found = []
    for block in range(table.planned_blocks):
        for permutation, seating in enumerate(table.seatings):
            utility = [worth[e] / ELO + seat[i] / ELO for i, e in enumerate(seating)]
            order = (-(np.array(utility) + rng.gumbel(size=len(seating)))).argsort().argsort()
            n = len(seating) - 1
            found.append(result(table, block, permutation, ((n - order) / n).tolist()))
    return found


def test_free_for_all_against_choix() -> None:
    choix = pytest.importorskip("choix")
    rng = np.random.default_rng(2)
    names = ("a@1", "b@1", "c@1", "d@1")
    every = [list(order) for order in permutations(names)]
    table = cell(0, names, seatings=every, blocks=12, rulebook="chinese_checkers/four")
    results = rankings(rng, table, dict(zip(names, (150, 50, -20, -180), strict=True)), [0] * 4)
    found = strengths(table_from([table], results), prior=1e-9)
    ranked = [
        [names.index(r.engines[i]) for i in np.argsort(r.places, kind="stable")] for r in results
    ]
    theirs = choix.ilsr_rankings(4, ranked)
    # Seat effects are fitted beside the strengths, so that the two differ by a hair.
    assert found.elo / ELO == pytest.approx(theirs - theirs.mean(), abs=0.02)


def test_seats_and_strengths_of_a_table_of_four_are_told_apart() -> None:
    rng = np.random.default_rng(3)
    names = ("a@1", "b@1", "c@1", "d@1")
    table = cell(0, names, blocks=400, rulebook="chinese_checkers/four")
    true = {"a@1": 120.0, "b@1": 30.0, "c@1": -30.0, "d@1": -120.0}
    found = strengths(table_from([table], rankings(rng, table, true, [90, 0, 0, -90])))
    for one, other in permutations(names, 2):
        interval = found.difference(one, other)
        assert interval.low - 15 < true[one] - true[other] < interval.high + 15
        assert interval.high - interval.low < 80
    worth = {w.name: w.elo for w in found.effects}
    assert (
        worth["seat 0"].low < 120 < worth["seat 0"].high
        and worth["seat 3"].low < -120 < worth["seat 3"].high
    )
    assert worth["seat 1"].low < 0 < worth["seat 1"].high


def test_ties_at_a_table_of_three() -> None:
    """All tied, always: equal strengths and a large draw parameter for three."""
    table = cell(0, ("a@1", "b@1", "c@1"), blocks=30, rulebook="chinese_checkers/three")
    results = [result(table, b, p, (0.5,) * 3) for b in range(30) for p in range(3)]
    found = strengths(table_from([table], results))
    assert found.elo == pytest.approx([0, 0, 0], abs=1e-6)
    ((_, size, nu),) = found.draws
    assert size == 3 and nu > 10


def test_ties_do_not_bias_strengths() -> None:
    """Davidson-Luce: a ties with b half of the time and c is always last."""
    table = cell(0, ("a@1", "b@1", "c@1"), blocks=40, rulebook="chinese_checkers/three")
    results = []
    for block in range(40):
        for permutation, seating in enumerate(table.seatings):
            lead = {"a@1": 0.75, "b@1": 0.75, "c@1": 0.0}
            if block % 2:
                lead["a@1"], lead["b@1"] = (1.0, 0.5) if block % 4 == 1 else (0.5, 1.0)
            results.append(result(table, block, permutation, [lead[e] for e in seating]))
    found = strengths(table_from([table], results))
    assert found.difference("a@1", "b@1").value == pytest.approx(0, abs=0.5)
    assert found.difference("a@1", "c@1").low > 100


def teams(rng: np.random.Generator, seating: Sequence[str], lead: float) -> tuple[float, ...]:
    first = rng.random() < 1 / (1 + 10 ** (-lead / 400))
    return tuple(float((seat % 2 == 0) == first) for seat in range(len(seating)))


def two_against_two(rng: np.random.Generator, blocks: int, true: dict[str, float]) -> GameTable:
    names = sorted(true)
    cells, results = [], []
    for index, (one, other) in enumerate(permutations(names, 2)):
        third, fourth = (n for n in names if n not in (one, other))
        seatings = [(one, third, other, fourth), (third, other, fourth, one)]
        row = cell(index, seatings[0], seatings=seatings, blocks=blocks, rulebook="tuolaji/x")
        cells.append(row)
        for block in range(blocks):
            for permutation, seating in enumerate(seatings):
                strength = [true[e] for e in seating]
                lead = strength[0] + strength[2] - strength[1] - strength[3] + 50
                scores = teams(rng, seating, lead)
                made = result(row, block, permutation, scores)
                results.append(replace(made, sides=(0, 1, 0, 1)))
    return table_from(cells, results)


def test_partners_are_told_apart_by_whom_they_play_with() -> None:
    true = {"a@1": 100.0, "b@1": 40.0, "c@1": -20.0, "d@1": -120.0}
    found = strengths(two_against_two(np.random.default_rng(4), 120, true))
    for one, other in permutations(true, 2):
        interval = found.difference(one, other)
        assert interval.low - 12 < true[one] - true[other] < interval.high + 12
        assert interval.high - interval.low < 110
    assert not found.draws
    # A side's seats are worth something together: 50 Elo to the first team over the other.
    worth = {w.name: w.elo for w in found.effects}
    assert set(worth) == {"seat 0 + seat 2", "seat 1 + seat 3"}
    first = worth["seat 0 + seat 2"]
    assert first.low - 12 < 50 < first.high + 12 and first.high - first.low < 40
    assert worth["seat 1 + seat 3"].value == pytest.approx(-first.value)


def one_against_two(rng: np.random.Generator, blocks: int) -> GameTable:
    """a is the better landlord, b the better peasant."""
    lord = {"a@1": 120.0, "b@1": 0.0}
    peasant = {"a@1": 0.0, "b@1": 60.0}
    seatings = [("a@1", "b@1", "b@1"), ("b@1", "a@1", "a@1"), ("a@1", "a@1", "b@1")]
    row = cell(0, ("a@1", "b@1", "b@1"), seatings=seatings, blocks=blocks, rulebook="doudizhu/x")
    results = []
    for block in range(blocks):
        for permutation, (one, two, three) in enumerate(seatings):
            lead = lord[one] - peasant[two] - peasant[three] + 30
            won = rng.random() < 1 / (1 + 10 ** (-lead / 400))
            scores = (1.0, 0.0, 0.0) if won else (0.0, 1.0, 1.0)
            made = result(row, block, permutation, scores, roles=("lord", "farmer", "farmer"))
            results.append(replace(made, sides=(0, 1, 1)))
    return table_from([row], results)


def test_one_against_two_by_role() -> None:
    table = one_against_two(np.random.default_rng(5), 1500)
    found = strengths(table, effects=Effects.ROLE, by_role=True)
    assert found.players == ("a@1 as farmer", "a@1 as lord", "b@1 as farmer", "b@1 as lord")
    lords = found.difference("a@1 as lord", "b@1 as lord")
    farmers = found.difference("b@1 as farmer", "a@1 as farmer")
    assert lords.low < 120 < lords.high and farmers.low < 60 < farmers.high
    assert lords.high - lords.low < 120
    # Between engines of mean strength the lord is 30 + 120 / 2 - 2 x 60 / 2 ahead.
    (_, lord) = found.effects
    assert lord.name == "lord" and lord.elo.low < 30 < lord.elo.high
    assert lord.elo.high - lord.elo.low < 80


def test_dealers_are_a_column_of_their_teams() -> None:
    """The deal goes round: what it is worth is told from seats and engines."""
    rng = np.random.default_rng(12)
    seatings = [("a@1", "b@1") * 2, ("b@1", "a@1") * 2]
    row = cell(0, seatings[0], seatings=seatings, blocks=800, rulebook="tuolaji/x")
    results = []
    for block in range(800):
        dealer = int(rng.integers(4))
        for permutation, seating in enumerate(seatings):
            roles = [
                ("dealer", "attacker", "partner")[(seat - dealer) % 4 % 3] for seat in range(4)
            ]
            roles[(dealer + 3) % 4] = "attacker"
            lead = 100 if seating[0] == "a@1" else -100
            lead += 60 if dealer % 2 == 0 else -60
            made = result(row, block, permutation, teams(rng, seating, lead), roles=roles)
            results.append(replace(made, sides=(0, 1, 0, 1)))
    found = strengths(table_from([row], results), effects=Effects.ROLE)
    worth = {w.name: w.elo for w in found.effects}
    assert set(worth) == {"dealer + partner", "attacker"}
    deal = worth["dealer + partner"]
    assert deal.low < 60 < deal.high and deal.high - deal.low < 80
    gap = found.difference("a@1", "b@1")
    assert gap.low < 50 < gap.high  # two of each


def test_perfect_scores_are_finite_and_wide() -> None:
    duel = cell(0, ("a@1", "b@1"), blocks=30)
    found = strengths(table_from([duel], duel_results(duel, [(1, 0)] * 30)))
    lead = found.difference("a@1", "b@1")
    assert 300 < lead.value < 2000 and lead.low < lead.value - 200


def test_order_and_bad_requests() -> None:
    rng = np.random.default_rng(6)
    table = cell(0, ("a@1", "b@1", "c@1"), blocks=20, rulebook="chinese_checkers/three")
    worth = {"a@1": 50.0, "b@1": 0.0, "c@1": 0.0}
    results = rankings(rng, table, worth, [0, 0, 0])
    one = strengths(table_from([table], results))
    other = strengths(table_from([table], results[::-1]))
    assert (one.elo == other.elo).all() and (one.covariance == other.covariance).all()
    with pytest.raises(KeyError, match="no player 'x'"):
        one.difference("x", "a@1")
    with pytest.raises(ValueError, match="prior"):
        strengths(table_from([table], results), prior=0)
    with pytest.raises(ValueError, match="no complete block"):
        strengths(table_from([table], []))
    assert math.isclose(one.superiority("a@1", "b@1") + one.superiority("b@1", "a@1"), 1)
