"""Golden traces: one readable game a file, as the code played it when it was reviewed.

`python -m tests.games.chinese_checkers.test_golden` writes them anew; read the difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.chinese_checkers.positions import checkers

GOLDEN = Path(__file__).parents[2] / "golden"

TRACES = {
    "chinese_checkers_doc001": ("doc001", "greedy:noise=10", 8),
    "chinese_checkers_doc000": ("doc000", "greedy", 12),
    "chinese_checkers_ranked_3": ("ranked_3", "search:nodes=100", 12),
}
"""File to (rulebook, engine of every seat, a picture every so many turns)."""


def trace(book: str, spec: str, pictures: int) -> str:
    game = checkers(book)
    engines = [game.core.engine(spec) for _ in range(game.seats)]
    for seat, engine in enumerate(engines):
        engine.new_game(seat)
    state = game.new_state()
    lines = [f"{game.name}, every seat {spec}", state.setup(), game.family.draw_text(game, state)]
    while state.seats_to_act():
        (seat,) = state.seats_to_act()
        count = len(state.moves(seat))
        move, _ = engines[seat].choose(state, seat)
        events = state.apply(seat, move)
        told = ", ".join(f"{event.kind} {event.text}" for event in events)
        lines.append(f"{state.plies}. seat {seat} of {count}: {told}")
        if state.plies % pictures == 0:
            lines += [game.family.draw_text(game, state), state.setup(), state.observe(seat)]
    lines += [state.setup(), game.family.draw_text(game, state), repr(state.outcome())]
    outcome = state.outcome()
    assert outcome is not None
    lines.append(f"places {outcome.places}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", TRACES)
def test_trace(name: str) -> None:
    expected = (GOLDEN / f"{name}.txt").read_text("utf-8")
    assert trace(*TRACES[name]) == expected


if __name__ == "__main__":
    for name, how in TRACES.items():
        (GOLDEN / f"{name}.txt").write_text(trace(*how), "utf-8")
