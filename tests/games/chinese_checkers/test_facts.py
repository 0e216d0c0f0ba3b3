"""Known facts, one row each: counts of positions and single moves."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from arena._core import State
from arena.games.chinese_checkers.notation import Axial, star_of
from tests.games.chinese_checkers.positions import checkers, ends_from, moves, place

FACTS = Path(__file__).parents[2] / "facts" / "chinese_checkers"


def rows(file: str, table: str) -> list[Any]:
    read = tomllib.loads((FACTS / f"{file}.toml").read_text("utf-8"))[table]
    return [pytest.param(row, id=row["id"]) for row in read]


def perft(state: State, depth: int) -> int:
    (seat,) = state.seats_to_act()
    view = state.moves(seat)
    if depth == 1:
        return len(view)
    total = 0
    for move in view:
        child = state.clone()
        child.apply(seat, move)
        total += perft(child, depth - 1)
    return total


@pytest.mark.parametrize("row", rows("perft", "perft"))
def test_perft(row: dict[str, Any]) -> None:
    state = checkers("west10_2", **row["settings"]).new_state()
    counts = [perft(state, depth) for depth in range(1, len(row["counts"]) + 1)]
    assert counts == row["counts"]


@pytest.mark.parametrize("row", rows("movement", "fact"))
def test_movement(row: dict[str, Any]) -> None:
    game = checkers("west10_2", **row.get("settings", {}))
    layout = star_of(game)

    def names(holes: list[list[int]]) -> list[str]:
        return [layout.at[Axial(q, r)] for q, r in holes]

    state = place(game, {"N": names(row["own"]), "S": names(row.get("other", []))})
    (start,) = names([row["from"]])
    found = ends_from(state, start)
    for hole in names(row.get("legal", [])):
        assert hole in found
        assert state.check(0, start + hole) is None
    for hole in names(row.get("illegal", [])):
        assert hole not in found
        assert state.check(0, start + hole) is not None
    if "all" in row:
        assert found == set(names(row["all"]))
    if "path" in row:
        refusal = state.check(0, "-".join(names(row["path"])))
        assert (refusal is None) == row["playable"]
    if "pass" in row:
        assert (state.check(0, "pass") is None) == row["pass"]
        assert ("pass" in moves(state)) == row["pass"]


def test_the_fourteen_first_moves() -> None:
    """C01."""
    game = checkers("west10_2")
    layout = star_of(game)
    expected = {
        (1, -5): [(0, -4), (1, -4)],
        (2, -5): [(1, -4), (2, -4)],
        (3, -5): [(2, -4), (3, -4)],
        (4, -5): [(3, -4), (4, -4)],
        (2, -6): [(0, -4), (2, -4)],
        (3, -6): [(1, -4), (3, -4)],
        (4, -6): [(2, -4), (4, -4)],
    }
    named = {
        layout.at[Axial(*start)] + layout.at[Axial(*end)]
        for start, all_ends in expected.items()
        for end in all_ends
    }
    assert moves(game.new_state()) == named


def test_the_shortest_game_of_bell_is_a_lower_bound() -> None:
    """C8: no two sides can both be home in fewer than 30 turns; engines stay above that."""
    from arena._core import PlayTask

    game = checkers("west10_2")
    played = game.core.play([PlayTask(["search:nodes=300"] * 2, i, i, 2) for i in range(4)])
    assert all(one.plies >= 30 for one in played)


def test_random_games_do_not_end_by_themselves() -> None:
    """C12: uniform random play runs into the cap."""
    from arena._core import PlayTask

    game = checkers("openspiel_2")
    played = game.core.play([PlayTask(["random"] * 2, i, i) for i in range(20)])
    assert [one.plies for one in played] == [1000] * 20
    assert {one.outcome.termination.name for one in played} == {"turn_cap"}
