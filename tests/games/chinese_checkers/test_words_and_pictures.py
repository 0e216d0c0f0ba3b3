"""Moves as people say them, the way a move took, text and SVG pictures, observations."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

import arena
from arena._core import Rng
from arena.games.chinese_checkers.notation import Axial, ends, find_path, star_of
from arena.games.chinese_checkers.observation import Observation
from arena.games.chinese_checkers.rules import Board
from arena.games.contract import Seat
from tests.games.chinese_checkers.positions import checkers, look, nearly, place

SVG = "{http://www.w3.org/2000/svg}"


def test_names_and_coordinates_both_ways() -> None:
    for book in ("west10_2", "small73", "small37"):
        layout = star_of(checkers(book))
        for name, hole in layout.names.items():
            assert layout.at[hole] == name
            assert hole.q + hole.r + hole.s == 0
    south_west = (-1, 1)
    assert Axial(1, -5) + south_west == Axial(0, -4)


@pytest.mark.parametrize(
    ("move", "english", "chinese"),
    [
        ("n1m5", "n1 to m5", "n1 走到 m5"),
        ("o1m5", "o1 hops to m5", "o1 跳到 m5"),
        ("m13l12", "m13 to l12", "m13 走到 l12"),
        ("pass", "pass", "停着"),
    ],
)
def test_moves_in_words(move: str, english: str, chinese: str) -> None:
    game = checkers("west10_2")
    assert game.family.describe_move(game, move, False) == english
    assert game.family.describe_move(game, move, True) == chinese


@pytest.mark.parametrize("text", ["", "a1", "a1-c1", "a1c99", "hello", "a1c1 "])
def test_words_only_for_moves(text: str) -> None:
    game = checkers("west10_2")
    with pytest.raises(ValueError, match=r"canonical|no hole"):
        game.family.describe_move(game, text, False)


def test_ends_are_read_unambiguously() -> None:
    assert ends("a1c1") == ("a1", "c1")
    assert ends("m13m1") == ("m13", "m1")
    assert ends("m1m13") == ("m1", "m13")
    assert ends("pass") is None


@pytest.mark.parametrize("book", ["west10_2", "super", "west10_6", "open_middle", "small73"])
def test_every_listed_move_has_a_way_that_the_core_accepts(book: str) -> None:
    game = checkers(book)
    rng = Rng(3)
    state = game.new_state()
    hops = 0
    for _ in range(60):
        (seat,) = state.seats_to_act()
        view = state.moves(seat)
        move = str(view[rng.below(len(view))])
        path = find_path(game, state, Seat(seat), move)
        assert path is not None
        assert (path[0], path[-1]) == ends(move)
        assert state.check(seat, "-".join(path)) is None
        twin = state.clone()
        twin.apply(seat, "-".join(path))
        state.apply(seat, move)
        assert twin.setup() == state.setup()
        hops += len(path) > 2
    assert hops > 0


def test_no_way_for_an_illegal_move_or_a_pass() -> None:
    game = checkers("west10_2")
    state = game.new_state()
    assert find_path(game, state, Seat(0), "n1i5") is None
    assert find_path(game, state, Seat(0), "pass") is None


def test_text_picture() -> None:
    game = checkers("west10_2")
    state = place(game, {"N": ["i5"], "S": ["i6", "a1"]})
    state.apply(0, "i5i7")
    text = game.family.draw_text(game, state)
    lines = text.splitlines()
    assert lines[0].split() == ["q", "."]
    assert lines[8].replace(" ", "") == "i....[.]S[N].."
    assert lines[16].split() == ["a", "S"]
    assert "N = seat 0, N to S" in text
    assert "seat 1 to move" in text
    # The star is symmetrical: every row starts as far from the left as its mirror row.
    starts = [len(line) - len(line[1:].lstrip()) for line in lines[:17]]
    assert starts == starts[::-1]


def test_svg() -> None:
    game = checkers("west10_6")
    state = game.new_state()
    state.apply(0, "o1m5")
    root = ElementTree.fromstring(game.family.draw_svg(game, state))
    holes = [c for c in root.iter(f"{SVG}circle") if c.find(f"{SVG}title") is not None]
    assert len(holes) == 121
    fills = [hole.get("fill") for hole in holes]
    assert len(set(fills)) == 7
    titles = {hole.find(f"{SVG}title").text: hole.get("fill") for hole in holes}  # type: ignore[union-attr]  # checked above
    assert titles["m5"] == titles["q1"]
    assert titles["o1"] not in {titles["q1"]}
    (way,) = root.iter(f"{SVG}polyline")
    assert len((way.get("points") or "").split()) == 2
    assert len(list(root.iter(f"{SVG}line"))) == 312
    assert {t.text for t in root.iter(f"{SVG}text")} == set("abcdefghijklmnopq")


def test_svg_shows_the_way_of_a_chain_and_of_a_swap() -> None:
    game = checkers("west10_2")
    state = place(game, {"N": ["i5"], "S": ["i6", "i8"]})
    state.apply(0, "i5i9")
    (way,) = ElementTree.fromstring(game.family.draw_svg(game, state)).iter(f"{SVG}polyline")
    assert len((way.get("points") or "").split()) == 3
    swap = checkers("masters")
    full = ["d2", "d3", "d4", "c1", "c2", "c3", "b1", "b2", "a1"]
    state = place(swap, {"N": ["f6", *full], "S": ["d1", "e6"]})
    state.apply(0, "f6d1")
    (way,) = ElementTree.fromstring(swap.family.draw_svg(swap, state)).iter(f"{SVG}polyline")
    assert len((way.get("points") or "").split()) == 2


def test_svg_after_a_pass_and_after_a_seat_is_out() -> None:
    game = checkers("west10_3", anti_block="passive_loss", home_deadline=1)
    state = place(game, {"N": ["q1", "i5"], "SE": ["g5"], "SW": ["g7"]})
    state.apply(0, "i5i6")
    assert ElementTree.fromstring(game.family.draw_svg(game, state)) is not None
    state = place(game, {"SE": ["g5"], "SW": ["g7"]})
    state.apply(0, "pass")
    assert ElementTree.fromstring(game.family.draw_svg(game, state)) is not None


def test_observation() -> None:
    game = checkers("doc000")
    close = nearly(game, "N")
    state = place(game, {"N": close.pieces, "NE": ["i5"], "S": ["i6"], "SW": ["i7"]}, round=31)
    state.apply(0, close.finish)
    text = state.observe(2)
    assert all(state.observe(viewer) == text for viewer in (arena.SPECTATOR, 0, 1, 3))
    seen = Observation.from_json(text)
    assert seen == look(state)
    assert seen.board is Board.STAR121
    assert (seen.seat_to_act, seen.round, seen.may_join) == (1, 31, (1, 2, 3))
    assert [(f.seat, f.turn, f.place) for f in seen.finished] == [(0, 31, 1)]
    assert list(json.loads(text)) == [
        "board",
        "seat_to_act",
        "round",
        "sets",
        "finished",
        "out",
        "may_join",
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"board":"star99"}', "null"])
def test_other_text_is_no_observation(text: str) -> None:
    with pytest.raises(ValueError, match="not an observation"):
        Observation.from_json(text)
