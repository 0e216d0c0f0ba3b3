"""Random games beside OpenSpiel's, inside the core and move by move from Python.

    python -m benchmarks.games [--seconds 3]

Both sides use one core and take turns, so a slow moment of the machine hits both. OpenSpiel
knows neither forbidden moves nor whole-turn moves: our side plays *more* rules.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from itertools import cycle

import pyspiel

import arena
from arena._core import PlayTask, Rng
from benchmarks.figure import Figure, show

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


def run(seconds: float) -> list[Figure]:
    figures = []
    peer = pyspiel.load_game("gomoku(size=15)")
    for book in ("renju_free", "renju_illegal"):
        renju = arena.game(f"gomoku/{book}")
        got = rates({"ours": core_step(renju, 2000), "peer": spiel_core_step(peer, 1000)}, seconds)
        figures.append(
            Figure(
                f"gomoku/{book}, in the core",
                got["ours"][0],
                "games/s",
                "OpenSpiel rollouts",
                got["peer"][0],
                bar=10.0,
            )
        )
        got = rates({"ours": view_step(renju, 20), "peer": spiel_python_step(peer, 20)}, seconds)
        figures.append(
            Figure(
                f"gomoku/{book}, Python, legal view",
                got["ours"][1],
                "moves/s",
                "OpenSpiel loop",
                got["peer"][1],
                bar=2.0,
            )
        )
    checkers = arena.game("chinese_checkers/openspiel_2")
    peer = pyspiel.load_game("chinese_checkers(players=2)")
    got = rates({"ours": core_step(checkers, 200), "peer": spiel_core_step(peer, 100)}, seconds)
    figures.append(
        Figure(
            "chinese_checkers/openspiel_2, in the core",
            got["ours"][0],
            "games/s",
            "OpenSpiel rollouts",
            got["peer"][0],
            bar=5.0,
        )
    )
    got = rates(
        {
            "view": view_step(checkers, 4),
            "sample": sample_step(checkers, 4),
            "peer": spiel_python_step(peer, 2),
        },
        seconds,
    )
    for how, words in (("view", "legal view"), ("sample", "sampled moves")):
        figures.append(
            Figure(
                f"chinese_checkers/openspiel_2, Python, {words}",
                got[how][0],
                "games/s",
                "OpenSpiel loop",
                got["peer"][0],
                bar=3.0,
            )
        )
    landlord = arena.game("doudizhu/openspiel")
    peer = pyspiel.load_game("dou_dizhu")
    got = rates({"ours": core_step(landlord, 2000), "peer": spiel_core_step(peer, 1000)}, seconds)
    figures.append(
        Figure(
            "doudizhu/openspiel, in the core",
            got["ours"][0],
            "games/s",
            "OpenSpiel rollouts",
            got["peer"][0],
            bar=1.0,
        )
    )
    got = rates({"ours": view_step(landlord, 50), "peer": spiel_python_step(peer, 50)}, seconds)
    figures.append(
        Figure(
            "doudizhu/openspiel, Python, legal view",
            got["ours"][1],
            "moves/s",
            "OpenSpiel loop",
            got["peer"][1],
            bar=1.0,
        )
    )
    xiangqi = arena.game("xiangqi/openspiel")
    peer = pyspiel.load_game("xiangqi")
    got = rates({"ours": view_step(xiangqi, 5), "peer": spiel_python_step(peer, 1)}, seconds)
    figures.append(
        Figure(
            "xiangqi/openspiel, Python, legal view",
            got["ours"][1],
            "moves/s",
            "OpenSpiel loop",
            got["peer"][1],
            bar=5.0,
        )
    )
    siguo = arena.game("siguo/doc001")
    got = rates({"ours": core_step(siguo, 200)}, seconds)
    figures.append(
        Figure(
            "siguo/doc001, in the core",
            got["ours"][0],
            "games/s",
            "no peer: what a sweep wants",
            2000.0,
            bar=1.0,
        )
    )
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each side of each figure")
    sys.exit(show(run(parser.parse_args().seconds)))
