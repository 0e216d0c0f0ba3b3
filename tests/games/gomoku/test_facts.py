"""The forbidden points of positions whose verdicts are known."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games import game
from arena.games.gomoku.forbidden import forbidden_points
from tests.games.gomoku.helpers import facts, forbidden_in, judged, setup_text


def _ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows]


PROBES = facts("probes", "probe")
POSITIONS = facts("positions", "position")


@pytest.mark.parametrize("row", PROBES, ids=_ids(PROBES))
def test_probe(row: dict[str, Any]) -> None:
    state = judged(row)
    assert forbidden_in(state).get(row["point"], "legal") == row["verdict"]


@pytest.mark.parametrize("row", POSITIONS, ids=_ids(POSITIONS))
def test_every_forbidden_point(row: dict[str, Any]) -> None:
    state = judged(row)
    found = forbidden_in(state)
    assert set(found) == set(row["forbidden"])
    for point, kind in row["forbidden"].items():
        assert kind in (found[point], "any")
    for point in row.get("legal", []):
        assert state.check(0, point) is None


@pytest.mark.parametrize("row", POSITIONS, ids=_ids(POSITIONS))
def test_the_view_leaves_out_exactly_the_forbidden_points(row: dict[str, Any]) -> None:
    # The view is kept up to date stone by stone; `check` judges a point alone.
    state = judged(row)
    listed = {str(move) for move in state.moves(0)}
    free = 225 - len(row["black"]) - len(row["white"])
    assert len(listed) == len(state.moves(0)) == free - len(row["forbidden"])
    assert listed.isdisjoint(row["forbidden"])


@pytest.mark.parametrize("rulebook", ["gomoku/doc001", "gomoku/renju_rif", "gomoku/renju_gomocup"])
def test_forbidden_points_whatever_the_enforcement(rulebook: str) -> None:
    named = game(rulebook)
    row = next(row for row in POSITIONS if row["id"] == "RF1")
    state = named.new_state(setup=setup_text(row["black"], row["white"]))
    assert forbidden_points(named, state) == row["forbidden"]
    white = named.new_state(setup=setup_text(row["black"], row["white"], move="white"))
    assert forbidden_points(named, white) == {}


def test_the_symmetries_of_a_position_have_the_symmetric_forbidden_points() -> None:
    row = next(row for row in POSITIONS if row["id"] == "G43")

    def turned(point: str) -> str:  # a quarter turn
        column, line = ord(point[0]) - ord("a"), int(point[1:]) - 1
        return f"{chr(ord('a') + 14 - line)}{column + 1}"

    state = judged({k: [turned(p) for p in row[k]] for k in ("black", "white")})
    assert set(forbidden_in(state)) == {turned(p) for p in row["forbidden"]}


@pytest.mark.parametrize(
    ("fact", "point", "recursive", "first_exception", "naive"),
    [
        # the completing stones would be double-fours or overlines
        ("G16", "j9", None, None, "double_three"),
        # a completing stone is a double-three: only the recursion sees it
        ("G42", "g10", None, "double_three", "double_three"),
        ("G43", "d7", None, "double_three", "double_three"),
        # by the edge even the shape of the line is none
        ("G10", "c3", None, None, None),
    ],
)
def test_three_tests_differ_where_the_text_says(
    fact: str, point: str, recursive: str | None, first_exception: str | None, naive: str | None
) -> None:
    row = next(row for row in [*PROBES, *POSITIONS] if row["id"] == fact)
    verdicts = {"rif_recursive": recursive, "rif_9_3a": first_exception, "naive": naive}
    for test, verdict in verdicts.items():
        assert forbidden_in(judged(row, three_test=test)).get(point) == verdict, test


def test_without_the_first_exception_a_three_is_its_shape() -> None:
    # RF46: completing the column makes five on a diagonal, so it is no three to RIF.
    row = next(row for row in POSITIONS if row["id"] == "RF46")
    for test, verdict in (("rif_9_3a", None), ("naive", "double_three")):
        assert forbidden_in(judged(row, three_test=test)).get("h8") == verdict
