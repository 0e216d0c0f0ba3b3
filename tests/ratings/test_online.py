"""Skills game by game: published updates, and a live board of a table of four and of teams."""

from __future__ import annotations

import numpy as np
import pytest

from arena.ratings.online import Rule, Skill, even_chance, running_skill, update
from tests.ledger.samples import cell, result
from tests.ratings.tables import table_from

NEW = Skill()
PL, EP = Rule.PLACKETT_LUCE, Rule.PROPAGATION

# Of trueskill 0.4.5's tests (defaults): sizes of sides, places, (mu, sigma) of each side's players.
PROPAGATION = [
    ((1, 1), (1, 2), ((29.396, 7.171), (20.604, 7.171))),
    ((1, 1), (1, 1), ((25.000, 6.458), (25.000, 6.458))),
    ((2, 2), (1, 2), ((28.108, 7.774), (21.892, 7.774))),
    ((4, 4), (1, 2), ((27.198, 8.059), (22.802, 8.059))),
    ((1, 2), (1, 2), ((33.730, 7.317), (16.270, 7.317))),
    ((1, 1, 1), (1, 2, 3), ((31.675, 6.656), (25.000, 6.208), (18.325, 6.656))),
    (
        (1, 1, 1, 1),
        (1, 2, 3, 4),
        ((33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)),
    ),
]

# openskill 6.2.0, defaults; the sigma of the second of a duel is that of the first.
WENG_LIN = [
    (
        PL,
        (1, 1),
        ((27.635389493140497, 8.06590141354368), (22.364610506859503, 8.06590141354368)),
        1e-12,
    ),
    (
        PL,
        (2, 2),
        ((26.964294621803063, 8.177962604389991), (23.035705378196937, 8.177962604389991)),
        1e-12,
    ),
    (
        PL,
        (1, 1, 1, 1),
        ((27.7953, 8.2636), (26.5529, 8.1796), (24.6894, 8.0841), (20.9624, 8.0841)),
        5.1e-5,
    ),
    (PL, (1, 2), ((28.7085, 8.2445), (21.2915, 8.2073)), 5.1e-5),
    (
        Rule.BRADLEY_TERRY,
        (1, 1),
        ((27.635389493140497, 8.06590141354368), (22.364610506859503, 8.06590141354368)),
        1e-12,
    ),
    (Rule.THURSTONE, (1, 1), ((29.2310, 7.6313), (20.7690, 7.6313)), 5.1e-5),
]


@pytest.mark.parametrize(("sizes", "places", "published"), PROPAGATION)
def test_expectation_propagation(
    sizes: tuple[int, ...],
    places: tuple[int, ...],
    published: tuple[tuple[float, float], ...],
) -> None:
    for side, (mu, sigma) in zip(
        update([[NEW] * n for n in sizes], places, EP), published, strict=True
    ):
        for player in side:
            assert (player.mu, player.sigma) == pytest.approx((mu, sigma), abs=1e-3)


def test_how_even_a_duel_is() -> None:
    assert even_chance([NEW], [NEW]) == pytest.approx(0.447, abs=5.1e-4)
    assert even_chance([Skill(40, 1)], [NEW]) < 0.3


@pytest.mark.parametrize(("rule", "sizes", "published", "apart"), WENG_LIN)
def test_weng_and_lin(
    rule: Rule, sizes: tuple[int, ...], published: tuple[tuple[float, float], ...], apart: float
) -> None:
    found = update([[NEW] * n for n in sizes], range(len(sizes)), rule)
    for side, (mu, sigma) in zip(found, published, strict=True):
        for player in side:
            assert (player.mu, player.sigma) == pytest.approx((mu, sigma), abs=apart)


def test_against_openskill_with_ties_and_unlike_players() -> None:
    models = pytest.importorskip("openskill.models")
    rng = np.random.default_rng(1)
    for rule, model in (
        (PL, models.PlackettLuce()),
        (Rule.BRADLEY_TERRY, models.BradleyTerryFull()),
        (Rule.THURSTONE, models.ThurstoneMostellerFull()),
    ):
        for _ in range(10):
            sizes = rng.integers(1, 4, rng.integers(2, 5)).tolist()
            places = rng.integers(1, 4, len(sizes)).tolist()
            sides = [
                [Skill(*p) for p in rng.uniform((5, 4), (8, 9), (n, 2)).tolist()] for n in sizes
            ]
            theirs = model.rate(
                [[model.rating(mu=p.mu, sigma=p.sigma) for p in side] for side in sides],
                ranks=places,
            )
            for mine, other in zip(update(sides, places, rule), theirs, strict=True):
                for p, q in zip(mine, other, strict=True):
                    assert (p.mu, p.sigma) == pytest.approx((q.mu, q.sigma), abs=1e-9), rule


@pytest.mark.parametrize("rule", list(Rule))
def test_a_live_board_of_four_and_of_teams(rule: Rule) -> None:
    rng = np.random.default_rng(2)
    free = cell(0, ("a@1", "b@1", "c@1", "d@1"), blocks=12, rulebook="chinese_checkers/four")
    results = []
    for block in range(12):
        for permutation, seating in enumerate(free.seatings):
            luck = rng.gumbel(size=4) - ["abcd".index(who[0]) for who in seating]
            results.append(
                result(free, block, permutation, ((3 - (-luck).argsort().argsort()) / 3).tolist())
            )
    board = running_skill(table_from([free], results), rule)
    assert sorted(board, key=lambda name: -board[name].mu) == ["a@1", "b@1", "c@1", "d@1"]
    assert all(skill.sigma < 6 and skill.sure < skill.mu for skill in board.values())


def test_upsets_beyond_all_expectation_stay_finite() -> None:
    high, low = [Skill(500, 1)], [Skill(0, 1)]
    for rule in Rule:
        for places in ([1, 1], [2, 1]):
            (one,), (other,) = update([high, low], places, rule)
            assert one.mu < 500 and other.mu > 0 and 0 < one.sigma < 1.1


def test_bad_games() -> None:
    for sides, places in (([[NEW]], [1]), ([[NEW], []], [1, 2]), ([[NEW], [NEW]], [1])):
        with pytest.raises(ValueError, match="a place for each"):
            update(sides, places)
