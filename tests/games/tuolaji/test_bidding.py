"""Calls, over-calls, dealers, nobody calling: scripted over stacked packs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import arena
from arena import SPECTATOR
from arena.games import Seat
from tests.games.tuolaji.deals import LATER, A, B, C, D, Hands, call, run, seen, stacked

CASES: list[tuple[str, str, Hands, list[tuple[int, str]], str, int, dict[str, Any]]] = [
    # id, book, hands, script, trump, dealer, settings
    ("37 R03 stands", "r03_four_deck_3_to_7", {A: "S3 SJ"}, [(A, "S3 SJ")], "S", A, {}),
    (
        "37 R03 2 over 1",
        "r03_four_deck_3_to_7",
        {A: "S3 SJ", B: "H33 SJ", C: "D33 SJ"},
        [(A, "S3 SJ"), (B, "H33 SJ"), (C, "!D33 SJ")],
        "H",
        B,
        {},
    ),
    (
        "37 R03 without the joker",
        "r03_four_deck_3_to_7",
        {A: "S3 SJ", D: "C333 SJ"},
        [(A, "S3 SJ"), (D, "!C333")],
        "S",
        A,
        {},
    ),
    ("37 R15", "r15_six_deck", {A: "S3 SJ", B: "H33 SJ"}, [(A, "S3 SJ"), (B, "H33 SJ")], "H", B, {}),
    ("37 R14 two jokers", "r14_four_deck_two_hours", {A: "S3 SJ SJ"}, [(A, "!S3 SJ SJ"), (A, "S3 SJ")], "S", A, {}),
    ("37 R03 two jokers are one too many but no harm", "r03_four_deck_3_to_7", {A: "S3 SJ SJ"}, [(A, "S3 SJ SJ")], "S", A, {}),
    ("37 R04", "r04_three_deck_3_to_K", {A: "S3 H2"}, [(A, "!S3"), (A, "S3 H2")], "S", A, {}),
    ("37 R01", "r01_two_deck_to_8", {A: "BJ S2", B: "SJ H22"}, [(A, "BJ S2"), (B, "SJ H22")], "H", B, {}),
    ("37 R01 no bare 2", "r01_two_deck_to_8", {A: "BJ S2"}, [(A, "!S2"), (A, "S2 BJ")], "S", A, {}),
    (
        "38 R05",
        "r05_double_official",
        {A: "C2", B: "D22", C: "H22", D: "S22"},
        [(A, "C2"), (B, "D22"), (C, "H22"), (D, "S22")],
        "S",
        D,
        {},
    ),
    ("38 R05 order", "r05_double_official", {A: "H22", B: "C22"}, [(A, "H22"), (B, "!C22")], "H", A, {}),
    (
        "38 R13",
        "r13_two_deck_joker_level",
        {A: "S2 S5", B: "D22", C: "C22 BJ BJ", D: "SJ SJ"},
        [(A, "S2"), (B, "!D2"), (B, "D22"), (C, "C22"), (D, "SJ SJ"), (C, "BJ BJ")],
        "NT",
        C,
        {},
    ),
    (
        "38 R12 no priority",
        "r12_two_deck_no_priority",
        {A: "S22", B: "C22"},
        [(A, "S2"), (B, "C22"), (A, "!S22")],
        "C",
        B,
        {},
    ),
    (
        "38 R12 jokers",
        "r12_two_deck_no_priority",
        {A: "S2 SJ SJ", B: "C22 BJ BJ"},
        [(A, "S2"), (B, "C22"), (A, "SJ SJ"), (B, "BJ BJ")],
        "NT",
        B,
        {},
    ),
    ("38 R10 self", "r10_qq_two_deck", {A: "S2 H22"}, [(A, "S2"), (A, "H22")], "H", A, {}),
    ("38 R12 not self", "r12_two_deck_no_priority", {A: "S2 H22"}, [(A, "S2"), (A, "!H22")], "S", A, {}),
    ("reinforce", "r12_two_deck_no_priority", {A: "S2 H4 S2", B: "H22"}, [(A, "S2"), (A, "S22"), (B, "!H22")], "S", A, {}),
    (
        "38 R06 partner",
        "r06_four_deck_2_to_A",
        {A: "H2", C: "H22"},
        [(A, "H2"), (C, "!H2"), (C, "H22")],
        "H",
        A,
        {},
    ),
    (
        "38 R06 no no-trump",
        "r06_four_deck_2_to_A",
        {A: "H22", B: "SJ SJ SJ SJ"},
        [(A, "H22"), (B, "!SJ SJ SJ SJ")],
        "H",
        A,
        {},
    ),
    (
        "38 R16 two at least",
        "r16_four_deck_pk",
        {A: "S33", B: "H333"},
        [(A, "!S3"), (A, "S33"), (B, "!H33"), (B, "H333")],
        "H",
        B,
        {},
    ),
    (
        "39 R02",
        "r02_ourgame_to_10",
        {A: "S2", B: "H22", C: "BJ BJ"},
        [(A, "S2"), (B, "H22"), (C, "BJ BJ")],
        "NT",
        A,
        {},
    ),
    ("39 R06", "r06_four_deck_2_to_A", {A: "S2", B: "H22"}, [(A, "S2"), (B, "H22")], "H", A, {}),
    ("39 R11", "r11_two_deck_kitty_4", {A: "S2", B: "H22"}, [(A, "S2"), (B, "H22")], "H", B, {}),
    ("R11 equal counts", "r11_two_deck_kitty_4", {A: "S22", B: "H22"}, [(A, "S22"), (B, "!H22")], "S", A, {}),
    ("R11 equal singles", "r11_two_deck_kitty_4", {A: "S2", B: "H2"}, [(A, "S2"), (B, "!H2")], "S", A, {}),
    ("R11 not self", "r11_two_deck_kitty_4", {A: "S2 H22"}, [(A, "S2"), (A, "!H22")], "S", A, {}),
    ("R11 level cards only", "r11_two_deck_kitty_4", {A: "S2", B: "SJ SJ"}, [(A, "S2"), (B, "!SJ SJ")], "S", A, {}),
    ("R02 a single beats no single", "r02_ourgame_to_10", {A: "S2", B: "H2"}, [(A, "S2"), (B, "!H2")], "S", A, {}),
    ("R07 most 2s of one suit", "r07_four_deck_to_4", {A: "S2", B: "H22", C: "D222"}, [(A, "S2"), (B, "H22"), (C, "D222")], "D", C, {}),
    ("R07 reinforced again and again", "r07_four_deck_to_4", {A: "S2 S2 S2", B: "H22"}, [(A, "S2"), (A, "S22"), (A, "S222"), (B, "!H22")], "S", A, {}),
    ("R08 one card more", "r08_four_deck_lists", {A: "S3", B: "H33", C: "D33"}, [(A, "S3"), (B, "H33"), (C, "!D33")], "H", B, {}),
    ("R17 hidden calls", "r17_four_deck_hands", {A: "S3", B: "H33", C: "D33"}, [(A, "S3"), (B, "H33"), (C, "!D33")], "H", B, {}),
    ("R14 not self", "r14_four_deck_two_hours", {A: "S3 SJ H33 SJ"}, [(A, "S3 SJ"), (A, "!H33 SJ")], "S", A, {}),
    ("R14 2 over 1", "r14_four_deck_two_hours", {A: "S3 SJ", B: "H33 SJ"}, [(A, "S3 SJ"), (B, "H33 SJ")], "H", B, {}),
    ("R04 2 over 1", "r04_three_deck_3_to_K", {A: "S3 H2", B: "H33 H2"}, [(A, "S3 H2"), (B, "H33 H2")], "H", B, {}),
    ("R06 one card more at least", "r06_four_deck_2_to_A", {A: "S2", B: "H2", C: "D22"}, [(A, "S2"), (B, "!H2"), (C, "D22")], "D", A, {}),
    ("R06 back with one more only", "r06_four_deck_2_to_A", {A: "S2 S2", B: "H22"}, [(A, "S2"), (B, "H22"), (A, "!S22")], "H", A, {}),
    ("R10 reinforced", "r10_qq_two_deck", {A: "S2 H4 S2", B: "H22"}, [(A, "S2"), (A, "S22"), (B, "!H22")], "S", A, {}),
    ("R10 over-called to no-trump", "r10_qq_two_deck", {A: "S2", B: "SJ SJ"}, [(A, "S2"), (B, "SJ SJ")], "NT", A, {}),
    ("R10 the first to show deals", "r10_qq_two_deck", {A: "S2", B: "H22"}, [(A, "S2"), (B, "H22")], "H", A, {}),
    ("a token is a card of its own", "two_deck_open", {A: "H2 C4 H2"}, [(A, "!H2"), (A, "H2 H2")], "H", A, {"bid_token": "heart_2"}),
    ("R01 the same joker again", "r01_two_deck_to_8", {A: "S2 SJ BJ S2"}, [(A, "S2 SJ"), (A, "!S22 BJ"), (A, "S22 SJ")], "S", A, {}),
    ("R13 single over nothing", "r13_two_deck_joker_level", {A: "S2", B: "H2"}, [(A, "S2"), (B, "!H2")], "S", A, {}),
    ("R15 2 over 1", "r15_six_deck", {A: "S3 SJ", B: "H3 SJ", C: "D33 SJ"}, [(A, "S3 SJ"), (B, "!H3 SJ"), (C, "D33 SJ")], "D", C, {}),
    ("R16 reinforced, not self", "r16_four_deck_pk", {A: "S33 H333 S3"}, [(A, "S33"), (A, "!H333"), (A, "S333")], "S", A, {}),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_calls(
    case: tuple[str, str, Hands, list[tuple[int, str]], str, int, dict[str, Any]],
) -> None:
    _, book, hands, script, trump, dealer, settings = case
    state = stacked(book, hands, **settings)
    run(
        state,
        [
            (seat, "!" + call(text[1:]) if text.startswith("!") else call(text))
            for seat, text in script
        ],
    )
    now = seen(state)
    assert now.trump == trump
    assert now.dealer == dealer


def test_39_no_trump_is_no_first_call_in_r02() -> None:
    state = stacked("r02_ourgame_to_10", {A: "BJ BJ", B: "S2"})
    while seen(state).phase == "draw" and state.seats_to_act() != {B}:
        seat = min(state.seats_to_act())
        assert state.check(seat, "call BJ BJ") is not None
        state.apply(seat, "pass")
    free = arena.game("tuolaji/r02_ourgame_to_10", bid_no_trump="any")
    assert free.rules.settings()["bid_no_trump"] == "any"
    state = stacked("r02_ourgame_to_10", {A: "BJ BJ"}, bid_no_trump="any")
    run(state, [(A, "call BJ BJ")])
    assert seen(state).trump == "NT"


@pytest.mark.parametrize(
    "book",
    ["r03_four_deck_3_to_7", "r04_three_deck_3_to_K", "r14_four_deck_two_hours", "r15_six_deck"],
)
def test_tokens_are_for_the_opening_hand_only(book: str) -> None:
    state = stacked(book, {B: "S3", C: "H33"}, setup=LATER)
    run(state, [(B, "call S3"), (C, "call H3 H3")])
    assert (seen(state).trump, seen(state).dealer) == ("H", 0), "over-calls move no later deal"


@pytest.mark.parametrize(
    ("book", "one", "two"),
    [
        ("r02_ourgame_to_10", "S2", "H22"),
        ("r06_four_deck_2_to_A", "S2", "H22"),
        ("r09_four_deck_turned_card", "S2", "H22"),
        ("r13_two_deck_joker_level", "S2", "H22"),
    ],
)
def test_over_calls_move_no_later_deal(book: str, one: str, two: str) -> None:
    state = stacked(book, {B: one, C: two}, setup=LATER)
    run(state, [(B, call(one)), (C, call(two))])
    assert (seen(state).trump, seen(state).dealer) == ("H", 0)


def test_37_the_turned_card_of_r09() -> None:
    state = stacked(
        "r09_four_deck_turned_card",
        {A: "H7 S2", B: "H7 C222"},
        setup="contested=1 opening=1 dealer=- turned=H7",
    )
    run(
        state,
        [(A, "call H7 S2"), (B, "!call C2 C2 C2"), (B, "call H7 C2 C2")],
    )
    assert (seen(state).trump, seen(state).dealer) == ("C", B)


def test_37_partners_reinforce_in_r14() -> None:
    state = stacked("r14_four_deck_two_hours", {A: "S3 SJ", C: "S3", B: "H33 SJ"})
    run(state, [(A, "call S3 SJ"), (C, "add S3"), (B, "!call H3 H3 SJ")])
    now = seen(state)
    assert (now.trump, now.dealer) == ("S", A)
    assert [(call.seat, call.add, call.count) for call in now.calls] == [
        (A, False, 1),
        (C, True, 1),
    ]


def test_what_was_added_to_a_call_goes_with_it_when_it_is_over_called() -> None:
    """Three beat one and the partner's one; four beat these three."""
    state = stacked("r14_four_deck_two_hours", {A: "S3 SJ C3333 SJ", C: "S3", B: "H333 SJ"})
    script = ["call S3 SJ", "add S3", "call H3 H3 H3 SJ", "call C3 C3 C3 C3 SJ"]
    run(state, list(zip((A, C, B, A), script, strict=True)))
    assert (seen(state).trump, seen(state).dealer) == ("C", A)


def test_hidden_calls_show_their_number_only() -> None:
    state = stacked("r03_four_deck_3_to_7", {A: "S3 SJ", B: "H33 SJ"})
    events = list(state.apply(A, "call S3 SJ"))
    told = next(event for event in events if event.kind == "call")
    assert told.seen_by(A) == "call S3 SJ"
    assert told.seen_by(B) == told.seen_by(SPECTATOR) == "call 1"
    assert seen(state, B).calls[0].cards is None
    assert seen(state, A).calls[0].cards == ("S3", "SJ")
    run(state, [(B, "call H3 H3 SJ")])
    # The call that stood lies open, the other one was taken back unseen.
    assert [call.cards for call in seen(state, D).calls] == [None, ("H3", "H3", "SJ")]
    assert dict(seen(state, D).shown) == {B: ("H3", "H3", "SJ")}


def test_r15_shows_the_token() -> None:
    state = stacked("r15_six_deck", {A: "S3 SJ"})
    state.apply(A, "call S3 SJ")
    assert seen(state, B).calls[0].token == "SJ"
    assert seen(state, B).calls[0].cards is None
    assert dict(seen(state, B).shown) == {A: ("SJ",)}


def test_a_token_is_a_card_of_its_own() -> None:
    for hand, legal in (("H2", False), ("H22", True)):
        state = stacked("two_deck_open", {A: hand}, bid_token="heart_2")
        run(state, [(A, "call H2 H2")] if legal else [(A, "!call H2 H2")])
        assert (seen(state).trump == "H") == legal


@pytest.mark.parametrize(
    ("book", "setup", "kitty", "trump", "turned"),
    [
        ("r02_ourgame_to_10", LATER, "H4 S5 S6 S7 S8 S9 S4 S10", "H", ("H4",)),
        ("r02_ourgame_to_10", LATER, "BJ D5 S6 S7 S8 S9 S4 S10", "D", ("D5", "BJ")),
        ("r06_four_deck_2_to_A", "", "SJ C5 S6 S7 S8 S9 S4 S10", "C", ("C5", "SJ")),
        ("r13_two_deck_joker_level", LATER, "H4 H5 D6 S7 S8 S9 S4 S10", "D", ("D6",)),
        ("r10_qq_two_deck", "", "H4 S5 S6 S7 S8 S9 S4 S10", "NT", ()),
        (
            "r16_four_deck_pk",
            "",
            "S4 S5 S6 H4 H5 D4 C4 BJ",
            "S",
            ["S4", "S5", "S6", "H4", "H5", "C4", "D4", "BJ"],
        ),
    ],
)
def test_39_nobody_calls(
    book: str, setup: str, kitty: str, trump: str, turned: Sequence[str]
) -> None:
    """What was turned is known to all; the other cards stay face down."""
    state = stacked(book, {}, setup=setup, kitty=kitty)
    run(state, [])
    now = seen(state)
    assert now.trump == trump
    assert now.dealer == 0, "the given dealer, or who drew first"
    assert now.phase in ("bury", "rebel")
    assert dict(now.shown).get(Seat(0), ()) == tuple(turned)


def test_39_r16_lets_the_dealer_choose_among_tied_suits() -> None:
    state = stacked("r16_four_deck_pk", {}, kitty="S4 S5 S6 H4 H5 H6 D4 C4")
    run(state, [])
    assert seen(state).phase == "choose"
    assert [str(move) for move in state.moves(0)] == ["trump S", "trump H"]
    refusal = state.check(0, "trump D")
    assert refusal is not None
    assert refusal.reason.name == "not_offered"
    state.apply(0, "trump H")
    assert seen(state).trump == "H"


@pytest.mark.parametrize(
    "book",
    ["r02_ourgame_to_10", "r03_four_deck_3_to_7", "r04_three_deck_3_to_K", "r09_four_deck_turned_card",
     "r13_two_deck_joker_level", "r14_four_deck_two_hours", "r15_six_deck"],
)  # fmt: skip
def test_39_redeal(book: str) -> None:
    extra = " turned=H7" if book.startswith("r09") else ""
    state = stacked(book, {}, setup=f"contested=1 opening=1 dealer=-{extra}")
    before = state.setup()
    while "redeals=0" in state.setup():
        assert seen(state).phase == "draw"
        state.apply(min(state.seats_to_act()), "pass")
    assert state.setup() != before
    assert seen(state).opening
    assert seen(state).dealer is None


def test_39_a_choked_dealer_passes_the_deal() -> None:
    setup = "contested=0 opening=0 dealer=0 levels=9:6"
    state = stacked("r04_three_deck_3_to_K", {}, setup=setup, level="9")
    while "redeals=0" in state.setup():
        state.apply(min(state.seats_to_act()), "pass")
    now = seen(state)
    assert (now.dealer, now.level, now.levels) == (1, "6", ("9", "6"))
    assert " first=1 " in state.setup(), "the dealer draws first"


def test_39_lots_give_a_suit() -> None:
    found = set()
    for seed in range(30):
        state = stacked(
            "r07_four_deck_to_4", {}, setup=f"contested=1 opening=1 dealer=- seed={seed}"
        )
        run(state, [])
        found.add(seen(state).trump)
    assert found == {"S", "H", "C", "D"}


def test_redeals_end() -> None:
    game = arena.game("tuolaji/r03_four_deck_3_to_7", redeal_limit=2)
    state = game.new_state(5)
    while state.seats_to_act() and seen(state).phase == "draw":
        state.apply(min(state.seats_to_act()), "pass")
    assert "redeals=2" in state.setup()
    assert seen(state).trump in tuple("SHCD")


def test_passes_and_being_asked_are_seen_by_nobody_else() -> None:
    state = stacked("r10_qq_two_deck", {A: "S2", B: "H2"})
    assert state.seats_to_act() == {A}
    for viewer in (B, C, D, SPECTATOR):
        assert not seen(state, viewer).asked
        assert seen(state, viewer).seat_to_act is None
    events = list(state.apply(A, "pass"))
    for event in events:
        if event.kind == "move":
            assert event.seen_by(A) == "pass"
            assert event.seen_by(B) == event.seen_by(SPECTATOR) == ""
