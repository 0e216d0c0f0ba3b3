"""A random step is drawn by counting; it is the one that the list of steps has at the index drawn."""

from __future__ import annotations

from typing import Any

import pytest

import arena
from arena._core import Rng

GAMES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in arena.rulebooks() if name.startswith("siguo/")),
    ("siguo/doc001", {"eliminated_pieces": "stay"}),
    ("siguo/doc001", {"eliminated_pieces": "stay", "teams": "ffa", "seats": 3}),
    ("siguo/captor", {"teams": "ffa", "seats": 3}),
    ("siguo/captor", {"seats": 2}),
]
"""Every rulebook; homes that are closed; units that stay when their seat is out, or change hands."""


def assert_drawn_from_the_list(state: arena.State, seed: int) -> None:
    (seat,) = state.seats_to_act()
    view = state.moves(seat)
    listed = view[Rng(seed).below(len(view))]
    assert state.sample_move(seat, Rng(seed)) == listed, state.setup()


@pytest.mark.parametrize(("book", "settings"), GAMES)
def test_the_step_drawn_is_the_one_listed(book: str, settings: dict[str, Any]) -> None:
    game = arena.game(book, layout_source="random", **settings)
    for seed in range(10):
        state, rng = game.new_state(seed), Rng(seed)
        while acting := state.seats_to_act():
            (seat,) = acting
            assert_drawn_from_the_list(state, rng.below(1 << 30))
            state.apply(seat, state.sample_move(seat, rng))


@pytest.mark.parametrize(("book", "settings"), GAMES)
def test_in_positions_read_and_worlds_drawn(book: str, settings: dict[str, Any]) -> None:
    game = arena.game(book, layout_source="random", **settings)
    state, rng = game.new_state(5), Rng(5)
    while acting := state.seats_to_act():
        (seat,) = acting
        if state.plies % 30 == 0:
            assert_drawn_from_the_list(game.new_state(setup=state.setup()), rng.below(1 << 30))
            assert_drawn_from_the_list(state.resample(seat, rng), rng.below(1 << 30))
        state.apply(seat, state.sample_move(seat, rng))
