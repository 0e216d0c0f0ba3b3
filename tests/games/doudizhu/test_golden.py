"""Golden traces: one readable deal a file, as the code played it when it was reviewed.

`python -m tests.games.doudizhu.test_golden` writes them anew; read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena import SPECTATOR

GOLDEN = Path(__file__).parents[2] / "golden"

# name: (rulebook, engine of every seat, seed)
TRACES = {
    "doudizhu_doc003": ("doc003", "greedy", 3),
    "doudizhu_happy": ("happy", "solver:worlds=3", 5),
    "doudizhu_any_kickers": ("any_kickers", "random", 7),
    "doudizhu_openspiel": ("openspiel", "random", 11),
    "doudizhu_lianzhong": ("lianzhong", "solver:worlds=3", 14),
    "doudizhu_rlcard": ("rlcard", "greedy", 18),
    "doudizhu_douzero": ("douzero", "greedy", 236),
    "doudizhu_pagat": ("pagat", "greedy", 26),
    "doudizhu_two_singles_only": ("two_singles_only", "random", 18),
    "doudizhu_spring_three": ("spring_three", "greedy", 107),
}


def trace(book: str, spec: str, seed: int) -> str:
    """Every event and the hand before the move; a picture, the set-up and views now and then."""
    game = arena.game(f"doudizhu/{book}")
    engines = [game.core.engine(spec) for _ in range(game.seats)]
    for seat, engine in enumerate(engines):
        engine.new_game(10 * seed + seat)
    state = game.new_state(seed)
    lines = [f"{game.name}, seed {seed}, every seat {spec}", state.setup()]
    while state.seats_to_act():
        (seat,) = state.seats_to_act()
        count = len(state.moves(seat))
        move, _ = engines[seat].choose(state, seat)
        told = "; ".join(
            f"{event.kind} {event.text}"
            + ("" if event.seen_by(SPECTATOR) == event.text else f" [{event.seen_by(SPECTATOR)}]")
            for event in state.apply(seat, move)
        )
        lines.append(f"{state.plies}. seat {seat}, one of {count}: {told}")
        if state.plies % 12 == 0:
            lines += [game.family.draw_text(game, state), state.setup(), state.observe(0)]
    lines += [game.family.draw_text(game, state), state.setup(), state.observe(SPECTATOR)]
    outcome = state.outcome()
    return "\n".join([*lines, repr(outcome), repr(outcome and outcome.measures)]) + "\n"


@pytest.mark.parametrize("name", TRACES)
def test_trace(name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    assert trace(*TRACES[name]) == path.read_text("utf-8"), f"{name}: see the module's docstring"


if __name__ == "__main__":
    for name, how in TRACES.items():
        (GOLDEN / f"{name}.txt").write_text(trace(*how), "utf-8")
