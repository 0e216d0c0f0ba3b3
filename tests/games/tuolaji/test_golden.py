"""Golden traces: one readable hand a file, as the code played it when it was reviewed.

`python -m tests.games.tuolaji.test_golden` writes them anew; read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import arena

GOLDEN = Path(__file__).parents[2] / "golden"

TRACES = {
    "tuolaji_r10": ("r10_qq_two_deck", 3),
    "tuolaji_r13": ("r13_two_deck_joker_level", 6),
    "tuolaji_r14": ("r14_four_deck_two_hours", 1),
    "tuolaji_r04": ("r04_three_deck_3_to_K", 2),
}
"""File to (rulebook, seed); every seat plays at random."""


def trace(book: str, seed: int) -> str:
    game = arena.game(f"tuolaji/{book}")
    engines = [game.core.engine("random") for _ in range(game.seats)]
    for seat, engine in enumerate(engines):
        engine.new_game(seat)
    state = game.new_state(seed)
    lines = [f"{game.name}, seed {seed}, every seat random", state.setup()]
    while state.seats_to_act():
        (seat,) = state.seats_to_act()
        owed = state.requirements(seat)
        move, _ = engines[seat].choose(state, seat)
        told = "; ".join(
            f"{event.kind} {event.text}"
            + (f" [{event.seen_by(-1)}]" if not event.seen_by(-1) else "")
            for event in state.apply(seat, move)
        )
        lines.append(f"{state.plies}. seat {seat} {owed}: {told}")
        if state.plies % 24 == 0:
            lines += [game.family.draw_text(game, state), state.setup(), state.observe(seat)]
    lines += [game.family.draw_text(game, state), repr(state.outcome())]
    outcome = state.outcome()
    assert outcome is not None
    lines.append(f"{outcome.measures}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", TRACES)
def test_trace(name: str) -> None:
    assert trace(*TRACES[name]) == (GOLDEN / f"{name}.txt").read_text("utf-8")


if __name__ == "__main__":
    for name, how in TRACES.items():
        (GOLDEN / f"{name}.txt").write_text(trace(*how), "utf-8")
