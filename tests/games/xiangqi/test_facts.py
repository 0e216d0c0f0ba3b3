"""Published counts and verdicts: tests/facts/xiangqi, one id a row."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena._core import IllegalReason, PlayTask, Rng, SetupError, State
from arena.games import Game, game

FACTS = Path(__file__).parents[2] / "facts" / "xiangqi"
PERFT: dict[str, Any] = tomllib.loads((FACTS / "perft.toml").read_text("utf-8"))
REPETITION: dict[str, Any] = tomllib.loads((FACTS / "repetition.toml").read_text("utf-8"))

# name: (FEN, legal moves of the side to move)
LEGAL_COUNTS = {
    "X01": ("3k5/9/9/9/9/9/9/9/9/4K4 w", 2),
    "X02": ("4k4/9/9/9/9/4r4/9/4R4/9/4K4 w", 6),
    "X05": ("3k5/9/9/9/9/2B6/9/9/9/4K4 w", 4),
    "X07": ("3k5/9/9/9/9/9/4p4/9/4C4/5K3 w", 12),
    "X08": ("3k5/9/9/9/9/9/4P4/9/9/5K3 w", 3),
    "X10": ("3k4P/9/9/9/9/9/9/9/9/4K4 w", 3),
    "X11": ("3k5/9/9/9/9/9/9/9/4A4/5K3 w", 5),
}


def bare() -> Game:
    """Movement alone: nothing but mate and stalemate ends a game."""
    return game("xiangqi/openspiel", max_plies=None)


def playthrough(made: Game, setup: str, moves: list[str]) -> State:
    state = made.new_state(setup=setup)
    for move in moves:
        (seat,) = state.seats_to_act()
        state.apply(seat, move)
    return state


def winner(state: State) -> str | None:
    outcome = state.outcome()
    if outcome is None:
        return None
    return {1.0: "red", 0.0: "black", 0.5: "draw"}[outcome.scores[0]]


@pytest.mark.parametrize("name", PERFT)
def test_perft(name: str) -> None:
    made, row = bare(), PERFT[name]
    state = made.new_state(setup=row["fen"])
    (seat,) = state.seats_to_act()
    assert len(state.moves(seat)) == row["counts"][0]
    for depth, leaves in enumerate(row["counts"], 1):
        engine = made.core.engine(f"perft:depth={depth}")
        engine.new_game(0)
        assert engine.choose(state, seat)[1].nodes == leaves, depth


def walk(state: State, depth: int) -> int:
    """Leaves of the tree of legal moves, through the contract."""
    (seat,) = state.seats_to_act()
    view = state.moves(seat)
    if depth == 1:
        return len(view)
    leaves = 0
    for text in [str(move) for move in view]:
        child = state.clone()
        child.apply(seat, text)
        leaves += walk(child, depth - 1) if child.seats_to_act() else 0
    return leaves


@pytest.mark.parametrize("name", PERFT)
def test_perft_through_the_contract(name: str) -> None:
    state = bare().new_state(setup=PERFT[name]["fen"])
    assert walk(state, 2) == PERFT[name]["counts"][1]


def last_ply(state: State, depth: int) -> Iterator[tuple[bool, bool, bool]]:
    """Of every line of `depth` moves: whether its last one captures, checks, mates."""
    (seat,) = state.seats_to_act()
    men = men_on(state.observe(-1))
    for text in [str(move) for move in state.moves(seat)]:
        child = state.clone()
        child.apply(seat, text)
        if depth == 1:
            seen = child.observe(-1)
            check = '"check":true' in seen
            yield men_on(seen) < men, check, check and not child.seats_to_act()
        elif child.seats_to_act():
            yield from last_ply(child, depth - 1)


def men_on(seen: str) -> int:
    board = seen.partition('"board":"')[2].partition('"')[0]
    return sum(sign.isalpha() for sign in board)


DETAILED = [name for name in PERFT if "checks" in PERFT[name]]


@pytest.mark.parametrize("name", DETAILED)
def test_captures_checks_and_mates_of_the_last_ply(name: str) -> None:
    row = PERFT[name]
    state = bare().new_state(setup=row["fen"])
    for depth in (1, 2, 3):
        leaves = list(last_ply(state, depth))
        assert len(leaves) == row["counts"][depth - 1]
        for what, counted in zip(
            ("captures", "checks", "mates"), zip(*leaves, strict=True), strict=True
        ):
            assert sum(counted) == row.get(what, [sum(counted)] * 3)[depth - 1], (what, depth)


@pytest.mark.parametrize("name", DETAILED)
def test_captures_checks_and_mates_counted_in_the_core(name: str) -> None:
    """XP20, XP21. Depth 5 takes minutes and is tried where ARENA_PERFT_DEPTH asks for it."""
    made, row = bare(), PERFT[name]
    state = made.new_state(setup=row["fen"])
    (seat,) = state.seats_to_act()
    deepest = int(os.environ.get("ARENA_PERFT_DEPTH", "4"))
    for count, what in enumerate(("captures", "checks", "mates"), 1):
        for depth, expected in enumerate(row.get(what, [])[:deepest], 1):
            engine = made.core.engine(f"perft:depth={depth},count={count}")
            engine.new_game(0)
            assert engine.choose(state, seat)[1].nodes == expected, (what, depth)


IMPOSSIBLE = {
    "XP19": "rnbakabnr/9/4c4/p1p1C1p1p/9/9/P1P3P1P/1C5c1/9/RNBAKABNR b",
    "XP14": "4k4/9/9/9/9/9/9/9/4R4/4K4 w",
    "XE2": "4k4/9/9/9/9/9/9/9/9/4K4 w",
}
"""The side to move could capture the general. Other programs let it, and count on from there."""


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_positions_that_cannot_be_are_refused(name: str) -> None:
    with pytest.raises(SetupError, match="could capture the general"):
        bare().new_state(setup=IMPOSSIBLE[name])


def test_xp14_counted_from_the_positions_it_leads_to() -> None:
    """The published tree begins with ten moves: these nine, and the capture of the general."""
    column = [f"4k4/{'9/' * above}4R4/{'9/' * (7 - above)}4K4 b" for above in range(7)]
    after = [*column, "4k4/9/9/9/9/9/9/9/4R4/3K5 b", "4k4/9/9/9/9/9/9/9/4R4/5K3 b"]
    made = bare()
    for depth, leaves in enumerate((16, 290, 262, 4_734), 1):
        counted = 0
        for fen in after:
            engine = made.core.engine(f"perft:depth={depth}")
            engine.new_game(0)
            counted += engine.choose(made.new_state(setup=fen), 1)[1].nodes
        assert counted == leaves, depth


def test_xe2_as_given_where_generals_may_face_each_other() -> None:
    made = game("xiangqi/axf", flying_general=False)
    outcome = made.new_state(setup=IMPOSSIBLE["XE2"]).outcome()
    assert outcome is not None
    assert outcome.termination.name == "insufficient_material"
    assert outcome.scores == (0.5, 0.5)


@pytest.mark.parametrize("name", LEGAL_COUNTS)
def test_legal_counts(name: str) -> None:
    fen, count = LEGAL_COUNTS[name]
    assert len(bare().new_state(setup=fen).moves(0)) == count


def test_x04_an_elephant_with_blocked_eyes() -> None:
    state = bare().new_state(setup="3k5/9/9/9/9/2B6/1p1p5/9/9/4K4 w")
    assert not [m for m in state.moves(0) if str(m).startswith("c5")]


@pytest.mark.parametrize("name", REPETITION)
def test_repetition_by_the_asian_code(name: str) -> None:
    row = REPETITION[name]
    made = game("xiangqi/axf", insufficient_material="off")
    cycle = row["cycle"].split()
    moves = row.get("once", "").split() + 2 * cycle
    assert winner(playthrough(made, row["fen"], moves)) == row["winner"]


@pytest.mark.parametrize("name", REPETITION)
def test_pyffish_says_the_same(name: str) -> None:
    """The installed program and the facts: a verdict that was copied wrongly shows here."""
    pyffish = pytest.importorskip("pyffish")
    row = REPETITION[name]
    moves = row.get("once", "").split() + 2 * row["cycle"].split()
    over, value = pyffish.is_optional_game_end("xiangqi", f"{row['fen']} - - 0 1", moves)
    red_to_move = (row["fen"].endswith(" w")) == (len(moves) % 2 == 0)
    assert over
    assert row["winner"] == (
        "draw" if value == 0 else "red" if (value > 0) == red_to_move else "black"
    )


@pytest.mark.parametrize("name", REPETITION)
def test_cycles_without_a_judge(name: str) -> None:
    """Document 001 bans the first move of the third cycle; OpenSpiel's rules let it go on."""
    row = REPETITION[name]
    moves = row.get("once", "").split() + 2 * row["cycle"].split()
    first = row["cycle"].split()[0]
    state = playthrough(game("xiangqi/doc001", insufficient_material="off"), row["fen"], moves)
    if name == "XR36":  # it was the only one, so that who is checked for ever loses
        outcome = state.outcome()
        assert outcome is not None
        assert (outcome.termination.name, winner(state)) == ("no_move", "red")
    else:
        (seat,) = state.seats_to_act()
        refusal = state.check(seat, first)
        assert refusal is not None
        assert refusal.reason == IllegalReason.repeated
    state = playthrough(bare(), row["fen"], [*moves, first])
    assert state.outcome() is None


@pytest.mark.parametrize("name", [f"XR{i}" for i in range(34, 39)])
def test_px0_judges_the_second_occurrence_alike(name: str) -> None:
    row = REPETITION[name]
    made = game("xiangqi/axf", insufficient_material="off", repetition_count=2)
    assert winner(playthrough(made, row["fen"], row["cycle"].split())) == row["winner"]


# By code: an id of tests/facts and the winner. XR1 chase, XR4 soldier, XR16 both check,
# XR36 check, XR14 chariot chases chariot.
BY_CODE = [
    *[("draw", name, "draw") for name in ("XR1", "XR36", "XR14", "XR34")],
    ("perpetual_check_only", "XR1", "draw"),
    ("perpetual_check_only", "XR34", "draw"),
    ("perpetual_check_only", "XR36", "black"),
    ("perpetual_check_only", "XR7", "red"),
    ("perpetual_check_only", "XR16", "draw"),
    ("ucci_league", "XR1", "black"),
    ("ucci_league", "XR4", "draw"),
    ("ucci_league", "XR14", "draw"),
    ("ucci_league", "XR34", "black"),
    ("ucci_league", "XR35", "red"),
    ("ucci_league", "XR36", "black"),
    ("ucci_league", "XR38", "draw"),
    ("cxa", "XR1", "black"),
    ("cxa", "XR4", "draw"),
    ("cxa", "XR16", "draw"),
    ("cxa", "XR36", "black"),
]


@pytest.mark.parametrize(("code", "name", "expected"), BY_CODE)
def test_other_codes(code: str, name: str, expected: str) -> None:
    row = REPETITION[name]
    made = game("xiangqi/axf", insufficient_material="off", repetition_code=code)
    moves = row.get("once", "").split() + 2 * row["cycle"].split()
    assert winner(playthrough(made, row["fen"], moves)) == expected


@pytest.mark.parametrize(
    ("board", "over"),
    [
        ("4k4/9/9/9/9/9/9/9/9/3K5", True),  # XE2, the generals not facing
        ("4k4/9/9/9/9/9/9/9/9/3KN4", False),  # XE3
        ("4k4/9/4b4/9/9/9/9/4B4/9/4K4", True),  # XE4
        ("4k4/9/9/9/9/9/9/9/4A4/4KC3", False),  # XE5
        ("4k4/9/9/4p4/9/9/9/9/9/4KR3", False),  # XE6
        ("5k3/4a4/3CN4/9/1PP5p/9/8P/4C4/4A4/2B1K4", False),  # XE6
    ],
)
def test_endings_that_nobody_can_win(board: str, over: bool) -> None:
    outcome = game("xiangqi/axf").new_state(setup=f"{board} w").outcome()
    assert (outcome is not None) == over
    if outcome is not None:
        assert outcome.termination.name == "insufficient_material"


def test_xe7_first_moves_by_man() -> None:
    moves = [str(move) for move in bare().new_state().moves(0)]
    by_rank = {square: sum(m.startswith(square) for m in moves) for square in ("a1", "b1", "c1")}
    assert by_rank == {"a1": 2, "b1": 2, "c1": 2}
    assert sum(m[:2] in ("b3", "h3") for m in moves) == 24
    assert sum(m[1] == "4" for m in moves) == 5


def test_xe11_length_of_random_play_and_its_longest_list() -> None:
    # 1,250 games in the source: mean 388 to 398 plies under the cap of 500, at most 79 moves.
    made = game("xiangqi/openspiel")
    played = made.core.play([PlayTask(["random"] * 2, seed, seed) for seed in range(1250)])
    assert 375 < sum(one.plies for one in played) / len(played) < 405
    longest = 0
    for seed in range(20):
        state, rng = made.new_state(seed), Rng(seed)
        while seats := state.seats_to_act():
            (seat,) = seats
            longest = max(longest, len(state.moves(seat)))
            state.apply(seat, state.sample_move(seat, rng))
    assert 55 < longest < 95
