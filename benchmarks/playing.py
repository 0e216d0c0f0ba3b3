"""Ways to play random games, ours and OpenSpiel's, and how fast each of them is."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import cycle

import pyspiel

import arena
from arena._core import PlayTask, Rng

Step = Callable[[], tuple[int, int]]
"""Plays some games; returns (games, moves)."""


def rates(sides: dict[str, Step], seconds: float) -> dict[str, tuple[float, float]]:
    """Games/s and moves/s of each side, run alternately until each had its seconds."""
    spent = dict.fromkeys(sides, 0.0)
    games = dict.fromkeys(sides, 0)
    moves = dict.fromkeys(sides, 0)
    while min(spent.values()) < seconds:
        for name, step in sides.items():
            start = time.perf_counter()
            played, made = step()
            spent[name] += time.perf_counter() - start
            games[name] += played
            moves[name] += made
    return {name: (games[name] / spent[name], moves[name] / spent[name]) for name in sides}


def core_step(game: arena.Game, count: int) -> Step:
    """Games inside the core. What to play is written down before the clock runs."""
    batches = cycle(
        [
            [PlayTask(["random"] * game.seats, seed, seed) for seed in range(first, first + count)]
            for first in range(0, 10 * count, count)
        ]
    )

    def step() -> tuple[int, int]:
        return count, sum(played.plies for played in game.core.play(next(batches)))

    return step


def view_step(game: arena.Game, count: int) -> Step:
    """Move by move from Python, through the lazy view of legal moves."""
    rng = Rng(1)
    below = rng.below

    def step() -> tuple[int, int]:
        moves = 0
        for seed in range(count):
            state = game.new_state(seed)
            acting = state.seats_to_act()
            while acting:
                (seat,) = acting
                view = state.moves(seat)
                state.apply(seat, view[below(len(view))])
                acting = state.seats_to_act()
                moves += 1
        return count, moves

    return step


def sample_step(game: arena.Game, count: int) -> Step:
    """Move by move from Python, through `sample_move`."""
    rng = Rng(1)

    def step() -> tuple[int, int]:
        moves = 0
        for seed in range(count):
            state = game.new_state(seed)
            acting = state.seats_to_act()
            while acting:
                (seat,) = acting
                state.apply(seat, state.sample_move(seat, rng))
                acting = state.seats_to_act()
                moves += 1
        return count, moves

    return step


def dealt_step(game: arena.Game, count: int) -> Step:
    """As `view_step`, from `count` positions that were dealt before the clock runs."""
    rng = Rng(1)
    below = rng.below
    dealt = [game.new_state(seed) for seed in range(count)]

    def step() -> tuple[int, int]:
        moves = 0
        for start in dealt:
            state = start.clone()
            acting = state.seats_to_act()
            while acting:
                (seat,) = acting
                view = state.moves(seat)
                state.apply(seat, view[below(len(view))])
                acting = state.seats_to_act()
                moves += 1
        return count, moves

    return step


def spiel_core_step(game: pyspiel.Game, count: int) -> Step:
    """OpenSpiel's own rollouts in C++, reached through one simulation of its search bot."""
    evaluator = pyspiel.RandomRolloutEvaluator(count, 7)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 10, False, 7, False)

    def step() -> tuple[int, int]:
        state = game.new_initial_state()
        while state.is_chance_node():  # a deal; ours deals anew for every game
            state.apply_action(state.legal_actions()[0])
        bot.mcts_search(state)
        return count, 0

    return step


def spiel_python_step(game: pyspiel.Game, count: int) -> Step:
    rng = random.Random(1)

    def step() -> tuple[int, int]:
        moves = 0
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                moves += not state.is_chance_node()
                state.apply_action(legal[int(rng.random() * len(legal))])
        return count, moves

    return step


def spiel_dealt_step(game: pyspiel.Game, count: int) -> Step:
    """As `spiel_python_step`, from `count` positions that were dealt before the clock runs."""
    rng = random.Random(1)
    dealt = []
    for _ in range(count):
        state = game.new_initial_state()
        while state.is_chance_node():
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
        dealt.append(state)

    def step() -> tuple[int, int]:
        moves = 0
        for start in dealt:
            state = start.clone()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
                moves += 1
        return count, moves

    return step
