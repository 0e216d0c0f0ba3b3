"""Everybody meets everybody, seats balanced; gauntlets, groups, leagues of teams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.plan.tournament.round_robin import berger, gauntlet
from arena.plan.tournament.values import Fixture
from tests.plan.tournament.kit import event, matches, names, play, ranking, spec_of, winner_of


@given(st.integers(2, 25), st.integers(1, 4))
def test_everybody_meets_everybody_once_a_leg(count: int, legs: int) -> None:
    rounds = berger(range(1, count + 1), legs)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert met == Counter({frozenset(pair): legs for pair in combinations(range(1, count + 1), 2)})
    for pairs in rounds:
        busy = [number for pair in pairs for number in pair]
        assert len(busy) == len(set(busy)) == count - count % 2
    firsts = Counter(a for pairs in rounds for a, _ in pairs)
    games = legs * (count - 1)
    for number in range(1, count + 1):
        assert abs(2 * firsts[number] - games) <= (legs % 2)


def test_bergers_table_of_four() -> None:
    assert berger([1, 2, 3, 4]) == [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]


def test_a_gauntlet_is_the_hero_against_the_others() -> None:
    rounds = gauntlet(2, [1, 3, 4], legs=2)
    assert [set(pair) for (pair,) in rounds] == [{2, 1}, {2, 3}, {2, 4}] * 2
    assert [pair[0] == 2 for (pair,) in rounds] == [True, False, True, False, True, False]
    programme = play(event({"format": "gauntlet", "hero": "c"}, 4))
    assert [ranking(programme)[0], len(matches(programme))] == [(1, "a"), 3]


def test_groups_then_a_knock_out() -> None:
    spec = event(
        [
            {"format": "groups", "size": 4, "advance": 2, "draw": "seeds"},
            {"format": "knockout", "draw": "seeds"},
        ],
        10,
    )
    programme = play(spec)
    groups, bracket = programme.event.stages
    assert sorted(map(len, groups.groups)) == [3, 3, 4]
    assert {frozenset(group[:1]) for group in groups.groups} == {
        frozenset({1}),
        frozenset({2}),
        frozenset({3}),
    }
    assert bracket.seeds[:3] == [1, 2, 3]
    assert len(bracket.seeds) == 6
    assert ranking(programme)[:2] == [(1, "a"), (2, "b")]
    assert sorted(name for _, name in ranking(programme)) == list("abcdefghij")
    assert [place for place, _ in ranking(programme)] == sorted(
        place for place, _ in ranking(programme)
    )


def test_the_groups_of_document_002_play_again_among_their_winners() -> None:
    spec = spec_of(
        preset="doc002/groups",
        game={"rulebook": "tuolaji/r13_two_deck_joker_level"},
        engines=dict.fromkeys("abcdefghi", "random"),
    )
    programme = play(spec)
    groups, final = programme.event.stages
    assert sorted(map(len, groups.groups)) == [3, 3, 3]
    assert [row.points for row in groups.tables[0].rows] == [6, 3, 0]
    assert len(final.seeds) == 3
    assert [row.points for row in final.tables[0].rows] == [6, 3, 0]
    assert ranking(programme)[0] == (1, "a")


LEAGUE = {
    "reds": [["r1"], ["r2"], ["r3"]],
    "blues": [["b1"], ["b2"], ["b3"]],
    "greens": [["g1"], ["g2"], ["g3"]],
}
BOARD_WINS = {("reds", "blues"): 2, ("reds", "greens"): 1, ("blues", "greens"): 3}
"""Boards that the first named wins of three."""


def test_a_league_of_three_teams_of_three_pairs() -> None:
    """Points are boards won: reds 2 + 1, blues 1 + 3, greens 2 + 0; places give 3, 2, 1."""
    spec = spec_of(
        preset="doc002/league",
        game={"rulebook": "tuolaji/r04_three_deck_3_to_K"},
        engines={engine: "random" for team in LEAGUE.values() for (engine,) in team},
        entrants={name: {"boards": boards} for name, boards in LEAGUE.items()},
    )
    owner = {engine: team for team, boards in LEAGUE.items() for (engine,) in boards}
    done: Counter[frozenset[str]] = Counter()

    def decide(fixture: Fixture, _: int, __: tuple[int, ...]) -> Sequence[float]:
        teams = [owner[fixture.lineup[fixture.owners.index(at)]] for at in (0, 1)]
        pair = frozenset(teams)
        done[pair] += 1
        ahead, wins = next(
            (key[0], won) for key, won in BOARD_WINS.items() if frozenset(key) == pair
        )
        mine = teams.index(ahead)
        return winner_of(fixture, mine if done[pair] <= wins else 1 - mine)

    programme = play(spec, decide)
    (table,) = programme.event.stages[0].tables
    name = names(programme)
    got = [(name[row.entrant], row.points, row.place_points) for row in table.rows]
    assert got == [("blues", 4, 3), ("reds", 3, 2), ("greens", 2, 1)]
    assert set(done.values()) == {3}


def test_boards_meet_by_lot_or_in_order() -> None:
    def boards(how: str, seed: int) -> list[tuple[str, ...]]:
        spec = spec_of(
            engines={engine: "random" for team in LEAGUE.values() for (engine,) in team},
            entrants={name: {"boards": each} for name, each in LEAGUE.items()},
            stages=[{"format": "round_robin", "boards": how, "score": "boards"}],
        ).model_copy(update={"seed": seed})
        seen: list[tuple[str, ...]] = []

        def decide(fixture: Fixture, _: int, __: tuple[int, ...]) -> Sequence[float]:
            seen.append(tuple(sorted(fixture.lineup)))
            return winner_of(fixture, 0)

        play(spec, decide)
        return seen

    assert all(a[1] == b[1] for a, b in boards("order", 1))
    drawn = {pair for seed in range(20) for pair in boards("lot", seed)}
    assert len(drawn) == 27, "every board meets every other board by some lot"


def test_three_chairs_play_every_deal_in_every_order() -> None:
    spec = spec_of(
        game={"rulebook": "doudizhu/doc003"},
        engines=dict.fromkeys("abcd", "random"),
        stages=[{"format": "round_robin"}],
        series={"games": 12},
    )
    seen: list[Fixture] = []

    def decide(fixture: Fixture, _: int, __: tuple[int, ...]) -> Sequence[float]:
        seen.append(fixture)
        return 1.0, 0.5, 0.0

    programme = play(spec, decide)
    assert {f.lineup for f in seen} == set(combinations("abcd", 3))
    assert {(f.blocks, len(f.seatings)) for f in seen} == {(2, 6)}
    (table,) = programme.event.stages[0].tables
    assert sum(row.points for row in table.rows) == pytest.approx(4 * 12 * 1.5)
    assert [row.points for row in table.rows] == [36, 24, 12, 0]


def test_who_is_absent_forfeits() -> None:
    spec = event(
        {"format": "round_robin", "points": {"win": 3, "draw": 1, "forfeit_small": [5, 0]}},
        4,
        entrants={"a": {"engines": "a", "absent": [1]}, "b": "b", "c": "c", "d": "d"},
    )
    programme = play(spec)
    (table,) = programme.event.stages[0].tables
    row = {name: r for r in table.rows for name in [names(programme)[r.entrant]]}
    assert (row["a"].points, row["a"].missed, row["a"].played) == (6, 1, 2)
    lucky = next(m for m in matches(programme) if m.round == 1 and 1 in m.entrants)
    assert lucky.winner != 1
    assert sorted(lucky.small) == [0, 5]
