"""Repetition sentence by sentence: tests/facts/xiangqi/sentences.toml, and what no case can say."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from arena._core import IllegalReason
from arena.games import game
from tests.games.xiangqi.test_facts import playthrough, winner

FACTS = Path(__file__).parents[2] / "facts" / "xiangqi" / "sentences.toml"
SENTENCES: dict[str, Any] = tomllib.loads(FACTS.read_text("utf-8"))
START = "3k5/9/9/9/9/9/9/9/R8/5K3 w"
TO_AND_FRO = ["a2a3", "d10d9", "a3a2", "d9d10"]
CASES = [(name, code) for name, row in SENTENCES.items() for code in row["verdict"]]


@pytest.mark.parametrize(("name", "code"), CASES)
def test_verdict(name: str, code: str) -> None:
    row = SENTENCES[name]
    made = game("xiangqi/axf", insufficient_material="off", repetition_code=code)
    cycle = row["cycle"].split()
    state = playthrough(made, row["fen"], 2 * cycle)
    outcome = state.outcome()
    assert outcome is not None
    assert f"{winner(state)} {outcome.termination.name}" == row["verdict"][code], row["what"]


def test_a_side_whose_moves_are_all_banned_loses() -> None:
    """d9 is the general's only step from d10, and d10 from d9."""
    made = game("xiangqi/doc001")
    start = "3k5/9/1R7/9/9/9/9/9/9/4K4 b"
    to_and_fro = ["d10d9", "b8a8", "d9d10", "a8b8"]
    state = playthrough(made, start, to_and_fro)
    assert [str(move) for move in state.moves(1)] == ["d10d9"]
    state = playthrough(made, start, 2 * to_and_fro)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.termination.name, winner(state)) == ("no_move", "red")


def test_what_is_banned_is_the_move_in_that_position() -> None:
    made = game("xiangqi/doc001", same_move_limit=2)
    state = playthrough(made, START, TO_AND_FRO)
    refusal = state.check(0, "a2a3")
    assert refusal is not None
    assert refusal.reason == IllegalReason.repeated
    state = playthrough(made, START, [*TO_AND_FRO[:3], "d9e9"])
    assert state.check(0, "a2a3") is None, "the general stands elsewhere"


@pytest.mark.parametrize("code", ["draw", "perpetual_check_only", "ucci_league", "axf", "cxa"])
def test_a_limit_on_the_same_move_stands_beside_any_code(code: str) -> None:
    made = game("xiangqi/axf", repetition_code=code, same_move_limit=2)
    state = playthrough(made, START, TO_AND_FRO)
    refusal = state.check(0, "a2a3")
    assert refusal is not None
    assert (refusal.reason, refusal.detail) == (IllegalReason.repeated, "times=2")
    assert "a2a3" not in [str(move) for move in state.moves(0)]
    assert (
        game("xiangqi/axf", repetition_code=code).new_state(setup=state.setup()).check(0, "a2a3")
        is None
    )
    state = playthrough(made, START, [*TO_AND_FRO, "a2a4", "d10d9", "a4a2"])
    assert {str(move) for move in state.moves(1)} == {"d9d8", "d9e9"}, "d9d10 was played here"
    state = playthrough(made, START, [*TO_AND_FRO, "a2a4", "d10e10", "a4a2", "e10d10"])
    outcome = state.outcome()
    assert outcome is not None, "the judge is called as well"
    assert outcome.termination.name == "repetition"


@pytest.mark.parametrize(
    ("limit", "count", "expected"),
    [
        (3, 3, "black perpetual_check"),
        (2, 3, "red no_move"),
        (4, 3, "black perpetual_check"),
        (3, None, "red no_move"),
        (None, 3, "black perpetual_check"),
    ],
)
def test_the_judge_comes_before_a_ban_of_every_move(
    limit: int | None, count: int | None, expected: str
) -> None:
    """Black, in check for ever, has one move, which sooner or later is banned."""
    made = game("xiangqi/axf", same_move_limit=limit, repetition_count=count)
    state = made.new_state(setup="3k5/9/9/9/9/9/9/3R5/9/5K3 b")
    for move in 3 * ["d10e10", "d3e3", "e10d10", "e3d3"]:
        if state.seats_to_act():
            state.apply(min(state.seats_to_act()), move)
    outcome = state.outcome()
    assert outcome is not None
    assert f"{winner(state)} {outcome.termination.name}" == expected


def test_a_side_whose_moves_are_banned_loses_where_stalemate_draws() -> None:
    made = game("xiangqi/doc001", same_move_limit=2, stalemate="draw")
    state = playthrough(made, "3k5/9/1R7/9/9/9/9/9/9/4K4 b", ["d10d9", "b8a8", "d9d10", "a8b8"])
    assert winner(state) == "red"


@pytest.mark.parametrize("limit", [2, 3])
def test_ban_third_move_is_a_name_for_the_limit(limit: int) -> None:
    """The count stands for the limit, and no judge is called; by the letter a draw is left."""
    named = game("xiangqi/axf", repetition_code="ban_third_move", repetition_count=limit)
    plain = game("xiangqi/axf", same_move_limit=limit, repetition_count=None)
    moves = [*(limit - 1) * TO_AND_FRO, "a2a4", "d10e10", "a4a2", "e10d10"]
    for upto in range(len(moves) + 1):
        one, other = (playthrough(made, START, moves[:upto]) for made in (named, plain))
        (seat,) = one.seats_to_act()
        assert list(map(str, one.moves(seat))) == list(map(str, other.moves(seat)))
    refusal = playthrough(named, START, moves).check(0, "a2a3")
    assert refusal is not None
    assert refusal.detail == f"times={limit}"
    literal = game(
        "xiangqi/axf",
        repetition_code="ban_third_move",
        repetition_count=limit,
        same_move_mode="literal",
    )
    outcome = playthrough(literal, START, (limit - 1) * TO_AND_FRO).outcome()
    assert outcome is not None
    assert outcome.termination.name == "repetition"


def test_by_the_letter_no_move_is_banned() -> None:
    made = game("xiangqi/axf", same_move_limit=2, same_move_mode="literal", repetition_count=None)
    state = playthrough(made, START, 5 * TO_AND_FRO)
    assert state.check(0, "a2a3") is None


@pytest.mark.parametrize(
    ("book", "times"), [("axf", 3), ("ucci_league", 4), ("perpetual_check", 3)]
)
def test_the_occurrence_that_calls_the_judge(book: str, times: int) -> None:
    cycle = ["d10e10", "d3e3", "e10d10", "e3d3"]
    made = game(f"xiangqi/{book}")
    state = playthrough(made, "3k5/9/9/9/9/9/9/3R5/9/5K3 b", (times - 2) * cycle)
    for move in cycle:
        assert state.outcome() is None
        state.apply(min(state.seats_to_act()), move)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.termination.name, winner(state)) == ("perpetual_check", "black")


def test_without_a_count_positions_come_again_for_ever() -> None:
    made = game("xiangqi/axf", repetition_count=None)
    cycle = ["d10e10", "d3e3", "e10d10", "e3d3"]
    state = playthrough(made, "3k5/9/9/9/9/9/9/3R5/9/5K3 b", 6 * cycle)
    assert state.outcome() is None
