"""The slow judge of repetition gives every published verdict."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.xiangqi import read_board
from tests.oracles.xiangqi_repetition import Course, read_steps

FACTS = Path(__file__).parents[1] / "facts" / "xiangqi" / "repetition.toml"
REPETITION: dict[str, Any] = tomllib.loads(FACTS.read_text("utf-8"))


@pytest.mark.parametrize("name", REPETITION)
def test_published_verdicts(name: str) -> None:
    row = REPETITION[name]
    board, turn = row["fen"].split()
    course = Course("axf", 3, read_board(board), turn == "w")
    once, cycle = read_steps(row.get("once", "")), read_steps(row["cycle"])
    for step in [*once, *cycle, *cycle]:
        assert course.verdict() is None
        assert step in course.legal()
        course.play(*step)
    found = course.verdict()
    assert found is not None
    assert {"red": "black", "black": "red", "": "draw"}[found[1]] == row["winner"]
