"""Each rung beats the one below, landlord and peasants of the same deals exchanged."""

from __future__ import annotations

import pytest

import arena
from arena._core import PlayTask
from arena.games import family


def margin(book: str, strong: str, weak: str, deals: int) -> float:
    """Mean score of `strong` minus that of `weak`, each side played by both in every seat."""
    game = arena.game(f"doudizhu/{book}")
    tasks, sides = [], []
    for deal in range(deals):
        for seat in range(3):
            for lone, pair, sign in ((strong, weak, 1), (weak, strong, -1)):
                engines = [pair] * 3
                engines[seat] = lone
                tasks.append(PlayTask(engines, deal, deal))
                sides.append((seat, sign))
    total = 0.0
    for played, (seat, sign) in zip(game.core.play(tasks), sides, strict=True):
        scores = played.outcome.scores
        total += sign * (scores[seat] - (sum(scores) - scores[seat]) / 2)
    return total / len(tasks)


@pytest.mark.parametrize("book", ["doc003", "rlcard", "happy"])
def test_greedy_beats_random(book: str) -> None:
    assert margin(book, "greedy", "random", 40) > 0.15


def test_solver_beats_greedy() -> None:
    assert family("doudizhu").rungs == ("random", "greedy", "solver:worlds=8")
    assert margin("rlcard", "solver:worlds=8", "greedy", 50) > 0.03
