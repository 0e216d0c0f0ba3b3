"""The handed facts: the boards in numbers, moves on an empty board, fights."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import arena
from arena._core import IllegalReason
from arena.games.siguo.picture import edges, places
from arena.games.siguo.rules import Board
from tests.games.siguo.boards import FOUR, LAYOUT, board, seen, steps

FACTS = Path(__file__).parents[2] / "facts" / "siguo"
BOARD, MOVES, FIGHTS, GAMES = (
    tomllib.loads((FACTS / f"{name}.toml").read_text("utf-8"))
    for name in ("board", "moves", "fights", "games")
)
BOOKS = {"siguo129": "doc001", "luzhanqi60": "dark60"}
HQ_FREE = {"hq_locks": "none"}


def neighbours(kind: str) -> dict[str, dict[bool, set[str]]]:
    """Each point's neighbours by road (False) and railway (True), as pictures draw them."""
    board, seats = Board(kind), 2 if kind == "luzhanqi60" else 4
    found: dict[str, dict[bool, set[str]]] = {
        point: {False: set(), True: set()} for point in places(board, seats)
    }
    for rail in (False, True):
        for a, b in edges(board, seats, rail):
            found[a][rail].add(b)
            found[b][rail].add(a)
    return found


def is_camp(point: str) -> bool:
    return point[0] != "C" and point[1:] in ("22", "24", "33", "42", "44")


def lone(kind: str, rank: str, point: str) -> set[str]:
    """Where a unit can go from a point of an empty board; nowhere out of a headquarters."""
    state = board(BOOKS[kind], S=f"{rank}-@{point}")
    return steps(state, 0, point) if 0 in state.seats_to_act() else set()


@pytest.mark.parametrize("fact", BOARD["count"], ids=lambda fact: fact["id"])
def test_the_board_in_numbers(fact: dict[str, Any]) -> None:
    kind = fact["board"]
    joined = neighbours(kind)
    roads = sum(len(by[False]) for by in joined.values()) // 2
    rails = {frozenset((a, b)) for a, by in joined.items() for b in by[True]}
    reached = {point: lone(kind, "7", point) | lone(kind, "1", point) for point in joined}
    counts = {
        "points": len(joined),
        "camps": sum(map(is_camp, joined)),
        "headquarters": sum(p[0] != "C" and p[1:] in ("62", "64") for p in joined),
        "centre": sum(p[0] == "C" for p in joined),
        "roads": roads,
        "rails": len(rails),
        "edges": roads + len(rails),
        "rails_in_homes": sum(len({p[0] for p in pair} - {"C"}) == 1 == len({p[0] for p in pair}) for pair in rails),
        "rails_in_centre": sum({p[0] for p in pair} == {"C"} for pair in rails),
        "rails_home_to_centre": sum(len({p[0] for p in pair}) == 2 and "C" in {p[0] for p in pair} for pair in rails),
        "curves": sum(len({p[0] for p in pair} - {"C"}) == 2 for pair in rails),
        "rail_points": sum(bool(by[True]) for by in joined.values()),
        "pairs": sum(map(len, reached.values())),
        "origins": sum(map(bool, reached.values())),
        "most": max(map(len, reached.values())),
    }  # fmt: skip
    counts["stations"] = counts["points"] - sum(
        counts[name] for name in ("camps", "headquarters", "centre")
    )
    for name, value in fact.items():
        if name not in ("id", "board"):
            assert counts[name] == value, name


@pytest.mark.parametrize("kind", BOOKS)
def test_the_core_joins_the_points_that_pictures_join(kind: str) -> None:
    """With an enemy on every neighbour that is no camp, those and free camps are all there is."""
    joined = neighbours(kind)
    for point, by in joined.items():
        beside = by[False] | by[True]
        enemies = [p for p in sorted(beside) if not is_camp(p)]
        ranks = "33322211"
        army = ",".join(f"{rank}-@{p}" for rank, p in zip(ranks, enemies, strict=False))
        enemy = {"N" if kind == "luzhanqi60" else "E": army}
        for rank in "71":
            state = board(BOOKS[kind], S=f"{rank}-@{point}", **HQ_FREE, **enemy)
            assert steps(state, 0, point) == beside, point


@pytest.mark.parametrize("fact", BOARD["from"], ids=lambda fact: fact["id"])
def test_points_reached_on_an_empty_board(fact: dict[str, Any]) -> None:
    for home in "SENW":
        got = [
            [len(lone("siguo129", fact["rank"], f"{home}{row}{col}")) for col in range(1, 6)]
            for row in range(1, 7)
        ]
        assert got == fact["home"], home
    centre = [
        [len(lone("siguo129", fact["rank"], f"C{i}{j}")) for i in range(1, 4)] for j in range(1, 4)
    ]
    assert centre == fact["centre"]


def test_roads_and_railways_at_each_point() -> None:
    joined = neighbours("siguo129")
    for home in "SENW":
        got = [
            [
                [len(joined[f"{home}{row}{col}"][rail]) for rail in (False, True)]
                for col in range(1, 6)
            ]
            for row in range(1, 7)
        ]
        assert got == BOARD["degree"]["home"]
    for i in range(1, 4):
        for j in range(1, 4):
            assert [len(joined[f"C{i}{j}"][rail]) for rail in (False, True)] == [0, 4]


def test_eighteen_lines() -> None:
    """A line is the longest way a unit slides; its ends slide along all of it."""
    railways = [point for point, by in neighbours("siguo129").items() if by[True]]
    roads = neighbours("siguo129")
    slides = {p: lone("siguo129", "7", p) - roads[p][False] for p in railways}
    # Both ends of a line reach each other; in between everything lies on it.
    ends = {
        frozenset((a, b))
        for a, b in [
            *((f"{h}11", f"{h}15") for h in "SENW"),
            *((f"{h}51", f"{h}55") for h in "SENW"),
            *pairwise(("S51", "N55")),
            ("S55", "N51"),
            ("W51", "E55"),
            ("W55", "E51"),
            ("S13", "N13"),
            ("W13", "E13"),
            ("S51", "W55"),
            ("W51", "N55"),
            ("N51", "E55"),
            ("E51", "S55"),
        ]
    }
    assert len(ends) == 18
    for pair in ends:
        a, b = pair
        assert b in slides[a] and a in slides[b]


def walk(state: arena.State, depth: int) -> int:
    (seat,) = state.seats_to_act()
    if depth == 1:
        return len(state.moves(seat))
    total = 0
    for move in state.moves(seat):
        after = state.clone()
        after.apply(seat, move)
        total += walk(after, depth - 1)
    return total


@pytest.mark.parametrize("fact", BOARD["perft"], ids=lambda fact: fact["id"])
def test_perft(fact: dict[str, Any]) -> None:
    assert fact["layout"] == LAYOUT
    state = arena.game("siguo/bright", turn_order=fact["turn_order"]).new_state(setup=FOUR)
    assert [walk(state, depth) for depth in (1, 2, 3)] == fact["counts"]


@pytest.mark.parametrize("case", MOVES["case"], ids=lambda case: case["id"])
def test_moves(case: dict[str, Any]) -> None:
    armies = {home: case[home] for home in "SENW" if home in case}
    state = board(case.get("book", "doc001"), **armies)
    for move in case.get("legal", ()):
        assert state.check(0, move) is None, move
        assert move in {str(m) for m in state.moves(0)}
    for move, reason in case.get("refused", {}).items():
        refusal = state.check(0, move)
        assert refusal is not None, move
        assert refusal.reason == getattr(IllegalReason, reason), (move, refusal.message)
        assert move not in {str(m) for m in state.moves(0)}
    if "all" in case:
        start = case["S"].partition("@")[2][:3]
        assert steps(state, 0, start) == set(case["all"])


@pytest.mark.parametrize("fact", FIGHTS["fight"], ids=lambda fact: fact["id"])
def test_fights(fact: dict[str, Any]) -> None:
    attacker, defender = fact["attacker"], fact["defender"]
    flag = defender == "F"
    spare = "" if flag else ",F-@W62"
    where = "W62" if flag else "W11"
    state = board(
        "doc001",
        S=f"{attacker}-@{'W61' if flag else 'C11'},F-@S62,3-@S51",
        E="3-@E51",
        W=f"{defender}-@{where},3-@W51{spare}",
        **fact.get("settings", {}),
    )
    state.apply(0, f"{'W61' if flag else 'C11'}-{where}")
    now = seen(state)
    (fight,) = now.fights
    assert fight.result == fact["result"]
    left = {"attacker": [0], "defender": [3], "both_lost": []}[fact["result"]]
    assert [unit.seat for unit in now.units if unit.at == where] == left
    shown = [now.seats[u.seat].home for u in now.units if u.at in ("S62", "W62") and u.ranks == "F"]
    if not flag:
        assert shown == fact.get("flags", [])
    assert (now.seats[3].out == "flag_captured") == fact.get("out", False)
    assert fight.flag == fact.get("out", False)


def left_of(attacker: str, defender: str, mine: str, bomb: str) -> str:
    """The table of docs/games/siguo.md: the first line that fits decides."""
    if "B" in (attacker, defender):
        return "defender" if defender == "F" and bomb == "bomb_lost" else "both_lost"
    if defender == "F" or (defender == "M" and attacker == "1"):
        return "attacker"
    if defender == "M":
        return "both_lost" if mine == "both_die" else "defender"
    if attacker == defender:
        return "both_lost"
    return "attacker" if attacker > defender else "defender"


@pytest.mark.parametrize("bomb", ["both_and_out", "bomb_lost"])
@pytest.mark.parametrize("mine", ["mine_survives", "both_die"])
def test_every_rank_against_every_rank(mine: str, bomb: str) -> None:
    for attacker in "123456789B":
        for defender in "123456789BMF":
            state = board(
                "doc001",
                S=f"{attacker}-@W61,3-@S51",
                E="3-@E51",
                W=f"{defender}-@W62,3-@W51",
                mine_vs_piece=mine,
                bomb_vs_flag=bomb,
            )
            state.apply(0, "W61-W62")
            (fight,) = seen(state).fights
            assert fight.result == left_of(attacker, defender, mine, bomb), (attacker, defender)


@pytest.mark.parametrize("fact", GAMES["layout"], ids=lambda fact: fact["id"])
def test_line_ups(fact: dict[str, Any]) -> None:
    refusal = arena.game("siguo/doc001").new_state(1).check(0, f"layout {fact['text']}")
    if fact["reason"]:
        assert refusal is not None
        assert refusal.reason == getattr(IllegalReason, fact["reason"])
    else:
        assert refusal is None


@pytest.mark.parametrize("fact", GAMES["game"], ids=lambda fact: fact["id"])
def test_short_games(fact: dict[str, Any]) -> None:
    game = arena.game(f"siguo/{fact.get('book', 'doc001')}", **fact.get("settings", {}))
    state = game.new_state(setup=fact["setup"])
    for move in fact.get("moves", ()):
        seat, text = move.split()
        state.apply(int(seat), text)
    now = seen(state)
    units = {unit.unit: unit for unit in now.units}
    if "out" in fact:
        assert [view.out or "" for view in now.seats] == fact["out"]
    if "left" in fact:
        counts = [sum(u.seat == s and u.at is not None for u in units.values()) for s in range(4)]
        assert counts == fact["left"]
    if "to_act" in fact:
        assert sorted(state.seats_to_act()) == fact["to_act"]
    told = {unit.at: unit.ranks for unit in units.values() if unit.at is not None}
    for point, ranks in fact.get("ranks", {}).items():
        assert told[point] == ranks, point
    for number, ranks in fact.get("lost", {}).items():
        assert (units[int(number)].at, units[int(number)].ranks) == (None, ranks)
    for text, reason in fact.get("refused", {}).items():
        refusal = state.check(min(state.seats_to_act()), text)
        assert refusal is not None, text
        assert refusal.reason == getattr(IllegalReason, reason), refusal.message
    outcome = state.outcome()
    if "termination" in fact:
        assert outcome is not None
        assert outcome.termination.name == fact["termination"]
        assert list(outcome.scores) == fact.get("scores", list(outcome.scores))
    else:
        assert outcome is None


def test_no_fact_is_named_twice() -> None:
    tables = (BOARD, MOVES, FIGHTS, GAMES)
    ids = [
        row["id"]
        for table in tables
        for rows in table.values()
        if isinstance(rows, list)
        for row in rows
    ]
    assert len(ids) == len(set(ids))
