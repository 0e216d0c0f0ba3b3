"""Whole games as text: a change of rules, phases, observations or engines shows as a diff.

`python -m tests.games.gomoku.test_golden` writes the files again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.games import game
from arena.games.gomoku.notation import describe_move

GOLDEN = Path(__file__).parents[2] / "golden"


@dataclass(frozen=True)
class Trace:
    """A seeded game to write down."""

    rulebook: str
    engine: str
    """Of both seats."""

    seed: int
    size: int = 9
    setup: str | None = None
    first: tuple[str, ...] = ()
    """Moves played before the engine takes over."""


TRACES = {
    "doc001_lapsed": Trace("doc001", "random", 1),
    "doc001_claimed": Trace(
        "doc001",
        "greedy",
        2,
        size=15,
        setup="black=f11,g11,h9,g8 white=a1,a3,a5,a7",
        first=("o15", "o1", "g10"),
    ),
    "claim_lose_move": Trace("claim_lose_move", "random", 4),
    "renju_free": Trace("renju_free", "random", 7),
    "renju_rif": Trace("renju_rif", "search:nodes=100", 2, size=15),
    "renju_taraguchi10": Trace("renju_taraguchi10", "random", 3),
    "renju_super_sakata": Trace("renju_super_sakata", "random", 4),
    "renju_illegal": Trace("renju_illegal", "greedy:noise=50", 5),
    "swap2": Trace("swap2", "random", 6),
}


def playthrough(name: str) -> str:
    """One seeded game: setup, every move with what it means and what is seen, outcome."""
    trace = TRACES[name]
    made = game(f"gomoku/{trace.rulebook}", size=trace.size)
    engine = made.core.engine(trace.engine)
    engine.new_game(trace.seed)
    state = made.new_state(trace.seed, setup=trace.setup)
    first = list(trace.first)
    lines = [f"game {made.label}", f"engine {trace.engine} seed {trace.seed}", ""]
    lines.append(f"setup {state.setup()}")
    while state.seats_to_act():
        (seat,) = state.seats_to_act()
        move = first.pop(0) if first else str(engine.choose(state, seat)[0])
        said = describe_move(made, move, False)
        lines.append(f"{state.plies + 1}. seat {seat} ({state.roles()[seat]}) {move} - {said}")
        for event in state.apply(seat, move):
            if event.kind != "move":
                lines.append(f"   {event.kind}: seat {event.seat} {event.text}")
        lines.append(f"   {state.observe(-1)}")
    outcome = state.outcome()
    assert outcome is not None
    lines += ["", made.family.draw_text(made, state), "", f"setup {state.setup()}"]
    lines.append(f"outcome {outcome.termination.name} scores {outcome.scores} {outcome.roles}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", TRACES)
def test_playthrough(name: str) -> None:
    path = GOLDEN / f"gomoku_{name}.txt"
    assert playthrough(name) == path.read_text("utf-8"), f"{path.name}: see the module's docstring"


def test_the_traces_show_every_phase_and_most_endings() -> None:
    text = "".join((GOLDEN / f"gomoku_{name}.txt").read_text("utf-8") for name in TRACES)
    for phase in ("place", "swap", "choose", "declare", "offer", "swap_or_offer", "pick", "main"):
        assert f'"phase":"{phase}"' in text, phase
    for ending in ("five", "forbidden", "forbidden_claimed"):
        assert f"outcome {ending}" in text
    assert "foul: seat 1 false_claim" in text


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for trace_name in TRACES:
        (GOLDEN / f"gomoku_{trace_name}.txt").write_text(playthrough(trace_name), "utf-8")
