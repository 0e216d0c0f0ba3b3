"""The boards: counts that do not depend on the code under test."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.games.chinese_checkers.notation import DIRECTIONS, TIPS, Axial, Star, star
from arena.games.chinese_checkers.rules import Board
from tests.games.chinese_checkers.positions import checkers, ends_from, look, place

SMALL = {
    Board.STAR121: ("west10_2", 10),
    Board.STAR73: ("small73", 6),
    Board.STAR37: ("small37", 3),
}


def neighbours(layout: Star, name: str) -> set[str]:
    near = (layout.names[name] + step for step in DIRECTIONS)
    return {layout.at[at] for at in near if at in layout.at}


@pytest.mark.parametrize(("board", "holes"), [("star121", 121), ("star73", 73), ("star37", 37)])
def test_holes(board: str, holes: int) -> None:
    layout = star(Board(board))
    assert len(layout.names) == len(layout.at) == holes


def test_edges_and_degrees_of_the_standard_board() -> None:
    layout = star(Board.STAR121)
    degrees = Counter(len(neighbours(layout, name)) for name in layout.names)
    assert degrees == {6: 73, 5: 6, 4: 36, 2: 6}
    assert sum(degree * count for degree, count in degrees.items()) // 2 == 312


@pytest.mark.parametrize("board", list(Board))
def test_tips(board: Board) -> None:
    layout = star(board)
    sizes = Counter(layout.tip(hole) for hole in layout.at)
    side = board.side
    hexagon = 3 * side * (side + 1) + 1
    assert sizes.pop(None) == hexagon
    assert sizes == dict.fromkeys(TIPS, side * (side + 1) // 2)


@pytest.mark.parametrize(
    ("name", "axial"),
    [
        ("a1", (-4, 8)),
        ("q1", (4, -8)),
        ("i5", (0, 0)),
        ("m1", (-4, -4)),
        ("m13", (8, -4)),
        ("e1", (-8, 4)),
        ("e13", (4, 4)),
        ("n1", (1, -5)),
    ],
)
def test_names(name: str, axial: tuple[int, int]) -> None:
    assert star(Board.STAR121).names[name] == Axial(*axial)


@pytest.mark.parametrize("board", list(Board))
def test_the_core_has_the_same_neighbours(board: Board) -> None:
    book, _ = SMALL[board]
    game = checkers(book, leave_target=True)
    layout = star(board)
    for name in layout.names:
        assert ends_from(place(game, {"N": [name]}), name) == neighbours(layout, name)


@pytest.mark.parametrize(
    ("book", "board", "pegs"),
    [
        ("west10_6", "star121", 10),
        ("west10_6", "star121", 6),
        ("west10_2", "star121", 15),
        ("west10_6", "star73", 6),
        ("west10_6", "star73", 3),
        ("west10_2", "star73", 10),
        ("west10_6", "star37", 3),
        ("west10_6", "star37", 1),
        ("west10_2", "star37", 6),
    ],
)
def test_camps(book: str, board: str, pegs: int) -> None:
    game = checkers(book, board=board, pegs=pegs)
    layout = star(Board(board))
    tip = layout.side * (layout.side + 1) // 2
    taken: set[str] = set()
    for view in look(game.new_state()).sets:
        assert len(view.holes) == pegs
        inside = [hole for hole in view.holes if layout.tip(layout.names[hole]) == view.home]
        assert len(inside) == min(pegs, tip)
        assert not taken & set(view.holes)
        taken |= set(view.holes)


def test_the_fifteen_piece_camp_takes_the_whole_adjoining_row() -> None:
    north, south = look(checkers("west15").new_state()).sets
    assert {hole for hole in south.holes if hole[0] == "e"} == {"e5", "e6", "e7", "e8", "e9"}
    assert {hole for hole in north.holes if hole[0] == "m"} == {"m5", "m6", "m7", "m8", "m9"}


def test_the_six_piece_camp_is_the_outer_rows() -> None:
    north, _ = look(checkers("kids6").new_state()).sets
    assert set(north.holes) == {"o1", "o2", "o3", "p1", "p2", "q1"}


SEATING = {
    ("west10_2", 1): ["N", "S"],
    ("west10_two_sets", 2): ["N NE", "S SW"],
    ("west10_three_sets", 3): ["N NE NW", "SE S SW"],
    ("west10_3", 1): ["N", "SE", "SW"],
    ("west10_3_two_sets", 2): ["N S", "NE SW", "SE NW"],
    ("west10_4", 1): ["N", "NE", "S", "SW"],
    ("west10_5", 1): ["N", "NE", "SE", "S", "SW"],
    ("west10_6", 1): ["N", "NE", "SE", "S", "SW", "NW"],
}


@pytest.mark.parametrize(("book", "sets"), SEATING)
def test_seating(book: str, sets: int) -> None:
    game = checkers(book)
    seen = look(game.new_state())
    by_seat = [[v.home for v in seen.sets if v.seat == seat] for seat in range(game.seats)]
    assert [set(own) for own in by_seat] == [set(text.split()) for text in SEATING[(book, sets)]]
    for view in seen.sets:
        assert TIPS.index(view.target) == (TIPS.index(view.home) + 3) % 6


def test_in_games_of_three_the_targets_are_empty() -> None:
    seen = look(checkers("west10_3").new_state())
    assert {v.target for v in seen.sets} == {"S", "NW", "NE"}
    assert not {v.target for v in seen.sets} & {v.home for v in seen.sets}


def test_the_fifth_seat_runs_to_an_empty_corner() -> None:
    seen = look(checkers("west10_5").new_state())
    (lonely,) = {v.target for v in seen.sets} - {v.home for v in seen.sets}
    assert lonely == "NW"


def test_roles_follow_the_order_of_play() -> None:
    assert checkers("west10_6").new_state().roles() == (
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
    )
