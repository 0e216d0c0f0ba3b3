"""Moves in words of both languages, boards as text and SVG, observations as types."""

from __future__ import annotations

import pytest

import arena
from arena._core import Rng
from arena.games.siguo.notation import describe_move, layout_of, spoken_point, step_of
from arena.games.siguo.observation import Observation
from tests.games.siguo.boards import FOUR, LAYOUT, board

GAME = arena.game("siguo/doc001")


@pytest.mark.parametrize(
    ("move", "en", "zh"),
    [
        (
            "S35-S25",
            "south row 3 column 5 to south row 2 column 5",
            "南家 3 排 5 列 → 南家 2 排 5 列",
        ),
        ("N11-C31", "north row 1 column 1 to centre 3, 1", "北家 1 排 1 列 → 九宫 3 列 1 行"),
        ("timeout", "lets the turn pass", "超时，跳过一手"),
        (
            f"layout {LAYOUT}",
            "places 37254 / 6.8.2 / 51.13 / 7.9.6 / 4B1B3 / MFM2M",
            "布阵 连师排团营 / 旅·军·排 / 团工·工连 / 师·司·旅 / 营炸工炸连 / 雷旗雷排雷",
        ),
    ],
)
def test_moves_in_words(move: str, en: str, zh: str) -> None:
    assert describe_move(GAME, move, False) == en
    assert describe_move(GAME, move, True) == zh


@pytest.mark.parametrize("text", ["", "S35", "S35-S17-", "layout", "layout 1/2", "pass"])
def test_no_words_for_what_is_no_move(text: str) -> None:
    with pytest.raises(ValueError, match="no move of siguo"):
        describe_move(GAME, text, False)


def test_parts_of_moves() -> None:
    assert step_of("S35-S25") == ("S35", "S25")
    assert step_of("timeout") is None
    assert layout_of(f"layout {LAYOUT}") == tuple(LAYOUT.split("/"))
    assert layout_of("S35-S25") is None
    with pytest.raises(ValueError, match="no point"):
        spoken_point("S67")


def test_a_board_as_text() -> None:
    state = board(S="9-@S11,F-@S62", E="2-@E51", N="B-@C33", W="2-@W51")
    rows = GAME.family.draw_text(GAME, state).splitlines()
    assert len(rows) == 18
    assert rows[11].split() == ["s9", ".", ".", ".", "."]
    assert rows[16].split() == [".", "sF", ".", "#", "."]
    assert rows[10].split()[-7] == "nB"
    assert rows[-1] == "play, move 0, quiet 0, to act: seat 0 (S)"
    state.apply(0, "S11-C13")
    rows = GAME.family.draw_text(GAME, state).splitlines()
    assert "[s9]" in rows[10] and "[.]" in rows[11]


def test_a_board_as_svg_shows_every_unit_with_its_rank() -> None:
    state = GAME.new_state(setup=FOUR)
    svg = GAME.family.draw_svg(GAME, state)
    assert svg.count(">司<") == 4
    assert svg.count(">雷<") == 12
    assert svg.count("<path") == 4, "four curves"
    small = arena.game("siguo/dark60", layout_source="book")
    assert small.family.draw_svg(small, small.new_state(1)).count(">旗<") == 2


def test_pictures_do_not_depend_on_the_run() -> None:
    """Grounds are kept between pictures: of every board, drawn twice, the same."""
    for book in ("doc001", "three_seats", "duel129", "dark60"):
        game = arena.game(f"siguo/{book}", layout_source="book")
        assert game.family.draw_svg(game, game.new_state(2)) == game.family.draw_svg(
            game, game.new_state(2)
        )


def test_observations_are_typed() -> None:
    game = arena.game("siguo/doc001")
    state, rng = game.new_state(1), Rng(1)
    while state.seats_to_act() and state.plies < 60:
        seat = min(state.seats_to_act())
        view = Observation.from_json(state.observe(seat))
        assert view.seat == seat
        assert seat in view.to_act
        assert len(view.units) in (0, 100)
        state.apply(seat, state.sample_move(seat, rng))
    for text in ("", "{}", "[]", '{"phase":1}'):
        with pytest.raises(ValueError, match="not an observation"):
            Observation.from_json(text)
