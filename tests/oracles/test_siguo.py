"""The slow Siguo Junqi rules against counts, positions and deductions known from elsewhere."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from tests.oracles.siguo import COUNT, RANKS, Fight, Siguo, allowed_at, fight, line_up_errors
from tests.oracles.siguo_board import Board, board
from tests.oracles.siguo_positions import CHINESE, DEFAULTS, line_up, position, start
from tests.oracles.siguo_views import knowledge, possible_ranks, shown_ranks

BIG, SMALL = board("siguo129"), board("luzhanqi60")


def open_ends(where: Board, point: str, engineer: bool = False) -> set[str]:
    """On an empty board; nothing moves out of headquarters."""
    if point in where.headquarters:
        return set()
    return where.destinations(point, engineer, set(), set())


def ends(pieces: Mapping[str, str], point: str) -> set[str]:
    game = position(pieces, pieces[point][0])
    return {end for begin, end in game.moves(pieces[point][0]) if begin == point}


# -- the boards ------------------------------------------------------------------------


def test_points() -> None:
    assert len(BIG.at) == 129
    assert (len(BIG.stations), len(BIG.camps), len(BIG.headquarters)) == (92, 20, 8)
    assert len(SMALL.at) == 60
    grid = {point: (x + 8, y + 8) for point, (x, y) in BIG.at.items()}
    for r in range(1, 7):
        for c in range(1, 6):
            assert grid[f"S{r}{c}"] == (5 + c, 10 + r)
            assert grid[f"E{r}{c}"] == (10 + r, 11 - c)
            assert grid[f"N{r}{c}"] == (11 - c, 6 - r)
            assert grid[f"W{r}{c}"] == (6 - r, 5 + c)
    assert all(grid[f"C{i}{j}"] == (4 + 2 * i, 4 + 2 * j) for i in (1, 2, 3) for j in (1, 2, 3))


def test_edges() -> None:
    assert (len(BIG.roads), len(BIG.rails), len(BIG.arcs)) == (196, 88, 4)
    assert (len(SMALL.roads), len(SMALL.rails), len(SMALL.arcs)) == (98, 35, 0)
    arcs = {("S11", "W15"), ("W11", "N15"), ("N11", "E15"), ("E11", "S15")}
    assert {frozenset(arc) for arc in arcs} == BIG.arcs
    joined = {("S11", "C13"), ("S13", "C23"), ("N15", "C11"), ("W13", "C12"), ("E11", "C33")}
    assert {frozenset(rail) for rail in joined} <= BIG.rails
    assert sum("C" in {p[0] for p in rail} for rail in BIG.rails) == 12 + 12
    across = {rail for rail in SMALL.rails if len({p[0] for p in rail}) == 2}
    assert across == {frozenset(p) for p in (("S11", "N15"), ("S13", "N13"), ("S15", "N11"))}


DEGREES = """
14 12 33 12 14
12 80 40 80 12
32 40 80 40 32
12 80 40 80 12
22 22 42 22 22
20 30 30 30 20
"""


def test_degrees() -> None:
    for home in "SENW":
        for row, line in enumerate(DEGREES.split("\n")[1:7], 1):
            for column, both in enumerate(line.split(), 1):
                point = f"{home}{row}{column}"
                assert f"{len(BIG.near[point])}{len(BIG.tracks[point])}" == both, point
    assert all(len(BIG.tracks[p]) == 4 and not BIG.near[p] for p in BIG.at if p[0] == "C")
    assert sum(bool(tracks) for tracks in BIG.tracks.values()) == 73


def test_the_eighteen_lines() -> None:
    def run(home: str, column: int, outwards: bool = True) -> list[str]:
        rows = range(1, 6) if outwards else range(5, 0, -1)
        return [f"{home}{row}{column}" for row in rows]

    lines = [[f"{home}{row}{c}" for c in range(1, 6)] for home in "SENW" for row in (1, 5)]
    lines += [
        [*run("N", 5, False), "C11", "C12", "C13", *run("S", 1)],
        [*run("N", 1, False), "C31", "C32", "C33", *run("S", 5)],
        [*run("W", 1, False), "C11", "C21", "C31", *run("E", 5)],
        [*run("W", 5, False), "C13", "C23", "C33", *run("E", 1)],
        ["N13", "C21", "C22", "C23", "S13"],
        ["W13", "C12", "C22", "C32", "E13"],
    ]
    lines += [[*run(a, 1, False), *run(b, 5)] for a, b in ("SW", "WN", "NE", "ES")]
    assert len(lines) == 18
    expected = {tuple(line) for line in lines} | {tuple(line[::-1]) for line in lines}
    for point in BIG.at:
        rays = {tuple(ray) for ray in BIG.rays[point]}
        ways = {line[line.index(point) + 1 :] for line in expected if point in line}
        assert rays == {way for way in ways if way}, point


ORDINARY = """
22 5 11 5 22
18 8 4 8 18
20 4 8 4 20
18 8 4 8 18
23 6 8 6 23
2 0 3 0 2
"""
ENGINEER = """
73 73 75 73 73
73 8 4 8 73
75 4 8 4 75
73 8 4 8 73
74 74 76 74 74
2 0 3 0 2
"""


@pytest.mark.parametrize(("engineer", "table"), [(False, ORDINARY), (True, ENGINEER)])
def test_destinations_on_an_empty_board(engineer: bool, table: str) -> None:
    for home in "SENW":
        found = [
            " ".join(str(len(open_ends(BIG, f"{home}{r}{c}", engineer))) for c in range(1, 6))
            for r in range(1, 7)
        ]
        assert found == table.strip().split("\n")
    centre = [[len(open_ends(BIG, f"C{i}{j}", engineer)) for i in (1, 2, 3)] for j in (1, 2, 3)]
    assert centre == ([[72] * 3] * 3 if engineer else [[24, 16, 24], [16, 8, 16], [24, 16, 24]])


@pytest.mark.parametrize(
    ("where", "pairs", "origins", "most"), [(BIG, 5624, 121, 76), (SMALL, 1176, 56, 35)]
)
def test_pairs(where: Board, pairs: int, origins: int, most: int) -> None:
    found = {p: open_ends(where, p) | open_ends(where, p, engineer=True) for p in where.at}
    assert sum(len(e) for e in found.values()) == pairs
    assert sum(bool(e) for e in found.values()) == origins
    assert max(len(e) for e in found.values()) == most


# -- moves -----------------------------------------------------------------------------


def test_arcs_and_lines() -> None:
    assert "W35" in ends({"S31": "S师"}, "S31")
    assert {"W35", "W15"} & ends({"S31": "S师", "W15": "W连"}, "S31") == {"W15"}
    assert {"N55", "W55"} <= ends({"S51": "S师"}, "S51")
    assert "C23" not in ends({"S12": "S师"}, "S12")
    assert "W15" not in ends({"S12": "S师"}, "S12")
    assert "W15" in ends({"S12": "S工"}, "S12")
    crossing = {"C12", "C32", "C21", "C23", "W13", "E13", "N13", "S13"}
    assert ends({"C22": "S师"}, "C22") == crossing


def test_roads() -> None:
    assert ends({"S63": "S师"}, "S63") == {"S53", "S62", "S64"}
    assert "S43" not in ends({"S41": "S师"}, "S41")
    assert {"S22", "S44"} <= ends({"S33": "S师"}, "S33")


def test_camps_and_headquarters() -> None:
    for enemy_of in ("W22", "S22"):
        near = {"W": "W21", "S": "S21"}[enemy_of[0]]
        assert enemy_of not in ends({near: "S师", enemy_of: "E连"}, near)
        assert enemy_of in ends({near: "S师"}, near)
    assert "W62" in ends({"W61": "S师", "W62": "W连"}, "W61")
    assert not ends({"W62": "S师"}, "W62")


def test_engineers() -> None:
    around = {"S12": "W连", "S21": "W连", "C13": "E连", "W15": "W连"}
    assert ends({"S11": "S工", **around}, "S11") == {*around, "S22"}
    assert "E51" in ends({"W51": "S工", "C13": "E连", "S53": "E连"}, "W51")
    walls = {"W52": "E连", "W41": "E连"}
    assert "E51" not in ends({"W51": "S工", **walls}, "W51")


def test_friends_block() -> None:
    pieces = {"S31": "S师", "S11": "N连", "W15": "W连"}
    assert {"S11", "W15"}.isdisjoint(ends(pieces, "S31"))
    assert "S21" in ends(pieces, "S31")


def perft(game: Siguo, depth: int) -> int:
    moves = game.moves(game.turn)
    if depth == 1:
        return len(moves)
    total = 0
    for begin, end in moves:
        after = game.clone()
        after.play(begin, end)
        total += perft(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("order", "counts"), [("ccw", [43, 1841, 78343]), ("cw", [43, 1846, 78767])]
)
def test_perft(order: str, counts: list[int]) -> None:
    game = start(turn_order=order)
    assert [perft(game, depth) for depth in (1, 2, 3)] == counts


# -- fights ----------------------------------------------------------------------------

A, D, BOTH = Fight(True, False), Fight(False, True), Fight(False, False)
FELL = Fight(False, False, True)


@pytest.mark.parametrize(
    ("attacker", "defender", "changed", "result"),
    [
        ("排", "雷", {}, D),
        ("排", "雷", {"mine_vs_piece": "both_die"}, BOTH),
        ("工", "雷", {}, A),
        ("工", "雷", {"mine_vs_piece": "both_die"}, A),
        ("炸", "雷", {}, BOTH),
        ("炸", "工", {}, BOTH),
        ("司", "炸", {}, BOTH),
        ("司", "司", {}, BOTH),
        ("团", "团", {}, BOTH),
        ("工", "排", {}, D),
        ("司", "军", {}, A),
        ("工", "旗", {}, Fight(attacker=True, defender=False, flag=True)),
        ("炸", "旗", {}, FELL),
        ("炸", "旗", {"bomb_vs_flag": "bomb_lost"}, D),
    ],
)
def test_fights(attacker: str, defender: str, changed: dict[str, str], result: Fight) -> None:
    assert fight(CHINESE[attacker], CHINESE[defender], {**DEFAULTS, **changed}) == result


# -- line-ups ---


def test_line_ups() -> None:
    good = line_up(BIG, "S")
    assert not line_up_errors(BIG, "S", good)
    assert Counter(good.values()) == Counter(COUNT)

    def swapped(a: str, b: str) -> set[str]:
        return line_up_errors(BIG, "S", {**good, a: good[b], b: good[a]})

    assert swapped("S11", "S52") == {"bomb on S11"}
    assert swapped("S41", "S61") == {"mine on S41"}
    assert swapped("S63", "S62") == {"flag on S63"}
    moved = {point: rank for point, rank in good.items() if point != "S11"}
    assert line_up_errors(BIG, "S", {**moved, "S22": "company"}) >= {"wrong points"}
    assert line_up_errors(BIG, "S", {**good, "S53": "mine"}) == {"wrong pieces"}


def test_number_of_line_ups() -> None:
    points = BIG.home("S") - BIG.camps
    flags, mines, bombs = (
        sum(rank in allowed_at(BIG, point) for point in points) for rank in ("flag", "mine", "bomb")
    )
    assert (flags, mines, bombs) == (2, 10, 20)
    others = math.factorial(19) // math.prod(math.factorial(COUNT[r]) for r in RANKS[:9])
    ways = flags * math.comb(mines - 1, 3) * math.comb(bombs - 1 - 3, 2) * others
    assert f"{ways:.4e}" == "7.0960e+17"


# -- what follows ----------------------------------------------------------------------


def cleared(game: Siguo, *points: str) -> dict[str, int]:
    """Takes the units that began on these points off the board; all units by their origin."""
    units = {unit.origin: i for i, unit in game.units.items()}
    for point in points:
        game.units[units[point]] = replace(game.units[units[point]], at=None)
    return units


def test_both_gone_and_one_flag_shown() -> None:
    """Who watches learns that one was the commander, so the other was a bomb."""
    west = "连师排团司 旅.军.排 团工.工连 师.营.旅 营炸工炸连 雷旗雷排雷"
    south = "连师排团营 旅.军.排 团工.工连 师.司.旅 炸营工炸连 雷旗雷排雷"
    game = start(S=south, W=west)
    units = cleared(game, "S11", "S21", "S31", "S41")
    game.play("S51", "W15")
    assert game.shown == {"W"}
    for viewer in ("N", "E", None):
        seen = possible_ranks(game, viewer)
        assert seen[units["S51"]] == {"bomb"}
        assert seen[units["W15"]] == {"commander"}
        assert seen[units["W62"]] == {"flag"}
        assert seen[units["W43"]] == set(RANKS) - {"commander", "mine", "flag"}
        assert seen[units["S43"]] == set(RANKS) - {"mine", "flag"}
    assert possible_ranks(game, "S")[units["S43"]] == {"commander"}


def test_what_a_move_tells() -> None:
    game = start(S="工师排团营 旅.军.排 团工.连连 师.司.旅 营炸工炸连 雷旗雷排雷")
    units = cleared(game)
    game.play("S11", "C32")
    assert possible_ranks(game, "N")[units["S11"]] == {"engineer"}
    game.play("E12", "E22")
    moved = set(RANKS) - {"bomb", "mine", "flag"}
    assert possible_ranks(game, None)[units["E12"]] == moved
    assert possible_ranks(game, "W")[units["E61"]] == set(RANKS) - {"flag"}
    assert possible_ranks(game, "W")[units["E62"]] == set(RANKS)


def test_a_winner_is_higher_than_what_it_beat() -> None:
    game = start(W="连师排团旅 旅.军.排 团工.工连 师.司.营 营炸工炸连 雷旗雷排雷")
    units = cleared(game, "S11", "S21")
    game.play("S31", "W15")
    beaten, winner = units["S31"], units["W15"]
    higher = {"commander", "general", "division", "brigade"}
    assert possible_ranks(game, "S")[winner] == higher
    assert possible_ranks(game, "W")[beaten] == set(RANKS[3:9]) - {"brigade"}
    seen = possible_ranks(game, "E")
    assert seen[winner] == set(RANKS[:8])
    assert seen[beaten] == set(RANKS[1:9])


@pytest.mark.parametrize(
    ("visibility", "seers"),
    [("dark", "S"), ("double_bright", "SN"), ("half_bright", "S"), ("bright", "SENW")],
)
def test_who_sees_the_ranks(visibility: str, seers: str) -> None:
    game = start(visibility=visibility)
    for viewer in "SENW":
        known = {game.units[i].home for i in shown_ranks(game, viewer)}
        assert ("S" in known) == (viewer in seers)


def test_the_attacked_is_shown_where_half_bright() -> None:
    game = start(visibility="half_bright")
    units = cleared(game)
    game.play("S11", "W15")
    assert shown_ranks(game, None) == {units["W15"]: "battalion"}
    game = start(combat_disclosure="ranks")
    game.play("S11", "W15")
    assert shown_ranks(game, None) == {units["S11"]: "company", units["W15"]: "battalion"}


def test_worlds_that_look_alike() -> None:
    game, other = start(), start()
    units = {unit.origin: i for i, unit in game.units.items()}
    a, b = units["W11"], units["W12"]
    other.units[a] = replace(other.units[a], rank=game.units[b].rank)
    other.units[b] = replace(other.units[b], rank=game.units[a].rank)
    for viewer in ("S", "E", "N", None):
        assert knowledge(game, viewer) == knowledge(other, viewer)
    assert knowledge(game, "W") != knowledge(other, "W")
