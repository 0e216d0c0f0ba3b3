"""The judges of repetition beside slow ones, on games in which men go to and fro.

A few men are strewn on the board, or a published case is changed by a man or two, and the men moved
so that positions come back. Every verdict is compared. ARENA_FUZZ_SECONDS makes each test run
longer (see tests/fuzz/budget.py); `-s` shows what was met:

    ARENA_FUZZ_SECONDS=300 pytest -s -o timeout=0 tests/fuzz/test_xiangqi_repetition_oracle.py
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import arena
from arena._core import SetupError
from arena.games.xiangqi.rules import XiangqiRules
from tests.fuzz.budget import seeds
from tests.fuzz.xiangqi_boards import enough_for, fen, may_stand
from tests.oracles.xiangqi import (
    Board,
    attacked,
    legal,
    played,
    reaches,
    read_board,
    red,
    text,
)
from tests.oracles.xiangqi_repetition import Course, Scene, Step, captures, read_steps, threats

CODES = ("draw", "perpetual_check_only", "ucci_league", "axf", "cxa", "ban_third_move")
MODES = ("position", "position", "literal")
MEN = "RRRRNNNNCCCCPPPPAABB"
PLIES = 40
CASES: dict[str, Any] = tomllib.loads(
    (Path(__file__).parents[1] / "facts" / "xiangqi" / "repetition.toml").read_text("utf-8")
)


def few_men(rng: random.Random) -> Board:
    """Two generals and some men, close together more often than not."""
    board: Board = {}
    men = rng.sample(MEN, rng.randint(2, 8))
    narrow = rng.random() < 0.7
    for man in ["K", "k", *(rng.choice((man, man.lower())) for man in men)]:
        spots = [
            (x, y)
            for x in range(9)
            for y in range(10)
            if (x, y) not in board and may_stand(man, (x, y))
        ]
        close = [point for point in spots if 2 <= point[0] <= 6] if narrow else spots
        board[rng.choice(close or spots)] = man
    return board if enough_for(board) else {}


def step_somewhere(rng: random.Random, board: Board, red_moves: bool) -> Step | None:
    """A step of a side that captures nothing and can be taken back; it need not be legal."""
    men = sorted(point for point, man in board.items() if red(man) == red_moves)
    start = rng.choice(men)
    ends = sorted(end for end in reaches(board, start) if end not in board)
    if not ends:
        return None
    end = rng.choice(ends)
    return (start, end) if start in reaches(played(board, start, end), end) else None


def in_check(slow: Course) -> bool:
    """Whether the general of the side to move is attacked."""
    return attacked(slow.boards[-1], slow.red_moves)


def can_be_played(board: Board, steps: list[Step]) -> bool:
    """Whether these steps, one after the other, are legal."""
    for start, end in steps:
        if end not in reaches(board, start):
            return False
        board = played(board, start, end)
        if attacked(board, red(board[end])):
            return False
    return True


def to_and_fro(rng: random.Random, board: Board, red_moves: bool) -> list[Step]:
    """Four steps that lead back; such that the first side is after one man with both, or gives
    check with both, if a few tries find some."""
    found: list[Step] = []
    for _ in range(150):
        one = step_somewhere(rng, board, red_moves)
        there = played(board, *one) if one else board
        other = step_somewhere(rng, there, not red_moves)
        if not one or not other or other[1] == one[0]:
            continue
        back = played(played(there, *other), *one[::-1])
        cycle = [one, other, one[::-1], other[::-1]]
        if not can_be_played(board, cycle):
            continue
        found = cycle
        if attacked(there, not red_moves) and attacked(back, not red_moves):
            break
        after = {victim for _, victim in captures(there, red_moves)}
        again = {other[0] if v == other[1] else v for _, v in captures(back, red_moves)}
        if after & again:
            after = {victim for _, victim in threats(Scene.of(there), red_moves)}
            if after & again:
                break
    return found


def choose(rng: random.Random, slow: Course, plan: list[Step]) -> Step:
    """The next step of the plan, if it can be played; else likely one back to a board seen before."""
    steps = slow.legal()
    if plan and rng.random() < 0.95:
        step = plan[len(slow.steps) % len(plan)]
        if step in steps:
            return step
    here = slow.boards[-1]
    quiet = sorted(step for step in steps if step[1] not in here) or sorted(steps)
    seen = [step for step in quiet if played(here, *step) in slow.boards]
    return rng.choice(seen if seen and rng.random() < 0.85 else quiet)


def near_a_case(rng: random.Random) -> tuple[Board, bool, list[Step]]:
    """A published case of repetition with up to three men gone, come or moved, and its cycle."""
    row = CASES[rng.choice(sorted(CASES))]
    text, turn = row["fen"].split()
    board, red_moves = read_board(text), turn == "w"
    for step in read_steps(row.get("once", "")):
        board, red_moves = played(board, *step), not red_moves
    cycle = read_steps(row["cycle"])
    fixed = {start for start, _ in cycle}
    for _ in range(rng.randint(0, 3)):
        man = rng.choice(MEN)
        loose = sorted(p for p, m in board.items() if m.lower() != "k" and p not in fixed)
        if loose and rng.random() < 0.7:
            man = board.pop(rng.choice(loose))
        if rng.random() < 0.7:
            spots = ((x, y) for x in range(9) for y in range(10) if (x, y) not in board)
            board[rng.choice([spot for spot in spots if may_stand(man, spot)])] = man
    return (board, red_moves, cycle) if enough_for(board) else ({}, red_moves, cycle)


def one_game(game: arena.Game, rng: random.Random, met: Counter[str]) -> None:
    """From a few men, or from what is nearly a published case, to a verdict or as long as it is let."""
    rules = game.rules
    assert isinstance(rules, XiangqiRules)
    plan: list[Step] = []
    if rng.random() < 0.5:
        board, red_moves, plan = near_a_case(rng)
    else:
        board, red_moves = few_men(rng), rng.random() < 0.5
        if board and rng.random() < 0.8:
            plan = to_and_fro(rng, board, red_moves)
    if not board:
        return
    setup = f"{fen(board)} {'w' if red_moves else 'b'}"
    try:
        state = game.new_state(setup=setup)
    except SetupError:
        return  # the general could be captured at once
    slow = Course(
        rules.repetition_code,
        rules.repetition_count,
        board,
        red_moves,
        rules.same_move_limit,
        rules.same_move_mode,
    )
    for _ in range(PLIES):
        played_so_far = " ".join(text(a) + text(b) for a, b in slow.steps)
        where = f"{rules.canonical()} {setup} {played_so_far}"
        moves = {text(start) + text(end) for start, end in slow.legal()}
        unbanned = legal(slow.boards[-1], slow.red_moves)
        outcome = state.outcome()
        met["positions"] += 1
        verdict = slow.verdict()
        if not moves and (verdict is None or not unbanned):
            stuck = "checkmate" if not unbanned and in_check(slow) else "no_move"
            verdict = (stuck, "red" if slow.red_moves else "black")
        if verdict is not None:
            assert outcome is not None, where
            loser = {1.0: "black", 0.0: "red", 0.5: ""}[outcome.scores[0]]
            assert (outcome.termination.name, loser) == verdict, where
            met[verdict[0]] += 1
            return
        assert outcome is None, where
        assert {str(move) for move in state.moves(min(state.seats_to_act()))} == moves, where
        step = choose(rng, slow, plan)
        met["steps that were banned"] += len(unbanned) - len(moves)
        state.apply(min(state.seats_to_act()), text(step[0]) + text(step[1]))
        slow.play(*step)


@pytest.mark.parametrize("code", CODES)
def test_verdicts_agree(code: str) -> None:
    met: Counter[str] = Counter()
    for seed in seeds(20):
        rng = random.Random(f"{code} {seed}")
        bans = code == "ban_third_move"
        game = arena.game(
            "xiangqi/axf",
            repetition_code=code,
            repetition_count=rng.choice([2, 3, 3, 4] if bans else [2, 3, 3, 4, None]),
            same_move_limit=None if bans else rng.choice([None, None, 2, 3]),
            same_move_mode=rng.choice(MODES),
            natural_limit_rounds=None,
            insufficient_material="off",
            max_plies=None,
        )
        one_game(game, rng, met)
    print(f"\nxiangqi, {code}: {dict(met)}")
    assert met["steps that were banned"] > 0
    assert met["repetition"] > 0


def test_verdicts_of_the_asian_code_beside_pyffish() -> None:
    """Programs differ on some chases, so nearly all verdicts have to agree and not every one."""
    pyffish = pytest.importorskip("pyffish")
    game = arena.game("xiangqi/axf", natural_limit_rounds=None, insufficient_material="off")
    met: Counter[str] = Counter()
    for seed in seeds(120):
        rng = random.Random(f"pyffish {seed}")
        board, red_moves, plan = near_a_case(rng)
        if not board or attacked(board, not red_moves) or not can_be_played(board, 2 * plan):
            continue
        turn = "w" if red_moves else "b"
        state = game.new_state(setup=f"{fen(board)} {turn}")
        moves = [text(start) + text(end) for start, end in 2 * plan]
        for move in moves:
            if state.seats_to_act():
                state.apply(min(state.seats_to_act()), move)
        outcome = state.outcome()
        over, value = pyffish.is_optional_game_end("xiangqi", f"{fen(board)} {turn} - - 0 1", moves)
        if outcome is None or not over or state.plies < len(moves):
            continue
        winner = 0 if value == 0 else 1 if (value > 0) == red_moves else -1
        met["alike" if outcome.scores[0] == (1 + winner) / 2 else "different"] += 1
        met[outcome.termination.name] += 1
    print(f"\nxiangqi, axf beside pyffish: {dict(met)}")
    assert met["alike"] >= 20
    assert met["different"] <= 0.05 * met["alike"]
