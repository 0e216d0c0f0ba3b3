"""What a seat may know: no leak under resampling, and worlds that fit all it has seen."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import arena
from arena import SPECTATOR
from arena._core import Rng, State
from arena.games.tuolaji.observation import Observation
from tests.games.tuolaji.tables import cards, play, table

BOOKS = arena.rulebooks("tuolaji/*")


def seen(state: State, viewer: int = SPECTATOR) -> Observation:
    return Observation.from_json(state.observe(viewer))


@pytest.mark.parametrize("name", BOOKS)
def test_observations_survive_any_other_hidden_world(name: str) -> None:
    game = arena.game(name)
    rng = Rng(7)
    changed = 0
    for seed in range(3):
        state = game.new_state(seed)
        step = 0
        while state.seats_to_act():
            seat = min(state.seats_to_act())
            if step % 7 == seed:
                other = state.resample(seat, rng)
                assert other.observe(seat) == state.observe(seat)
                assert other.requirements(seat) == state.requirements(seat)
                assert other.seats_to_act() == state.seats_to_act()
                assert [str(m) for m in other.moves(seat)] == [str(m) for m in state.moves(seat)]
                changed += any(
                    other.observe(viewer) != state.observe(viewer)
                    for viewer in range(game.seats)
                    if viewer != seat
                )
            state.apply(seat, state.sample_move(seat, rng))
            step += 1
    assert changed > 10


@pytest.mark.parametrize("name", BOOKS)
def test_resampled_worlds_are_whole_packs_and_play_on(name: str) -> None:
    game = arena.game(name)
    rng = Rng(9)
    decks = int(str(game.rules.settings()["decks"]))
    state = game.new_state(4)
    while state.seats_to_act() and state.plies < 60:
        seat = min(state.seats_to_act())
        state.apply(seat, state.sample_move(seat, rng))
    viewer = min(state.seats_to_act())
    world = state.resample(viewer, rng)
    assert not world.history(), "a history would tell what the viewer has not seen"
    total = Counter[str]()
    for seat in range(game.seats):
        total += Counter(seen(world, seat).hand_cards)
    for trick in [*seen(world).tricks, seen(world).trick]:
        assert trick is not None
        for one in trick.plays:
            total += Counter(one.cards)
    kitty = dict(word.split("=", 1) for word in world.setup().split(" "))["kitty"]
    total += Counter([] if kitty == "-" else kitty.split(","))
    assert set(total.values()) == {decks}
    assert sum(total.values()) == 54 * decks
    while world.seats_to_act():
        seat = min(world.seats_to_act())
        world.apply(seat, world.sample_move(seat, rng))


def worlds(state: State, viewer: int, count: int = 60) -> list[list[tuple[str, ...]]]:
    rng = Rng(3)
    found = []
    for _ in range(count):
        world = state.resample(viewer, rng)
        found.append([seen(world, seat).hand_cards for seat in range(4)])
    return found


def test_voids_are_kept() -> None:
    state = table(
        "r10_qq_two_deck",
        ["HA3 S4 5 6 7", "D4567 89", "H45 C3467", "H67 C8910 3"],
        fill="C",
    )
    for seat, text in enumerate(["HA", "D4", "H4", "H6"]):
        state.apply(seat, play(text))
    held = worlds(state, 0)
    assert all(not any(card[0] == "H" for card in hands[1]) for hands in held)
    assert any(any(card[0] == "H" for card in hands[3]) for hands in held)
    assert len({tuple(hands[2]) for hands in held}) > 5


def test_a_seat_that_did_not_pay_a_pair_has_none() -> None:
    state = table(
        "r10_qq_two_deck",
        ["HAA S4 5 6 7", "H3467910", "H55884 D9", "C3344 H67"],
        level="2",
    )
    for seat, text in enumerate(["HAA", "H34", "H55", "H67"]):
        state.apply(seat, play(text))
    pairs_elsewhere = 0
    for hands in worlds(state, 0):
        held = Counter(card for card in hands[1] if card[0] == "H")
        # What he played then belongs to what he held.
        held += Counter(["H3", "H4"])
        assert max(held.values()) == 1
        hearts = Counter(card for card in hands[2] if card[0] == "H")
        pairs_elsewhere += max(hearts.values(), default=0) > 1
    assert pairs_elsewhere > 0


def test_shown_cards_stay_where_they_are() -> None:
    game = arena.game("tuolaji/r10_qq_two_deck")
    shown = 0
    for seed in range(12):
        state, rng = game.new_state(seed), Rng(seed)
        while state.seats_to_act() and seen(state).phase == "draw":
            seat = min(state.seats_to_act())
            move = state.moves(seat)[len(state.moves(seat)) - 1]
            state.apply(seat, move)
        for viewer in range(4):
            world = state.resample(viewer, rng)
            for owner, known in seen(state).shown:
                if owner != viewer:
                    shown += 1
                    assert Counter(known) <= Counter(seen(world, owner).hand_cards)
    assert shown > 20


def test_the_burier_knows_the_kitty_and_the_others_do_not() -> None:
    game = arena.game("tuolaji/r10_qq_two_deck")
    state, rng = game.new_state(1), Rng(1)
    while seen(state).phase != "play":
        seat = min(state.seats_to_act())
        state.apply(seat, state.sample_move(seat, rng))
    dealer = seen(state).dealer
    assert dealer is not None
    mine = seen(state, dealer).kitty
    assert mine is not None
    assert len(mine) == 8
    for viewer in (*range(4), SPECTATOR):
        if viewer != dealer:
            assert seen(state, viewer).kitty is None
    kitties = {
        json.dumps(seen(state.resample((dealer + 1) % 4, rng), dealer).kitty) for _ in range(20)
    }
    assert len(kitties) > 15
    assert all(seen(state.resample(dealer, rng), dealer).kitty == mine for _ in range(5))


def test_cards_of_a_failed_throw_are_known() -> None:
    state = table("r10_qq_two_deck", ["H98844", "HJ3567", "D3456 7", "C34567"])
    state.apply(0, play("H98844"))
    for hands in worlds(state, 1, 20):
        assert Counter(cards("H8844")) <= Counter(hands[0])


def test_a_throw_that_stood_tells_that_nobody_could_beat_it() -> None:
    state = table("r10_qq_two_deck", ["HKK J S3", "H34 D56", "H67 D78", "H89 C34"])
    state.apply(0, play("HKKJ"))
    for hands in worlds(state, 3, 40):
        for seat in (1, 2):
            assert not {"HQ", "HK", "HA"} & set(hands[seat])


def test_review_settings() -> None:
    hands = ["HA3", "H45", "H67", "H89"]
    for book, leader_sees, others_see in (
        ("r10_qq_two_deck", True, True),
        ("r07_four_deck_to_4", True, False),
        ("r02_ourgame_to_10", False, False),
    ):
        state = table(book, hands)
        for seat, text in enumerate(["HA", "H4", "H6", "H8"]):
            state.apply(seat, play(text))
        assert (seen(state, 0).last_trick is not None) == leader_sees
        assert (seen(state, 1).last_trick is not None) == others_see
    assert seen(table("r03_four_deck_3_to_7", hands, level="K")).points is None
    assert seen(table("r10_qq_two_deck", hands)).points == 0
