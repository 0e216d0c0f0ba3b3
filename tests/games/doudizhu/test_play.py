"""Calls, answers, scores and events, each from a set-up that has little else in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import arena
from arena._core import IllegalReason

DOC003 = arena.game("doudizhu/doc003")


def at(setup: str, *moves: str, game: arena.Game = DOC003) -> arena.State:
    """The state after some moves, each of whoever is to act."""
    state = game.new_state(setup=setup)
    for move in moves:
        state.apply(min(state.seats_to_act()), move)
    return state


def refusal(state: arena.State, move: str) -> IllegalReason | None:
    found = state.check(min(state.seats_to_act()), move)
    return None if found is None else found.reason


def result(state: arena.State) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(state.observe(arena.SPECTATOR))["result"]
    return found


def test_the_peasants_before_and_after_the_landlord_have_roles_of_their_own() -> None:
    deal = DOC003.new_state(seed=1)
    assert deal.roles() == ("player", "player", "player")
    for landlord in range(3):
        state = DOC003.new_state(seed=1)
        while len(set(state.roles())) == 1:
            seat = min(state.seats_to_act())
            state.apply(seat, "bid 3" if seat == landlord else "pass")
        after, before = (landlord + 1) % 3, (landlord + 2) % 3
        assert state.roles()[landlord] == "landlord"
        assert (state.roles()[after], state.roles()[before]) == ("first peasant", "second peasant")


# D40 to D46: what was led, the answering hand, the answer, and what is wrong with it.
ANSWERS: list[tuple[str, str, str, IllegalReason | None]] = [
    ("34567", "4567893", "play 456789", IllegalReason.must_follow),
    ("34567", "TJQKA3", "play TJQKA", None),
    ("34567", "345678", "play 34567", IllegalReason.must_follow),
    ("4445", "55533", "play 3555", None),
    ("4445", "5556633", "play 55566", IllegalReason.must_follow),
    ("33334455", "666678", "play 6666", None),
    ("33335566", "777788994", "play 77778899", None),
    ("333344", "5555678", "play 555567", None),
    ("333344", "555566778", "play 55556677", IllegalReason.must_follow),
    ("2222", "BR3", "play BR", None),
    ("2222", "AAAA3", "play AAAA", IllegalReason.must_follow),
    ("3333", "45", "play 4", IllegalReason.must_follow),
    ("BR", "22223", "play 2222", IllegalReason.must_follow),
    ("BR", "22223", "pass", None),
    ("2", "B3", "play B", None),
    ("B", "23", "play 2", IllegalReason.must_follow),
]


@pytest.mark.parametrize(("led", "hand", "answer", "wrong"), ANSWERS)
def test_answers(led: str, hand: str, answer: str, wrong: IllegalReason | None) -> None:
    spare = "9" if "9" not in led else "8"
    state = at(f"landlord=0 hands={led}{spare}/{hand}/T", f"play {led}")
    assert refusal(state, answer) == wrong


def test_d48_d49_bids() -> None:
    deal = "hands=345/678/9TJ kitty=QKA"
    assert refusal(at(deal, "pass", "bid 2"), "bid 1") == IllegalReason.not_a_call
    assert refusal(at(deal, "pass", "bid 2"), "bid 2") == IllegalReason.not_a_call
    seen = json.loads(at(deal, "bid 3").observe(0))
    assert (seen["landlord"], seen["base"], seen["hand"]) == (0, 3, "345QKA")
    seen = json.loads(at(deal, "bid 1", "bid 2", "pass").observe(0))
    assert (seen["landlord"], seen["base"], seen["seat_to_act"]) == (1, 2, 1)


def test_d50_nobody_bids() -> None:
    state = DOC003.new_state(4)
    first = json.loads(state.observe(0))["first"]
    for deal in range(1, 4):
        for _ in range(3):
            state.apply(min(state.seats_to_act()), "pass")
        seen = json.loads(state.observe(0))
        assert (seen["deal"], seen["first"]) == (deal, (first + deal) % 3)
        assert (seen["counts"], seen["calls"]) == ([17, 17, 17], [])
    for _ in range(3):
        state.apply(min(state.seats_to_act()), "pass")
    seen = json.loads(state.observe(0))
    assert (seen["landlord"], seen["base"]) == (first, 1)


def test_d51_bombs_and_the_rocket_double() -> None:
    moves = ["play 3333", "pass", "pass", "play 4", "play 6", "play 7"]
    moves += ["play 5555", "pass", "pass", "play BR", "pass", "pass", "play 9"]
    state = at("landlord=0 base=2 hands=333345555BR9/66/77", *moves)
    # The landlord played more than once and both peasants played: no spring.
    assert result(state) == {"winner": "landlord", "spring": False, "points": [32, -16, -16]}


def test_d52_spring_and_anti_spring() -> None:
    won = at("landlord=0 base=3 hands=34/5/6", "play 3", "pass", "pass", "play 4")
    assert result(won) == {"winner": "landlord", "spring": True, "points": [12, -6, -6]}
    lost = at("landlord=0 base=3 hands=34/5/66", "play 3", "play 5")
    assert result(lost) == {"winner": "peasants", "spring": True, "points": [-12, 6, 6]}
    twice = at("landlord=0 base=3 hands=3489/57/66", *["play 3", "play 5", "pass"], "play 8")
    twice.apply(1, "pass")
    twice.apply(2, "pass")
    for move in ("play 4", "play 7"):
        twice.apply(min(twice.seats_to_act()), move)
    assert result(twice) == {"winner": "peasants", "spring": False, "points": [-6, 3, 3]}


@pytest.mark.parametrize(("counted", "points"), [(False, 2), (True, 8)])
def test_d54_bombs_in_hand(counted: bool, points: int) -> None:
    game = arena.game("doudizhu/doc003", unplayed_bombs_count=counted)
    setup = "landlord=0 made=1/1/1 hands=3/4444/BR5"
    assert result(at(setup, "play 3", game=game))["points"] == [points, -points // 2, -points // 2]


def test_d55_d56_the_lead() -> None:
    state = at("landlord=0 hands=35678/99T/44", "play 3", "play 9", "pass", "pass")
    assert min(state.seats_to_act()) == 1
    assert refusal(state, "pass") == IllegalReason.pass_not_allowed
    assert refusal(state, "play 9") is None


def test_d57_a_chain_of_four_triples_goes_with_four_cards() -> None:
    for last in ("789T", "7777"):
        game = arena.game("doudizhu/doc003", kicker_repeat=4, kicker_adjacent_triple=True)
        state = at(f"landlord=0 hands=333444555666{last}/K/A", game=game)
        assert refusal(state, f"play 333444555666{last}") is None
        assert refusal(state, "play 333444555666") is None


def test_the_highest_stake_of_openspiel() -> None:
    # 13 bombs and the rocket after a bid of 3; the last doubling is played here.
    game = arena.game("doudizhu/openspiel")
    setup = "landlord=0 base=3 times=8192 made=9/3/3 hands=BR/4/5"
    assert result(at(setup, "play BR", game=game))["points"] == [98304, -49152, -49152]


def test_a_cap_ends_the_doubling() -> None:
    game = arena.game("doudizhu/spring_three")
    state = at("landlord=0 base=3 times=8 hands=3/4/5", "play 3", game=game)
    assert result(state)["points"] == [48, -24, -24]


def test_grabs_double_and_the_caller_is_asked_again() -> None:
    game = arena.game("doudizhu/happy")
    state = at("hands=345/678/9TJ kitty=QKA", "call", "grab", "pass", game=game)
    assert state.seats_to_act() == {0}
    state.apply(0, "grab")
    seen = json.loads(state.observe(0))
    assert (seen["landlord"], seen["times"], seen["base"]) == (0, 4, 1)


def test_events_of_the_landlord_and_of_a_redeal() -> None:
    state = DOC003.new_state(setup="seed=9 hands=345/678/9TJ kitty=QKA")
    state.apply(0, "pass")
    state.apply(1, "pass")
    told = state.apply(2, "pass")
    assert [event.kind for event in told] == ["move", "deal", "deal", "deal"]
    for event in (told[index] for index in (1, 2, 3)):
        hand = json.loads(state.observe(event.seat))["hand"]
        assert event.seen_by(event.seat) == hand
        for other in (arena.SPECTATOR, (event.seat + 1) % 3, (event.seat + 2) % 3):
            assert event.seen_by(other) == "17 cards"
    state.apply(1, "bid 1")
    state.apply(2, "pass")
    told = state.apply(0, "pass")
    kitty = json.loads(state.observe(arena.SPECTATOR))["kitty"]
    assert [(event.kind, event.seat) for event in told] == [("move", 0), ("landlord", 1)]
    assert told[1].seen_by(arena.SPECTATOR) == f"kitty {kitty}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("throw 3", IllegalReason.syntax),
        ("play", IllegalReason.syntax),
        ("play 33333", IllegalReason.syntax),
        ("play 3 ", IllegalReason.syntax),
        ("bid 4", IllegalReason.syntax),
        ("bid 1", IllegalReason.wrong_phase),
        ("play 3344", IllegalReason.not_a_unit),
        ("play 34567 as 345", IllegalReason.not_a_unit),
        ("play K", IllegalReason.not_in_hand),
    ],
)
def test_what_is_no_move(text: str, reason: IllegalReason) -> None:
    assert refusal(at("landlord=0 hands=3456789/T/J"), text) == reason
