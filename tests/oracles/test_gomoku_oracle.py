"""The slow gomoku rules against positions whose verdict is known from elsewhere."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.oracles.gomoku_judge import Board, Judge, Point

FACTS: dict[str, dict[str, str]] = tomllib.loads(
    (Path(__file__).parent / "renju_facts.toml").read_text("utf-8")
)

RENJU: dict[str, object] = {
    "size": 15,
    "five_black": "exact",
    "five_white": "at_least",
    "both_ends_block": False,
    "overline_black": "forbidden",
    "double_three_black": "forbidden",
    "double_four_black": "forbidden",
    "double_three_white": "allowed",
    "double_four_white": "allowed",
    "three_test": "rif_recursive",
    "five_beats_forbidden": True,
}


def point(text: str) -> Point:
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


def board(black: str, white: str) -> Board:
    return {
        **{point(text): "B" for text in black.split()},
        **{point(text): "W" for text in white.split()},
    }


def judge(**changed: object) -> Judge:
    return Judge({**RENJU, **changed}, "B")


@pytest.mark.parametrize("name", FACTS)
def test_forbidden_points(name: str) -> None:
    fact = FACTS[name]
    fouls = judge().fouls(board(fact["black"], fact["white"]))
    if "probe" in fact:
        expected = None if fact["expected"] == "legal" else fact["expected"]
        assert fouls.get(point(fact["probe"])) == expected
        return
    points = fact["forbidden"].split()
    assert set(fouls) == {point(text) for text in points}
    for text, kind in zip(points, fact.get("kinds", "").split(), strict=False):
        assert fouls[point(text)] == kind


def test_the_three_tests_differ_where_they_should() -> None:
    """G42's g10 is legal by 9.3 (b) only, G16's j9 by 9.3 (a) already."""
    g16, g42 = FACTS["G16"], FACTS["G42"]
    verdicts = {
        test: [
            judge(three_test=test).foul(board(fact["black"], fact["white"]), point(probe))
            for fact, probe in ((g16, "j9"), (g42, "g10"))
        ]
        for test in ("rif_recursive", "rif_9_3a", "naive")
    }
    assert verdicts == {
        "rif_recursive": [None, None],
        "rif_9_3a": [None, "double_three"],
        "naive": ["double_three", "double_three"],
    }


def test_five_comes_before_every_foul() -> None:
    """Rule 〖5〗; the same stone is an overline where five does not come first."""
    fact = FACTS["RF39"]
    stones = board(fact["black"], fact["white"])
    assert judge().foul(stones, point("h8")) is None
    assert judge(five_beats_forbidden=False).foul(stones, point("h8")) == "overline"
