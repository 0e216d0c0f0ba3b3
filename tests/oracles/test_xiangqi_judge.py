"""The slow judge of repetition gives every published verdict, and each sentence's."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.xiangqi import read_board
from tests.oracles.xiangqi_repetition import Course, read_steps

FACTS = Path(__file__).parents[1] / "facts" / "xiangqi"
REPETITION: dict[str, Any] = tomllib.loads((FACTS / "repetition.toml").read_text("utf-8"))
SENTENCES: dict[str, Any] = tomllib.loads((FACTS / "sentences.toml").read_text("utf-8"))
WINNER = {"red": "black", "black": "red", "": "draw"}


@pytest.mark.parametrize("name", REPETITION)
def test_published_verdicts(name: str) -> None:
    assert WINNER[judged(REPETITION[name], "axf")[1]] == REPETITION[name]["winner"]


@pytest.mark.parametrize("name", SENTENCES)
def test_sentences(name: str) -> None:
    for code, verdict in SENTENCES[name]["verdict"].items():
        ending, loser = judged(SENTENCES[name], code)
        assert f"{WINNER[loser]} {ending}" == verdict


def judged(row: dict[str, Any], code: str) -> tuple[str, str]:
    """Ending and loser of a case, its moves played out."""
    board, turn = row["fen"].split()
    course = Course(code, 3, read_board(board), turn == "w")
    once, cycle = read_steps(row.get("once", "")), read_steps(row["cycle"])
    for step in [*once, *cycle, *cycle]:
        assert course.verdict() is None
        assert step in course.legal()
        course.play(*step)
    found = course.verdict()
    assert found is not None
    return found
