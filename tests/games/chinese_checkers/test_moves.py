"""Steps, hops, the limits on them, passes and refusals."""

from __future__ import annotations

import pytest

from arena._core import IllegalReason, Rng, State
from arena.games.chinese_checkers.notation import find_path
from arena.games.contract import Seat
from tests.games.chinese_checkers.positions import checkers, ends_from, moves, place

OPEN = checkers("openspiel_2")
LOCKED = checkers("west10_2")


def reason(state: State, move: str, seat: int = 0) -> str:
    refusal = state.check(seat, move)
    assert refusal is not None, move
    assert refusal.message
    return refusal.reason.name


def test_a_chain_may_stop_after_every_hop() -> None:
    state = place(OPEN, {"N": ["i5"], "S": ["i6", "i8"]})
    assert {"i7", "i9"} <= ends_from(state, "i5")


def test_a_hop_may_turn_and_use_pieces_of_anybody() -> None:
    game = checkers("openspiel_3")
    # i5 over an own piece to i7, over h8 of seat 1 to g9, over g8 of seat 2 to g7.
    state = place(game, {"N": ["i5", "i6"], "SE": ["h8"], "SW": ["g8"]})
    assert state.check(0, "i5-i7-g9-g7") is None
    assert {"i7", "g9", "g7"} <= ends_from(state, "i5")


def test_the_lifted_piece_is_no_springboard() -> None:
    state = place(checkers("super"), {"N": ["i5"], "S": ["i6"]})
    # i5 over i6 to i7; i3 would be the mirror of i7 over i5, which is empty now.
    assert "i7" in ends_from(state, "i5")
    assert "i3" not in ends_from(state, "i5")


def test_a_chain_may_pass_its_origin_but_not_end_there() -> None:
    # Three pieces around: i5 over i6 to i7, back over i6 to i5.
    state = place(OPEN, {"N": ["i5"], "S": ["i6", "i4"]})
    assert "i5" not in ends_from(state, "i5")
    assert reason(state, "i5i5") == "null_move"
    assert reason(state, "i5-i7-i5") == "null_move"
    assert state.check(0, "i5-i7-i5-i3") is None


def test_locked_target() -> None:
    state = place(LOCKED, {"N": ["d2", "a1"], "S": ["q1"]})
    inside = ends_from(state, "d2")
    assert inside == {"d1", "d3", "c1", "c2"}
    assert reason(state, "d2e6") == "locked_in_goal"
    free = place(OPEN, {"N": ["d2", "a1"], "S": ["q1"]})
    assert {"e6", "e7"} <= ends_from(free, "d2")
    assert free.check(0, "d2e6") is None


def test_a_chain_that_has_entered_the_target_stays_there() -> None:
    # f6 over e6 to d1 in the target, then over e5 to f4 outside.
    pieces = {"N": ["f6"], "S": ["e6", "e5"]}
    locked, free = place(LOCKED, pieces), place(OPEN, pieces)
    assert ends_from(free, "f6") - ends_from(locked, "f6") == {"f4"}
    assert "d1" in ends_from(locked, "f6")
    assert find_path(OPEN, free, Seat(0), "f6f4") == ("f6", "d1", "f4")
    assert reason(locked, "f6f4") == "unreachable"
    assert reason(locked, "f6-d1-f4") == "bad_path"


@pytest.mark.parametrize(
    ("setting", "may_end", "may_touch"),
    [("free", True, True), ("pass_through", False, True), ("closed", False, False)],
)
def test_other_tips(setting: str, may_end: bool, may_touch: bool) -> None:
    game = checkers("west10_2", foreign_triangles=setting)
    # l9 over l10 to l11 in the NE tip, then over k10 to j9 in the hexagon.
    state = place(game, {"N": ["l9"], "S": ["l10", "k10"]})
    assert ("l11" in ends_from(state, "l9")) == may_end
    assert ("j9" in ends_from(state, "l9")) == may_touch
    if not may_end:
        assert reason(state, "l9l11") == "zone_closed"
    if not may_touch:
        assert reason(state, "l9j9") == "unreachable"
        assert reason(state, "l9-l11-j9") == "bad_path"


def test_home_and_target_tips_are_never_foreign() -> None:
    game = checkers("west10_2", foreign_triangles="closed", pegs=6)
    state = place(game, {"N": ["m6", "e6"]})
    assert {"n1", "n2"} <= ends_from(state, "m6")
    assert {"d1", "d2"} <= ends_from(state, "e6")


def test_pieces_in_another_tip_may_come_out() -> None:
    closed = place(checkers("west10_2", foreign_triangles="closed"), {"N": ["l10", "l12"]})
    # Out to the hexagon, but not on inside the tip.
    assert ends_from(closed, "l10") == {"l9", "k9"}
    assert ends_from(closed, "l12") == set()


def test_a_pass_only_without_another_move() -> None:
    # The corner a1 of an open board: neighbours and landings all taken.
    pieces = {"N": ["a1"], "S": ["b1", "b2", "c1", "c2", "c3"]}
    state = place(OPEN, pieces)
    assert moves(state) == {"pass"}
    assert state.check(0, "pass") is None
    rng = Rng(1)
    assert str(state.sample_move(0, rng)) == "pass"
    state.apply(0, "pass")
    assert state.seats_to_act() == {1}
    assert reason(state, "pass", seat=1) == "pass_not_allowed"


def test_without_pieces_there_is_only_the_pass() -> None:
    assert moves(place(OPEN, {"S": ["i5"]})) == {"pass"}


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("", "syntax"),
        ("i5", "syntax"),
        ("I5I6", "syntax"),
        ("i5i6 ", "syntax"),
        ("i5 i6", "syntax"),
        ("i5i6i7", "syntax"),
        ("i5-", "syntax"),
        ("-i5", "syntax"),
        ("i5--i7", "syntax"),
        ("i5-i7i8", "syntax"),
        ("PASS", "syntax"),
        ("i5-i7" * 500, "syntax"),
        ("i5i10", "off_board"),
        ("i0i5", "off_board"),
        ("i5i05", "off_board"),
        ("r1i5", "off_board"),
        ("i5-z1", "off_board"),
        ("i1i2", "not_your_piece"),
        ("i6i7", "not_your_piece"),
        ("i1-i2", "not_your_piece"),
        ("i5i5", "null_move"),
        ("i5i6", "occupied"),
        ("i5i9", "unreachable"),
        ("i5-i9", "bad_path"),
        ("i5-i4-i3", "bad_path"),
        ("i5-i7-i8", "bad_path"),
        ("i5-i6", "bad_path"),
        ("pass", "pass_not_allowed"),
    ],
)
def test_refusals(move: str, why: str) -> None:
    state = place(OPEN, {"N": ["i5"], "S": ["i6"]})
    before = state.setup()
    assert reason(state, move) == why
    assert state.setup() == before


def test_refusals_say_what_would_be_right() -> None:
    state = place(OPEN, {"N": ["i5"], "S": ["i6"]})
    for move, hint in (
        ("i5i10", "row i has holes 1 to 9"),
        ("r1i5", "rows are a to q"),
        ("i5i9", "i7"),
        ("i6i7", "seat 1"),
        ("hello", "a1c1"),
        ("pass", "i5"),
    ):
        refusal = state.check(0, move)
        assert refusal is not None
        assert hint in refusal.message, refusal.message


def test_paths_mean_their_ends() -> None:
    for text in ("i5-i7", "i5-i7-i9", "i5-i4"):
        state = place(OPEN, {"N": ["i5"], "S": ["i6", "i8"]})
        state.apply(0, text)
        first, *_, last = text.split("-")
        assert state.history() == ((0, first + last),)


def test_a_wrong_path_is_refused_even_where_the_ends_can_be_joined() -> None:
    state = place(OPEN, {"N": ["i5"], "S": ["i6", "i8"]})
    assert state.check(0, "i5i9") is None
    assert reason(state, "i5-i9") == "bad_path"
    assert reason(state, "i5-i6-i9") == "bad_path"


FULL = {
    "N": ("e5", "d2", "d3", "d4", "c1", "c2", "c3", "b1", "b2", "a1"),
    "S": ("d1", "i5"),
}
"""N's target without an open hole; d1 is blocked."""


class TestSwap:
    """`anti_block = swap`."""

    game = checkers("masters")

    def test_the_blocked_piece_changes_places_with_the_blocker(self) -> None:
        state = place(self.game, FULL)
        assert state.check(0, "e5d1") is None
        assert "d1" in ends_from(state, "e5")
        state.apply(0, "e5d1")
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.places == (1, 2)
        assert "S=e5,i5" in state.setup()

    def test_pieces_in_the_target_may_swap_too(self) -> None:
        state = place(self.game, FULL)
        assert "d1" in ends_from(state, "d2")

    def test_not_while_a_hole_of_the_target_is_open(self) -> None:
        pieces = {**FULL, "N": [hole for hole in FULL["N"] if hole != "a1"]}
        assert reason(place(self.game, pieces), "e5d1") == "occupied"

    def test_not_without_an_own_piece_in_the_target(self) -> None:
        blockers = ["a1", "b1", "b2", "c1", "c2", "c3", "d1", "d2", "d3", "d4"]
        state = place(self.game, {"N": ["e5"], "S": blockers})
        assert reason(state, "e5d1") == "occupied"

    def test_not_under_other_settings(self) -> None:
        assert reason(place(LOCKED, FULL), "e5d1") == "occupied"

    def test_a_hop_may_end_with_a_swap_and_goes_no_further(self) -> None:
        game = checkers("masters", leave_target=True)
        # f6 over e6 to d1, which S holds; from there e5 could be hopped over to f4.
        state = place(game, {"N": ["f6", *FULL["N"][1:]], "S": ["d1", "e5", "e6"]})
        assert state.check(0, "f6-d1") is None
        assert "f4" not in ends_from(state, "f6")
        assert reason(state, "f6-d1-f4") == "bad_path"
        state.apply(0, "f6d1")
        assert "S=e5,e6,f6" in state.setup()

    def test_own_pieces_are_not_swapped(self) -> None:
        state = place(self.game, FULL)
        assert reason(state, "e5d2") in {"occupied", "unreachable"}
        assert "d3" not in ends_from(state, "d2")


def test_reasons_are_the_shared_ones() -> None:
    state = place(OPEN, {"N": ["i5"]})
    refusal = state.check(1, "i5i6")
    assert refusal is not None
    assert refusal.reason == IllegalReason.not_your_turn


@pytest.mark.parametrize(
    "settings",
    [
        {"jump": "adjacent"},
        {"jump": "equidistant"},
        {"players": 2, "sets_per_player": 2},
        {"foreign_triangles": "closed"},
        {"leave_target": False},
        {"anti_block": "swap"},
        {"anti_block": "passive_loss", "home_deadline": 20},
    ],
    ids=lambda settings: "-".join(map(str, settings)) + f"-{next(iter(settings.values()))}",
)
def test_what_a_state_remembers_of_its_moves_is_what_a_new_one_finds(
    settings: dict[str, object],
) -> None:
    """A state keeps what its pieces reached; looked at now and then, it must not be stale."""
    game = checkers("openspiel_3", **settings)
    for seed in range(6):
        state, rng = game.new_state(seed), Rng(seed)
        for _ in range(400):
            if not state.seats_to_act():
                break
            (seat,) = state.seats_to_act()
            if rng.below(3) == 0:
                fresh = game.new_state(setup=state.setup())
                assert list(state.moves(seat)) == list(fresh.moves(seat)), state.setup()
            state.apply(seat, str(state.sample_move(seat, rng)))
