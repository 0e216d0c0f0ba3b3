"""What a seat must not know stays unknown, to engines as well; no card is lost."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import arena
from arena._core import Rng

PACK = Counter("3456789TJQKA2" * 4 + "BR")
BOOKS = ("doc003", "happy", "openspiel", "any_kickers")


@pytest.mark.parametrize("spec", ["random", "greedy", "solver:worlds=3"])
@pytest.mark.parametrize("book", BOOKS)
def test_engines_decide_by_what_their_seat_sees(book: str, spec: str) -> None:
    game = arena.game(f"doudizhu/{book}")
    rng = Rng(1)
    for seed in range(4):
        state = game.new_state(seed)
        changed = 0
        while state.seats_to_act():
            (seat,) = state.seats_to_act()
            other = state.resample(seat, rng)
            changed += any(other.observe(s) != state.observe(s) for s in range(3) if s != seat)
            choices = []
            for world in (state, other):
                engine = game.core.engine(spec)
                engine.new_game(state.plies)
                move, decision = engine.choose(world, seat)
                choices.append((str(move), decision.value, decision.nodes))
            assert choices[0] == choices[1], state.setup()
            state.apply(seat, choices[0][0])
        assert changed > 5


@pytest.mark.parametrize("book", BOOKS)
def test_no_card_is_lost(book: str) -> None:
    game = arena.game(f"doudizhu/{book}")
    rng = Rng(2)
    for seed in range(10):
        state = game.new_state(seed)
        while True:
            views = [json.loads(state.observe(seat)) for seat in range(3)]
            seen = views[0]
            cards = Counter(seen["gone"])
            for view in views:
                cards.update(view["hand"])
            if seen["landlord"] is None and seen["phase"] == "call":
                # The kitty is in no view yet: three cards are missing, and no more.
                assert (PACK - cards).total() == 3
                assert not cards - PACK
            elif seen["landlord"] is not None:
                assert cards == PACK
            assert [len(view["hand"]) for view in views] == seen["counts"]
            acting = state.seats_to_act()
            if not acting:
                break
            (seat,) = acting
            state.apply(seat, state.sample_move(seat, rng))


def test_the_kitty_is_unknown_before_the_landlord_is() -> None:
    # The kitty and a hand exchange cards; who holds neither, and spectators, see no difference.
    game = arena.game("doudizhu/doc003")
    one = game.new_state(setup="hands=345/678/9TJ kitty=QKA log=pass")
    other = game.new_state(setup="hands=345/QKA/9TJ kitty=678 log=pass")
    for viewer in (arena.SPECTATOR, 0, 2):
        assert one.observe(viewer) == other.observe(viewer)
    assert one.observe(1) != other.observe(1)
