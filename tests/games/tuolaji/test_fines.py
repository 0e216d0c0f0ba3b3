"""A referee's rulings on a hand: points, dead plays, levels, stepping down, silence."""

from __future__ import annotations

import json

import pytest

import arena
import arena.games
from arena import SPECTATOR
from arena._core import IllegalMove
from arena.games import play_recorded
from tests.games.tuolaji.tables import play, table

R03 = "r03_four_deck_3_to_7"
R10 = "r10_qq_two_deck"


def test_no_seat_can_fine_itself() -> None:
    state = table(R10, ["SA", "D3", "D4", "D6"])
    for text in ("fine points 20", "fine levels 1", "fine dead", "fine step_down", "fine silent"):
        illegal = state.check(0, text)
        assert illegal is not None and illegal.reason.name == "wrong_phase", text


@pytest.mark.parametrize(
    "text",
    ["fine", "fine points", "fine points 0", "fine points -5", "fine points 10001", "fine dead 2",
     "fine gold 3", "play D3", "fine silent", ""],
)  # fmt: skip
def test_what_is_no_ruling_here_changes_nothing(text: str) -> None:
    state = table(R10, ["SA", "D3", "D4", "D6"])
    before = state.setup()
    with pytest.raises(IllegalMove):
        state.rule(0, text)
    assert state.setup() == before and state.plies == 0


def test_points_go_to_the_other_side() -> None:
    """R03: two cards exposed by the attackers cost 20, three by the dealer's side give 30."""
    state = table(R03, ["SA", "D3", "D4", "D6"], level="9", extra="points=100")
    state.rule(0, "fine points 30")
    assert " points=130 " in state.setup()
    state.apply(0, play("SA"))
    state.rule(1, "fine points 20")
    assert " points=110 " in state.setup()
    with pytest.raises(IllegalMove, match="to act"):
        state.rule(0, "fine points 20")


def test_a_dead_play_cannot_win() -> None:
    """Seat 1 puts in a king for its wrong card: seat 0's nine stays, whatever it is worth."""
    state = table(R03, ["H9 C3", "HK C4", "H4 C6", "H6 C7"], level="3")
    state.apply(0, "play H9")
    state.rule(1, "fine dead")
    again = arena.game(f"tuolaji/{R03}").new_state(setup=state.setup())
    for each in (state, again):
        each.apply(1, "play HK")
        seen = json.loads(each.observe(3))["trick"]["plays"]
        assert [one["dead"] for one in seen] == [False, True]
        assert arena.game(f"tuolaji/{R03}").new_state(setup=each.setup()).setup() == each.setup()
        each.apply(2, "play H4")
        each.apply(3, "play H6")
        assert each.seats_to_act() == {0}
    assert state.setup() == again.setup()


def test_a_dead_lead_loses_to_whatever_follows_it() -> None:
    state = table(R03, ["HK C3", "H9 C4", "H4 C6", "D6 C7"], level="3")
    state.rule(0, "fine dead")
    for seat, text in enumerate(("play HK", "play H9", "play H4", "play D6")):
        state.apply(seat, text)
    assert state.seats_to_act() == {1}


@pytest.mark.parametrize(("seat", "winner", "kind"), [(0, 1, True), (1, 0, False)])
def test_levels_end_the_hand_for_the_other_side(seat: int, winner: int, kind: bool) -> None:
    """R01: 不按规则出牌的,对方直接连升三级."""
    state = table("r01_two_deck_to_8", ["SA C3", "D3 C4", "D4 C6", "D6 C7"], dealer=0)
    if seat == 1:
        state.apply(0, "play SA")
    state.rule(seat, "fine levels 3")
    assert not state.seats_to_act()
    result = json.loads(state.observe(SPECTATOR))["result"]
    assert (result["winner"], result["change"], result["gain"]) == (winner, kind, 3)
    outcome = state.outcome()
    assert outcome is not None and outcome.scores[winner] == 1
    assert arena.game("tuolaji/r01_two_deck_to_8").new_state(setup=state.setup()).setup() == (
        state.setup()
    )


def test_a_wrong_burial_and_what_it_costs() -> None:
    """R02: the dealer steps down, the other side deals; R06: 160 points, then it is put right."""
    for book, ruling in (("r02_ourgame_to_10", "fine step_down"), ("r06_four_deck_2_to_A", "")):
        game = arena.game(f"tuolaji/{book}", unit="match")
        state = game.new_state(3)
        while json.loads(state.observe(SPECTATOR))["phase"] != "bury":
            (seat,) = state.seats_to_act()
            moves = [str(move) for move in state.moves(seat)]
            state.apply(seat, moves[-1])
        (dealer,) = state.seats_to_act()
        fines = game.family.fines
        assert fines is not None
        wrong = "bury " + " ".join(str(state.stand_in(dealer)).split()[1:-1])
        assert state.check(dealer, wrong) is not None
        found = fines(game, state, arena.games.Seat(dealer), wrong, False)
        assert found is not None
        assert found == ((ruling,) if ruling else ("fine points 160",))
        state.rule(dealer, found[0])
        seen = json.loads(state.observe(SPECTATOR))
        if ruling:
            assert (seen["hand"], seen["dealer"]) == (1, (dealer + 1) % 4)
            assert seen["levels"] == ["2", "2"]
        else:
            assert (seen["phase"], seen["points"]) == ("bury", 160)


def test_the_documents_fines() -> None:
    """R02: ten points for each card of the wrong play; R03: the next one is dead as well."""
    for book, wanted in (
        ("r02_ourgame_to_10", ("fine points 20",)),
        (R03, ("fine points 20", "fine dead")),
        ("r01_two_deck_to_8", ("fine levels 3",)),
        (R10, None),
    ):
        level = "9" if book == R03 else "2"
        state = table(book, ["HAA", "HKK D3", "D44", "D66"], level=level)
        state.apply(0, play("HAA"))
        fines = arena.game(f"tuolaji/{book}").family.fines
        assert fines is not None
        game = arena.game(f"tuolaji/{book}")
        assert fines(game, state, arena.games.Seat(1), play("HK D3"), False) == wanted


def test_who_is_silenced_calls_no_more_in_this_deal() -> None:
    game = arena.game("tuolaji/r15_six_deck")
    state = game.new_state(1)
    (seat,) = state.seats_to_act()
    state.rule(seat, "fine silent")
    words = dict(word.split("=", 1) for word in state.setup().split())
    assert int(words["silent"]) == 1 << seat
    while json.loads(state.observe(SPECTATOR))["phase"] == "draw":
        (other,) = state.seats_to_act()
        assert other != seat
        state.apply(other, "pass")
        if "redeals=1" in state.setup():
            break


def test_rulings_stand_in_the_record() -> None:
    state = table(R03, ["H9 C3", "HK C4", "H4 C6", "H6 C7"], level="3")
    start = state.setup()
    state.apply(0, "play H9")
    state.rule(1, "fine points 10")
    state.rule(1, "fine dead")
    state.apply(1, "play HK")
    history = state.history()
    assert [text for _, text in history] == ["play H9", "fine points 10", "fine dead", "play HK"]
    game = arena.game(f"tuolaji/{R03}")
    again = game.replay(game.record(start, history))
    assert again.setup() == state.setup()
    with pytest.raises(IllegalMove):
        play_recorded(again, 0, "fine gold 1")
    for chinese in (False, True):
        for _, text in history:
            assert game.family.describe_move(game, text, chinese)


def test_the_least_that_is_asked_for() -> None:
    """Low cards without points first; what is owed is still owed."""
    state = table(R10, ["HK HK C3", "H10 10 5", "H3 H4 H6", "D3 D4 D6"])
    state.apply(0, play("HKK"))
    assert str(state.stand_in(1)) == play("H10 10")
    state.apply(1, play("H10 10"))
    assert str(state.stand_in(2)) == play("H34")
    assert state.check(2, state.stand_in(2)) is None
