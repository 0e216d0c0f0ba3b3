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
    made = game("xiangqi/doc001", repetition_count=2)
    start = "3k5/9/9/9/9/9/9/9/R8/5K3 w"
    state = playthrough(made, start, ["a2a3", "d10d9", "a3a2", "d9d10"])
    refusal = state.check(0, "a2a3")
    assert refusal is not None
    assert refusal.reason == IllegalReason.repeated
    state = playthrough(made, start, ["a2a3", "d10d9", "a3a2", "d9e9"])
    assert state.check(0, "a2a3") is None, "the general stands elsewhere"


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
