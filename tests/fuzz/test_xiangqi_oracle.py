"""Legal moves of the core beside the slow rules and, where installed, beside pyffish.

ARENA_FUZZ_SECONDS makes each test run longer (see tests/fuzz/budget.py); `-s` shows how many
positions were compared:

    ARENA_FUZZ_SECONDS=300 pytest -s -o timeout=0 tests/fuzz/test_xiangqi_oracle.py
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

import arena
from arena._core import Rng, SetupError
from arena.games.xiangqi.observation import XiangqiObservation
from tests.fuzz.budget import seeds
from tests.fuzz.xiangqi_boards import POINTS, enough_for, fen, may_stand, strewn
from tests.oracles.xiangqi import Board, attacked, legal, read_board
from tests.oracles.xiangqi_material import drawn, in_table

MATES = (
    "9/9/4ka3/9/9/9/9/4B4/9/3KC4",
    "9/4c4/3kb4/9/9/9/9/9/9/4KC3",
    "9/4a4/C2ak4/9/9/9/9/9/9/3K5",
)


def test_legal_moves_of_random_games() -> None:
    made = arena.game("xiangqi/openspiel")
    positions = checks = ends = 0
    for seed in seeds(3):
        state, rng = made.new_state(seed), Rng(seed)
        while True:
            seen = XiangqiObservation.from_json(state.observe(-1))
            slow = legal(read_board(seen.board), seen.to_move == "red")
            acting = state.seats_to_act()
            if not acting:
                ends += 1
                assert not slow or seen.plies == 500
                break
            (seat,) = acting
            assert {str(m) for m in state.moves(seat)} == slow, state.setup()
            positions += 1
            checks += seen.check
            state.apply(seat, state.sample_move(seat, rng))
    print(f"\nxiangqi: {positions} positions, {checks} in check, {ends} ends")
    assert checks >= 5


def test_legal_moves_of_strewn_men() -> None:
    """Pins, screens, legs and facing generals in plenty; both sides of every board."""
    made = arena.game("xiangqi/openspiel", max_plies=None)
    positions = checks = refused = 0
    for seed in seeds(20):
        rng = random.Random(f"strewn {seed}")
        for _ in range(20):
            board = strewn(rng)
            attack = [attacked(board, is_red) for is_red in (False, True)]
            for red_moves in (False, True):
                setup = f"{fen(board)} {'w' if red_moves else 'b'}"
                if attack[not red_moves]:  # the other general could be captured at once
                    refused += 1
                    with pytest.raises(SetupError):
                        made.new_state(setup=setup)
                    continue
                state = made.new_state(setup=setup)
                moves = {str(m) for seat in state.seats_to_act() for m in state.moves(seat)}
                assert moves == legal(board, red_moves), setup
                positions += 1
                checks += attack[red_moves]
    print(f"\nxiangqi, strewn men: {positions} positions, {checks} in check, {refused} refused")
    assert checks >= 50


def few_cannons(rng: random.Random) -> Board:
    """Generals, cannons, advisors and elephants; half of the boards are a mate but for a man or two."""
    board: Board = {}
    men = ["K", "k", *rng.sample("CcCcAaAaBbBb", rng.randint(0, 5))]
    if rng.random() < 0.5:
        board = read_board(rng.choice(MATES))
        men = [board.pop(rng.choice(sorted(board))) for _ in range(rng.randint(1, 2))]
        men += rng.sample("ABab", rng.randint(0, 1))
        if rng.random() < 0.5:
            board = {(x, 9 - y): man.swapcase() for (x, y), man in board.items()}
            men = [man.swapcase() for man in men]
    for man in men:
        board[rng.choice([p for p in POINTS if p not in board and may_stand(man, p)])] = man
    return board


def test_men_with_which_nobody_can_win() -> None:
    settings = ("off", "no_attackers", "engine_table")
    made = {name: arena.game("xiangqi/axf", insufficient_material=name) for name in settings}
    met = dict.fromkeys([*settings, "positions", "listed, yet a mate in one"], 0)
    for seed in seeds(20):
        rng = random.Random(f"cannons {seed}")
        for _ in range(50):
            board, red_moves = few_cannons(rng), rng.random() < 0.5
            if not enough_for(board) or attacked(board, not red_moves):
                continue
            mate = not legal(board, red_moves)
            met["positions"] += 1
            for name in settings:
                setup = f"{fen(board)} {'w' if red_moves else 'b'}"
                outcome = made[name].new_state(setup=setup).outcome()
                over = outcome is not None and outcome.termination.name == "insufficient_material"
                assert over == (not mate and drawn(name, board, red_moves)), (name, setup)
                met[name] += over
            met["listed, yet a mate in one"] += not mate and table_but_not_drawn(board, red_moves)
    print(f"\nxiangqi, few cannons: {met}")
    assert met["engine_table"] > met["no_attackers"] > met["off"] == 0
    assert met["listed, yet a mate in one"] >= 2


def table_but_not_drawn(board: Board, red_moves: bool) -> bool:
    """Whether only a mate in one keeps the game going."""
    return in_table(Counter(board.values())) and not drawn("engine_table", board, red_moves)


def test_legal_moves_beside_pyffish() -> None:
    pyffish = pytest.importorskip("pyffish")
    made = arena.game("xiangqi/openspiel")
    positions = 0
    for seed in seeds(3):
        state, rng = made.new_state(1000 + seed), Rng(1000 + seed)
        while state.seats_to_act():
            (seat,) = state.seats_to_act()
            seen = XiangqiObservation.from_json(state.observe(-1))
            fen = f"{seen.board} {'w' if seen.to_move == 'red' else 'b'} - - 0 1"
            moves = {str(m) for m in state.moves(seat)}
            assert set(pyffish.legal_moves("xiangqi", fen, [])) == moves, fen
            positions += 1
            state.apply(seat, state.sample_move(seat, rng))
    print(f"\nxiangqi beside pyffish: {positions} positions")
    assert positions > 500
