"""Golden traces: one readable game a file, as the code played it when it was reviewed.

`python -m tests.games.siguo.test_golden` writes them anew; read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena import SPECTATOR

GOLDEN = Path(__file__).parents[2] / "golden"

# name: (rulebook, engine of every seat, seed, plies at most)
TRACES = {
    "siguo_doc001": ("doc001", "rule", 1, 260),
    "siguo_half_bright": ("half_bright", "greedy", 2, 120),
    "siguo_captor": ("captor", "random", 3, 900),
    "siguo_dark60": ("dark60", "solver:worlds=3,width=3,depth=4", 4, 80),
}


def trace(book: str, spec: str, seed: int, plies: int) -> str:
    """Every move with what everybody saw of it; the board, set-up and views now and then."""
    game = arena.game(f"siguo/{book}")
    engines = [game.core.engine(spec) for _ in range(game.seats)]
    for seat, engine in enumerate(engines):
        engine.new_game(10 * seed + seat)
    state = game.new_state(seed)
    lines = [f"{game.name}, seed {seed}, every seat {spec}", state.setup()]
    every = max(1, plies // 4)
    while state.seats_to_act() and state.plies < plies:
        seat = min(state.seats_to_act())
        move, _ = engines[seat].choose(state, seat)
        told = "; ".join(
            f"{event.kind} {event.text}"
            + ("" if event.seen_by(SPECTATOR) == event.text else f" [{event.seen_by(SPECTATOR)}]")
            for event in state.apply(seat, move)
        )
        lines.append(f"{state.plies}. seat {seat}: {told}")
        if state.plies % every == 0:
            lines += [game.family.draw_text(game, state), state.setup(), state.observe(0)]
    lines += [game.family.draw_text(game, state), state.setup(), repr(state.outcome())]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", TRACES)
def test_trace(name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    assert trace(*TRACES[name]) == path.read_text("utf-8"), f"{name}: see the module's docstring"


if __name__ == "__main__":
    for name, how in TRACES.items():
        (GOLDEN / f"{name}.txt").write_text(trace(*how), "utf-8")
