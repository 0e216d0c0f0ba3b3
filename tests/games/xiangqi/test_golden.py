"""Whole games as text: a change of rules, observations or engines shows as a diff.

`python -m tests.games.xiangqi.test_golden` writes the files again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from arena._core import Rng
from arena.games import game

GOLDEN = Path(__file__).parents[2] / "golden"

# name: (rulebook, engine of both seats or "sample" for random moves, seed, plies at most)
TRACES = {
    "doc000_claims": ("doc000", "sample", 5, 400),
    "doc001": ("doc001", "greedy:noise=20", 2, 80),
    "axf": ("axf", "search:nodes=200", 3, 60),
}


def playthrough(name: str) -> str:
    """One seeded game: setup, moves, what is seen every tenth ply, outcome."""
    book, spec, seed, plies = TRACES[name]
    made = game(f"xiangqi/{book}")
    state, rng = made.new_state(seed), Rng(seed)
    engine = made.core.engine("random" if spec == "sample" else spec)
    engine.new_game(seed)
    lines = [f"game {made.label}", f"engine {spec} seed {seed}", f"setup {state.setup()}"]
    while state.seats_to_act() and state.plies < plies:
        (seat,) = state.seats_to_act()
        move = state.sample_move(seat, rng) if spec == "sample" else engine.choose(state, seat)[0]
        lines.append(f"{state.plies + 1}. {move}")
        lines += [
            f"   {event.kind}: seat {event.seat} {event.text}"
            for event in state.apply(seat, move)
            if event.kind != "move"
        ]
        if state.plies % 10 == 0:
            lines.append(f"   {state.observe(-1)}")
    outcome = state.outcome()
    lines += ["", made.family.draw_text(made, state), f"setup {state.setup()}"]
    ended = f"{outcome.termination.name} {list(outcome.scores)}" if outcome else "none yet"
    return "\n".join([*lines, f"outcome {ended}"]) + "\n"


@pytest.mark.parametrize("name", TRACES)
def test_playthrough(name: str) -> None:
    path = GOLDEN / f"xiangqi_{name}.txt"
    assert playthrough(name) == path.read_text("utf-8"), f"{path.name}: see the module's docstring"


if __name__ == "__main__":
    for each in TRACES:
        (GOLDEN / f"xiangqi_{each}.txt").write_text(playthrough(each), "utf-8")
