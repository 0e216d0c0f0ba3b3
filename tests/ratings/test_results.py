"""Results from anywhere: published fits of small tables of games, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from arena.ratings import leaderboard
from arena.ratings.blocks import ELO
from arena.ratings.choice import Effects, strengths
from arena.ratings.results import Game, duel, order, table_of_games
from arena.ratings.views import cross_table, running_elo

# evalica, simple.csv and food.csv: left, right, score of the left.
SIMPLE = (
    "01= 02- 02= 04= 10+ 12= 12= 13= 24= 30+ 31+ 32+ 34= 34= 40+ 43+",
    {digit: digit for digit in "01234"},
)
FOOD = (
    (
        "PS+ BA- TP+ ST- BP+ AS- TB+ PA= SB- AT+ BS- TP+ SA= BT+ PB- AT- BS- TA+ PT- SB+ AP- BS-"
        " TA+ PS+ SB- AT- TP+ BA- ST+ PB-"
    ),
    {"P": "Pizza", "S": "Sushi", "B": "Burger", "A": "Pasta", "T": "Tacos"},
)
SCORE = {"+": 1.0, "=": 0.5, "-": 0.0}

# evalica, simple-golden.csv and food-golden.csv.
GOLDEN = [
    ("elo, simple", SIMPLE, "4", 1004.0562423948679),
    ("elo, simple", SIMPLE, "3", 1003.8861974411536),
    ("elo, simple", SIMPLE, "2", 999.9773072285024),
    ("elo, simple", SIMPLE, "1", 999.9771705955386),
    ("elo, simple", SIMPLE, "0", 992.1030823399375),
    ("elo, food", FOOD, "Tacos", 1013.3587771887543),
    ("elo, food", FOOD, "Sushi", 1002.0980590208538),
    ("elo, food", FOOD, "Burger", 998.0260933346951),
    ("elo, food", FOOD, "Pasta", 994.1913058814378),
    ("elo, food", FOOD, "Pizza", 992.325764574259),
    ("bradley_terry, simple", SIMPLE, "4", 0.34947527489923),
    ("bradley_terry, simple", SIMPLE, "3", 0.33688868041573855),
    ("bradley_terry, simple", SIMPLE, "2", 0.13168568070110523),
    ("bradley_terry, simple", SIMPLE, "1", 0.1311506914535368),
    ("bradley_terry, simple", SIMPLE, "0", 0.050799672530389396),
    ("bradley_terry, food", FOOD, "Tacos", 0.43428982771223773),
    ("bradley_terry, food", FOOD, "Sushi", 0.19060028489839073),
    ("bradley_terry, food", FOOD, "Burger", 0.14797665121689418),
    ("bradley_terry, food", FOOD, "Pasta", 0.1281534106031957),
    ("bradley_terry, food", FOOD, "Pizza", 0.09897982556928168),
    ("newman, simple", SIMPLE, "4", 13.03674474236858),
    ("newman, simple", SIMPLE, "3", 12.805770244756038),
    ("newman, simple", SIMPLE, "2", 0.4814190342801864),
    ("newman, simple", SIMPLE, "1", 0.4802400245305803),
    ("newman, simple", SIMPLE, "0", 0.017973592758248474),
    ("newman, food", FOOD, "Tacos", 2.6652107229187254),
    ("newman, food", FOOD, "Sushi", 1.0906271591531849),
    ("newman, food", FOOD, "Burger", 0.8296600883232509),
    ("newman, food", FOOD, "Pasta", 0.7101537820870093),
    ("newman, food", FOOD, "Pizza", 0.536812511441843),
]


def played(data: tuple[str, dict[str, str]]) -> list[tuple[str, str, float]]:
    games, name = data
    return [(name[g[0]], name[g[1]], SCORE[g[2]]) for g in games.split()]


def weights(games: list[tuple[str, str, float]]) -> dict[str, float]:
    """Bradley-Terry weights by maximum likelihood, all but without a prior; they add up to 1."""
    found = strengths(
        table_of_games(duel(*game) for game in games), effects=Effects.NONE, prior=1e-9
    )
    weight = np.exp(found.elo / ELO)
    return dict(zip(found.players, (weight / weight.sum()).tolist(), strict=True))


def by_evalica(method: str, games: list[tuple[str, str, float]]) -> dict[str, float]:
    if method == "elo":
        found = running_elo(table_of_games(duel(*game) for game in games), gain=4)
        return {name: 1000 + elo for name, elo in found.items()}
    if method == "newman":
        return weights(games)
    # A draw is half a win of each there.
    return weights(
        [
            (one, other, half)
            for one, other, score in games
            for half in ((1.0, 0.0) if score == 0.5 else (score, score))
        ]
    )


@pytest.mark.parametrize(
    ("case", "data", "name", "published"),
    GOLDEN,
    ids=[f"{case} {name}" for case, _, name, _ in GOLDEN],
)
def test_evalica(case: str, data: tuple[str, dict[str, str]], name: str, published: float) -> None:
    method = case.partition(",")[0]
    found = by_evalica(method, played(data))
    if method == "newman":
        # Its weights have no fixed sum, and it stops at steps of a millionth.
        total = sum(value for own, _, item, value in GOLDEN if own == case for _ in item[:1])
        assert found[name] == pytest.approx(published / total, rel=2e-5)
    else:
        assert found[name] == pytest.approx(published, rel=1e-8)


def test_a_match_by_hand() -> None:
    """Davidson's estimates of one pair: lead = 400 log10(W / L), nu = D / sqrt(W L)."""
    games = [duel("a", "b", s) for s, n in ((1.0, 136), (0.5, 111), (0.0, 96)) for _ in range(n)]
    found = strengths(table_of_games(games), effects=Effects.NONE, prior=1e-9)
    assert found.difference("a", "b").value == pytest.approx(400 * np.log10(136 / 96), abs=1e-3)
    ((_, _, nu),) = found.draws
    assert nu == pytest.approx(111 / np.sqrt(136 * 96), rel=1e-6)
    # Each game is a set-up by itself: Fisher's information, and Student's quantile.
    assert found.setups == 343
    assert found.effects == ()


def test_rankings_are_choixs() -> None:
    choix = pytest.importorskip("choix")
    rng = np.random.default_rng(1)
    names = "abcde"
    worth = np.array([1.0, 0.5, 0.0, -0.5, -1.0])
    ranked = []
    for _ in range(200):
        seats = rng.choice(5, 4, replace=False)
        ranked.append(seats[(-(worth[seats] + rng.gumbel(size=4))).argsort()].tolist())
    theirs = choix.ilsr_rankings(5, ranked)
    found = strengths(
        table_of_games(order(*(names[i] for i in r)) for r in ranked),
        effects=Effects.NONE,
        prior=1e-9,
    )
    assert found.players == tuple(names)
    assert found.elo / ELO == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def test_partners_add_up() -> None:
    """Two against one, won two in three: their sum is 400 log10(2) over the one."""
    games = [
        Game((pair, "z"), places)
        for pair in (("x", "y"), ("y", "x"))
        for places in ((1, 2), (1, 2), (2, 1))
    ]
    found = strengths(table_of_games(games), effects=Effects.NONE, prior=1e-9)
    # A sum of two over one has no zero; a prior, however weak, shares it out: x = y = -z.
    assert found.difference("x", "y").value == pytest.approx(0, abs=1e-3)
    lead = 400 * np.log10(2)
    assert found.difference("x", "z").value == pytest.approx(2 / 3 * lead, abs=1e-2)
    table = table_of_games(games)
    assert table.scores[0].tolist() == [1, 1, 0] and table.places[2].tolist() == [2, 2, 1]


def test_places_and_shares_of_a_table_with_ties() -> None:
    table = table_of_games([Game(("a", "b", "c", "d"), (2, 1, 2, 3))])
    assert table.places[0].tolist() == [2, 1, 2, 4]
    assert table.scores[0] == pytest.approx([0.5, 1, 0.5, 0])


def test_a_leaderboard_and_a_cross_table_of_them() -> None:
    games = [duel(*game) for game in played(FOOD)]
    board = leaderboard(table_of_games(games, "food/votes"), "food")
    assert board.entries[0].engine == "Tacos" and board.blocks == len(games) == 30
    crossing = {(c.engine, c.opponent): c for c in cross_table(table_of_games(games))}
    assert sum(c.games for c in crossing.values()) == 60


def test_bad_results() -> None:
    with pytest.raises(ValueError, match=r"score 2 of a against b: must be 1, 0\.5 or 0"):
        duel("a", "b", 2)
    for bad in (Game(("a",), (1,)), Game(("a", "b"), (1,)), Game(("a", ()), (1, 2))):
        with pytest.raises(ValueError, match=r"game 1: .*two sides or more"):
            table_of_games([duel("a", "b", 1), bad])
    with pytest.raises(ValueError, match="no complete block"):
        strengths(table_of_games([]))
