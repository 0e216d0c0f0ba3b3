"""Each rung beats the one below over the same line-ups with sides exchanged; none sees too much."""

from __future__ import annotations

from collections import Counter

import pytest

import arena
from arena._core import PlayTask, Rng
from arena.games import family
from tests.games.siguo.boards import board, choice

RUNGS = family("siguo").rungs


def score(book: str, strong: str, weak: str, deals: int) -> float:
    """Mean score of `strong`, which plays both sides of every deal."""
    game = arena.game(f"siguo/{book}", layout_source="book")
    tasks, seats = [], []
    for deal in range(deals):
        for side in range(2):
            engines = [strong if seat % 2 == side else weak for seat in range(game.seats)]
            tasks.append(PlayTask(engines, deal, deal))
            seats.append([seat for seat in range(game.seats) if seat % 2 == side])
    total = sum(
        sum(played.outcome.scores[seat] for seat in mine) / len(mine)
        for played, mine in zip(game.core.play(tasks), seats, strict=True)
    )
    return total / len(tasks)


def test_the_rungs() -> None:
    assert [rung.partition(":")[0] for rung in RUNGS] == ["random", "greedy", "rule", "solver"]


@pytest.mark.parametrize("book", ["doc001", "dark60"])
def test_greedy_beats_random(book: str) -> None:
    assert score(book, "greedy", "random", 25) > 0.8


@pytest.mark.parametrize("book", ["doc001", "bright", "dark60"])
def test_rule_beats_greedy(book: str) -> None:
    assert score(book, "rule", "greedy", 40) > 0.6


def test_solver_beats_rule() -> None:
    assert score("dark60", RUNGS[-1], "rule", 12) > 0.55


@pytest.mark.parametrize("spec", RUNGS)
def test_what_an_engine_plays_depends_on_what_its_seat_knows_alone(spec: str) -> None:
    """The same choice in the true position and in another that looks the same to the seat."""
    game = arena.game("siguo/doc001", layout_source="book")
    state = game.new_state(6)
    player = game.core.engine("greedy:noise=20")
    player.new_game(1)
    compared = 0
    while state.seats_to_act() and state.plies < 120:
        (seat,) = state.seats_to_act()
        if state.plies % 10 == 5:
            choices = []
            for world in (state, state.resample(seat, Rng(state.plies))):
                engine = game.core.engine(spec)
                engine.new_game(3)
                choices.append(str(engine.choose(world, seat)[0]))
            assert choices[0] == choices[1], state.setup()
            compared += 1
        state.apply(seat, player.choose(state, seat)[0])
    assert compared > 8


def test_line_ups_of_the_book_are_many_and_legal() -> None:
    game = arena.game("siguo/doc001")
    state = game.new_state(1)
    assert len({str(move) for move in state.moves(0)}) == len(state.moves(0)) == 24
    for spec in ("greedy", "rule"):
        engine = game.core.engine(spec)
        chosen: Counter[str] = Counter()
        for seed in range(40):
            engine.new_game(seed)
            move = engine.choose(state, 0)[0]
            assert state.check(0, move) is None
            chosen[str(move)] += 1
        assert len(chosen) > 10


def test_rule_guards_its_flag() -> None:
    """What stands beside the flag is taken, and not the general that the commander could have."""
    army = "F-@S62,7-@S53,9-@C11"
    rest = {"E": "2-@E51", "N": "2-@N51"}
    for threat, move in (("2-@S52=23", "S53-S52"), ("2-@W52=23", "C11-C12")):
        state = board(S=army, W=f"{threat},8-@C12=8,3-@W51", **rest)
        assert choice("rule", state) == move


def test_rule_probes_with_what_is_worth_little() -> None:
    """What may be a mine or a bomb is attacked by the platoon, not by the general beside it."""
    state = board(S="8-@C11,2-@C13,F-@S62", E="2-@E51", N="2-@N51", W="5-@C12,M-@W51,B-@W55,4-@W53")
    assert choice("rule", state) == "C13-C12"


def test_options_of_engines_are_named_in_errors() -> None:
    game = arena.game("siguo/doc001")
    for spec, words in (("search", "random, greedy, rule"), ("rule:nodes=3", "noise")):
        with pytest.raises(ValueError, match=words):
            game.core.engine(spec)
