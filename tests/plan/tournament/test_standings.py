"""Tie-breaks against tables worked by hand, and in the order that the file names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from arena.plan.tournament.spec import Points, Score, Small, TieBreak
from arena.plan.tournament.standings import Counting, Row, Table, table_of
from arena.plan.tournament.values import By, GameScore, Lots, Match, SeriesResult

# A Swiss of five after four rounds, one bye a round; 1 ½ 0 for the one named first.
#   round 1: 1-2 1, 3-4 ½, bye 5      round 2: 1-3 ½, 5-2 0, bye 4
#   round 3: 4-1 0, 5-3 1, bye 2      round 4: 5-1 ½, 2-4 1, bye 3
# Points: 1: 1 + ½ + 1 + ½ = 3; 2: 0 + 1 + 1 + 1 = 3; 3: ½ + ½ + 0 + 1 = 2;
#         4: ½ + 1 + 0 + 0 = 1½; 5: 1 + 0 + 1 + ½ = 2½.
SWISS: list[tuple[int, int, int | None, float]] = [
    (1, 1, 2, 1.0),
    (1, 3, 4, 0.5),
    (1, 5, None, 1.0),
    (2, 1, 3, 0.5),
    (2, 5, 2, 0.0),
    (2, 4, None, 1.0),
    (3, 4, 1, 0.0),
    (3, 5, 3, 1.0),
    (3, 2, None, 1.0),
    (4, 5, 1, 0.5),
    (4, 2, 4, 1.0),
    (4, 3, None, 1.0),
]


def match(number: int, a: int, b: int | None, score: float, small: Sequence[float] = ()) -> Match:
    """A match of one game."""
    if b is None:
        return Match(f"1/{number}/{a}", number, a, (a,), bye=True)
    levels = tuple(map(float, small)) or (0.0, 0.0)
    scores = (score, 1.0 - score)
    winner = None if score == 0.5 else int(score < 0.5)
    game = GameScore("", scores, (1, 1), levels, "five", 0)
    board = SeriesResult(scores, levels, winner, By.GAMES, (game,))
    return Match(f"1/{number}/{a}", number, a, (a, b), boards=(board,))


def table(
    games: Sequence[tuple[Any, ...]],
    entrants: int,
    *tiebreaks: TieBreak,
    score: Score = Score.GAMES,
    small: Small = Small.GAMES,
    points: Points | None = None,
    seed: int = 1,
) -> Table:
    """The table of matches of one game each."""
    counting = Counting(score, small, points or Points(), tiebreaks, games=1)
    played = [match(*game) for game in games]
    return table_of(range(1, entrants + 1), played, counting, Lots(seed), "1/0")


def rows(made: Table) -> dict[int, Row]:
    return {row.entrant: row for row in made.rows}


@pytest.mark.parametrize(
    ("tiebreak", "values"),
    [
        # Opponents' points; a bye counts as an opponent with one's own.
        (
            "buchholz",
            {
                1: 3 + 2 + 1.5 + 2.5,
                2: 3 + 2.5 + 3 + 1.5,
                3: 1.5 + 3 + 2.5 + 2,
                4: 2 + 1.5 + 3 + 3,
                5: 2.5 + 3 + 2 + 3,
            },
        ),
        ("buchholz_cut_1", {1: 7.5, 2: 8.5, 3: 7.5, 4: 8, 5: 8.5}),
        ("buchholz_median", {1: 4.5, 2: 5.5, 3: 4.5, 4: 5, 5: 5.5}),
        (
            "sonneborn_berger",
            {
                1: 3 + 1 + 1.5 + 1.25,
                2: 0 + 2.5 + 3 + 1.5,
                3: 0.75 + 1.5 + 0 + 2,
                4: 1 + 1.5,
                5: 2.5 + 0 + 2 + 1.5,
            },
        ),
        ("wins", {1: 2, 2: 2, 3: 0, 4: 0, 5: 1}),
        ("wins_second", {1: 1, 2: 1, 3: 0, 4: 0, 5: 0}),
        ("seconds", {1: 2, 2: 2, 3: 2, 4: 2, 5: 0}),
        (
            "progressive",
            {
                1: 1 + 1.5 + 2.5 + 3,
                2: 0 + 1 + 2 + 3,
                3: 0.5 + 1 + 1 + 2,
                4: 0.5 + 1.5 + 1.5 + 1.5,
                5: 1 + 1 + 2 + 2.5,
            },
        ),
        ("koya", {1: 1 + 0.5 + 0.5, 2: 0 + 1, 3: 0.5 + 0, 4: 0.5 + 0 + 0, 5: 0 + 1 + 0.5}),
        ("round_points", {1: 0.5, 2: 1, 3: 1, 4: 0, 5: 0.5}),
        ("number", {1: -1, 2: -2, 3: -3, 4: -4, 5: -5}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_values_worked_by_hand(tiebreak: str, values: dict[int, float]) -> None:
    made = rows(table(SWISS, 5, TieBreak(tiebreak)))
    assert {n: row.points for n, row in made.items()} == {1: 3, 2: 3, 3: 2, 4: 1.5, 5: 2.5}
    assert {n: row.tiebreaks[TieBreak(tiebreak)] for n, row in made.items()} == values


def test_tie_breaks_count_in_the_order_of_the_file() -> None:
    # 1 and 2 have 3 points: 2 has the better Buchholz, 1 the better number.
    assert table(SWISS, 5, TieBreak.BUCHHOLZ, TieBreak.NUMBER).order == [2, 1, 5, 3, 4]
    assert table(SWISS, 5, TieBreak.NUMBER, TieBreak.BUCHHOLZ).order == [1, 2, 5, 3, 4]


def test_direct_encounter_counts_among_equals_who_have_all_met() -> None:
    # 1 beat 2, both won two of three: direct puts 1 first.
    games = [
        (1, 1, 2, 1.0),
        (1, 3, 4, 1.0),
        (2, 4, 1, 1.0),
        (2, 2, 3, 1.0),
        (3, 3, 1, 0.0),
        (3, 2, 4, 1.0),
    ]
    made = table(games, 4, TieBreak.DIRECT)
    assert made.order[:2] == [1, 2]
    assert [row.place for row in made.rows][:2] == [1, 2]
    assert [row.tiebreaks[TieBreak.DIRECT] for row in made.rows][:2] == [1, 0]
    # In a circle nobody is ahead: the place is shared.
    circle = [(1, 1, 2, 1.0), (2, 2, 3, 1.0), (3, 3, 1, 1.0)]
    assert [row.place for row in table(circle, 3, TieBreak.DIRECT).rows] == [1, 1, 1]
    # Who has not met all of them cannot be compared.
    apart = [(1, 1, 2, 1.0), (1, 3, 4, 1.0)]
    assert table(apart, 4, TieBreak.DIRECT).rows[0].tiebreaks[TieBreak.DIRECT] is None


def test_lots_end_every_tie_and_follow_from_the_seed() -> None:
    circle = [(1, 1, 2, 1.0), (2, 2, 3, 1.0), (3, 3, 1, 1.0)]
    drawn = {tuple(table(circle, 3, TieBreak.LOT, seed=seed).order) for seed in range(40)}
    assert len(drawn) == 6
    assert [row.place for row in table(circle, 3, TieBreak.LOT).rows] == [1, 2, 3]
    assert table(circle, 3, TieBreak.LOT).order == table(circle, 3, TieBreak.LOT).order


# --- document 002, 2016: points, then the round's points, difference and level, then all rounds' ---

ORDER_2016 = (
    TieBreak.ROUND_POINTS,
    TieBreak.ROUND_DIFFERENCE,
    TieBreak.ROUND_TOTAL,
    TieBreak.DIFFERENCE,
    TieBreak.TOTAL,
)
THREE = Points(win=3, draw=1, loss=0)


@pytest.mark.parametrize(
    ("id", "games", "order", "places"),
    [
        (
            "difference-of-the-round",  # 8:2 is six levels, 3:6 minus three
            [(1, 1, 2, 1.0, (8, 2)), (1, 3, 4, 1.0, (9, 5))],
            [1, 3, 4, 2],
            [1, 2, 3, 4],
        ),
        (
            "level-of-the-round",  # 10:4 and 8:2 are six levels each: level 10 is ahead
            [(1, 1, 2, 1.0, (8, 2)), (1, 3, 4, 1.0, (10, 4))],
            [3, 1, 4, 2],
            [1, 2, 3, 4],
        ),
        (
            "points-of-the-round-first",  # 3 points each: who won the last round is ahead
            [
                (1, 1, 2, 1.0, (9, 2)),
                (1, 3, 4, 1.0, (9, 2)),
                (2, 2, 1, 1.0, (5, 4)),
                (2, 4, 3, 1.0, (5, 4)),
            ],
            [2, 4, 1, 3],
            [1, 1, 3, 3],
        ),
        (
            "all-rounds-then",  # the last round alike, the first 9:2 or 9:8
            [
                (1, 1, 2, 1.0, (9, 2)),
                (1, 3, 4, 1.0, (9, 8)),
                (2, 1, 4, 1.0, (5, 2)),
                (2, 3, 2, 1.0, (5, 2)),
            ],
            [1, 3, 4, 2],
            [1, 2, 3, 4],
        ),
        (
            "equal",
            [(1, 1, 2, 1.0, (8, 2)), (1, 3, 4, 1.0, (8, 2))],
            None,
            [1, 1, 3, 3],
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_order_of_2016(
    id: str, games: list[tuple[Any, ...]], order: list[int] | None, places: list[int]
) -> None:
    made = table(games, 4, *ORDER_2016, score=Score.MATCH, small=Small.LEVELS, points=THREE)
    assert [row.place for row in made.rows] == places
    if order is not None:
        by_place = [
            [row.entrant for row in made.rows if row.place == p] for p in dict.fromkeys(places)
        ]
        wanted = [
            [n for n, p in zip(order, places, strict=True) if p == place]
            for place in dict.fromkeys(places)
        ]
        assert [sorted(group) for group in by_place] == [sorted(group) for group in wanted]


def test_match_points_and_game_points() -> None:
    scores = (1.5, 0.5)
    games = tuple(GameScore("", s, (1, 1), (0.0, 0.0), "five", 0) for s in ((1.0, 0.0), (0.5, 0.5)))
    board = SeriesResult(scores, (0.0, 0.0), 0, By.GAMES, games)
    played = [Match("1/1/1", 1, 1, (1, 2), boards=(board,))]
    for score, expected in ((Score.GAMES, [1.5, 0.5]), (Score.MATCH, [1.0, 0.0])):
        counting = Counting(score, Small.GAMES, Points(), (TieBreak.DIFFERENCE,), games=2)
        made = table_of([1, 2], played, counting, Lots(1), "")
        assert [row.points for row in made.rows] == expected
        assert [row.tiebreaks[TieBreak.DIFFERENCE] for row in made.rows] == [1, -1]
