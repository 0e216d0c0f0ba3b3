"""Rebels, burials, calls after a burial, and when calling ends: over stacked packs."""

from __future__ import annotations

import pytest

import arena
from arena._core import Rng, State
from tests.games.tuolaji.deals import LATER, A, B, C, call, run, seen, stacked
from tests.games.tuolaji.tables import cards


def test_39_rebel() -> None:
    game = arena.game("tuolaji/r13_two_deck_joker_level")
    asked = 0
    for seed in range(200):
        state = game.new_state(seed)
        rng = Rng(seed)
        while seen(state).phase == "draw":
            seat = min(state.seats_to_act())
            state.apply(seat, state.sample_move(seat, rng))
        now = seen(state)
        assert now.dealer is not None
        low = []
        for step in range(1, 4):
            seat = (now.dealer + step) % 4
            points = sum(
                {"5": 5, "10": 10, "K": 10}.get(card[1:], 0)
                for card in seen(state, seat).hand_cards
            )
            if step != 2 and points <= 15:
                low.append(seat)
        if not low:
            assert now.phase == "bury"
            continue
        assert now.phase == "rebel"
        assert state.seats_to_act() == {low[0]}
        state.apply(low[0], "rebel")
        asked += 1
        again = seen(state)
        assert again.phase == "draw"
        assert again.dealer is None
        assert f"first={low[0]} " in state.setup()
        assert "callfirst=1" in state.setup()
    assert asked >= 10


def test_nobody_rebels_where_the_document_forbids_it() -> None:
    state = stacked("r07_four_deck_to_4", {A: "S2"})
    run(state, [(A, "call S2")])
    assert seen(state).phase == "bury"


def test_r13_buries_anew() -> None:
    state = stacked("r13_two_deck_joker_level", {A: "S2", B: "H22", C: "D22"}, bid_rebel="none")
    run(state, [(A, "call S2")])
    assert seen(state).phase == "bury"
    hand = seen(state, A).hand_cards
    state.apply(A, "bury " + " ".join(hand[:8]))
    # Asked in order from the burier's right; B over-calls, takes the kitty and buries.
    assert seen(state).phase == "rekitty"
    assert state.seats_to_act() == {B}
    state.apply(B, "call H2 H2")
    now = seen(state, B)
    assert (now.phase, now.trump, now.burier, now.dealer) == ("bury", "H", B, A)
    assert set(hand[:8]) <= set(now.hand_cards)
    assert len(now.hand_cards) == 33
    state.apply(B, "bury " + " ".join(now.hand_cards[-8:]))
    # C's diamonds are lower than hearts: nobody is left to ask, and the dealer leads.
    assert seen(state).phase == "play"
    assert seen(state).leader == A


def bury_last(state: State) -> None:
    """Who has the kitty buries its last cards but for jokers and 2s, which it may call with."""
    (seat,) = state.seats_to_act()
    plain = [card for card in seen(state, seat).hand_cards if card[1:] not in ("2", "J")]
    state.apply(seat, "bury " + " ".join(plain[-8:]))


def test_r13_asks_again_from_every_over_caller_on() -> None:
    """A calls, B over-calls; then A may as well, and B again, round by round."""
    hands = {A: "D2 H22", B: "C22 S22"}
    state = stacked("r13_two_deck_joker_level", hands, bid_rebel="none")
    run(state, [(A, "call D2")])
    bury_last(state)
    for seat, text, trump in ((B, "C22", "C"), (A, "H22", "H"), (B, "S22", "S")):
        assert seen(state).phase == "rekitty"
        assert state.seats_to_act() == {seat}
        state.apply(seat, call(text))
        assert (seen(state).trump, seen(state).burier) == (trump, seat)
        bury_last(state)
    assert (seen(state).phase, seen(state).dealer, seen(state).leader) == ("play", A, A)


def test_r13_does_not_ask_the_declarer_first() -> None:
    """Not even to lay the second card beside the first."""
    hands = {B: "S2 S2"}
    state = stacked("r13_two_deck_joker_level", hands, setup=LATER, bid_rebel="none")
    run(state, [(B, "call S2")])
    assert (seen(state).phase, seen(state).burier) == ("bury", A)
    bury_last(state)
    assert seen(state).phase == "play"


def test_r13_has_no_over_call_of_a_suit_that_was_turned() -> None:
    kitty = "H4 H5 D6 S7 S8 S9 S4 S10"
    state = stacked(
        "r13_two_deck_joker_level", {B: "S22"}, setup=LATER, kitty=kitty, bid_rebel="none"
    )
    run(state, [])
    assert seen(state).trump == "D"
    bury_last(state)
    assert seen(state).phase == "play"


def test_r18_lets_points_be_buried_without_limit() -> None:
    state = stacked("r18a_generic_two_deck", {A: "S2 SKK HKK DKK CKK"})
    run(state, [(A, "call S2")])
    state.apply(A, "bury " + " ".join(cards("SKK HKK DKK CKK")))
    assert seen(state).phase == "play"


def test_kitty_cards_never_count_for_a_call() -> None:
    state = stacked(
        "r13_two_deck_joker_level",
        {A: "H2", B: "S2"},
        kitty="S2 D4 D5 D6 D7 D8 D9 D10",
        bid_rebel="none",
    )
    run(state, [(A, "call H2")])
    kept = [card for card in seen(state, A).hand_cards if card[0] != "S"]
    state.apply(A, "bury " + " ".join(kept[:8]))
    assert seen(state).phase == "play", "B's spade and the kitty's make no pair"


def test_unequal_levels_of_a_contested_deal() -> None:
    setup = "contested=1 opening=0 dealer=- callfirst=1 levels=5:9"
    state = stacked("r13_two_deck_joker_level", {A: "S5 S9", B: "S9 S5"}, setup=setup, level="5")
    assert state.check(A, "call S9") is not None
    run(state, [(B, "call S9")])
    assert (seen(state).dealer, seen(state).level) == (B, "9")


def test_after_a_rebel_the_first_caller_deals() -> None:
    setup = "contested=1 opening=0 dealer=- callfirst=1"
    state = stacked("r13_two_deck_joker_level", {A: "S2", B: "H22"}, setup=setup)
    run(state, [(A, "call S2"), (B, "call H2 H2")])
    assert (seen(state).trump, seen(state).dealer) == ("H", A)


def test_level_joker_is_played_without_trump_suit() -> None:
    setup = "contested=0 opening=0 dealer=0 levels=JOKER:5"
    state = stacked(
        "r13_two_deck_joker_level", {B: "SJ SJ"}, setup=setup, level="5", bid_rebel="none"
    )
    assert (seen(state).phase, seen(state).trump) == ("bury", "NT")
    state.apply(A, "bury " + " ".join(seen(state, A).hand_cards[:8]))
    # A pair of jokers buys the right to bury again.
    assert state.seats_to_act() == {B}
    state.apply(B, "call SJ SJ")
    assert (seen(state).phase, seen(state).burier, seen(state).trump) == ("bury", B, "NT")


@pytest.mark.parametrize(
    "book",
    ["r07_four_deck_to_4", "r11_two_deck_kitty_4", "r12_two_deck_no_priority", "r16_four_deck_pk"],
)
def test_calls_end_with_the_draw(book: str) -> None:
    level = "3" if book.startswith("r16") else "2"
    state = stacked(book, {A: f"S{level}{level}", B: f"H{level * 3}"[: 4 if level == "3" else 3]})
    run(state, [(A, call(f"S{level}{level}"))])
    now = seen(state, A)
    size = now.kitty_count
    assert now.phase == "bury"
    assert len(now.hand_cards) == len(seen(state, B).hand_cards) + size
    state.apply(A, "bury " + " ".join(now.hand_cards[-size:]))
    assert seen(state).phase == "play", "nobody is asked again"


def test_the_level_is_the_dealers() -> None:
    setup = "contested=0 opening=0 dealer=0 levels=5:9"
    state = stacked("r12_two_deck_no_priority", {B: "S9 S5"}, setup=setup, level="5")
    run(state, [(B, "!call S9"), (B, "call S5")])
    assert (seen(state).level, seen(state).trump) == ("5", "S")


@pytest.mark.parametrize(
    "book", ["r05_double_official", "r07_four_deck_to_4", "r11_two_deck_kitty_4"]
)
def test_who_draws_first(book: str) -> None:
    """By lot in an opening hand, however it is drawn; later the dealer does."""
    opening = arena.game(f"tuolaji/{book}")
    drawers = {opening.new_state(seed).setup().split(" first=")[1][0] for seed in range(40)}
    assert drawers == {"0", "1", "2", "3"}
    later = arena.game(f"tuolaji/{book}", hand_dealer="drawn")
    for seed in range(8):
        words = dict(word.split("=", 1) for word in later.new_state(seed).setup().split())
        assert words["first"] == words["dealer"]
