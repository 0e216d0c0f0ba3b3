"""What each setting of calls, kickers and multipliers changes, one after the other."""

from __future__ import annotations

import json
from typing import Any

import pytest

import arena
from arena._core import IllegalReason
from tests.games.doudizhu.test_play import at, refusal, result

DEAL = "hands=345/678/9TJ kitty=QKA"

# settings, cards, their type or "" where it is none
KICKERS: list[tuple[dict[str, Any], str, str]] = [
    ({}, "3334", "trio_single"),
    ({"trio_single": False}, "3334", ""),
    ({}, "33344", "trio_pair"),
    ({"trio_pair": False}, "33344", ""),
    ({}, "33344456", "plane_singles"),
    ({"plane_singles": False}, "33344456", ""),
    ({}, "3334445566", "plane_pairs"),
    ({"plane_pairs": False}, "3334445566", ""),
    ({}, "333345", "quad_singles"),
    ({}, "333344", "quad_singles"),
    ({"quad_singles": "different"}, "333345", "quad_singles"),
    ({"quad_singles": "different"}, "333344", ""),
    ({"quad_singles": "pair"}, "333345", ""),
    ({"quad_singles": "pair"}, "333344", "quad_singles"),
    ({"quad_singles": "none"}, "333345", ""),
    ({"quad_singles": "none"}, "333344", ""),
    ({"quad_singles": "pair", "kicker_both_jokers": True}, "3333BR", ""),
    ({}, "33334455", "quad_pairs"),
    ({}, "33334444", ""),
    ({"quad_pairs": "any"}, "33334444", "quad_pairs"),
    ({"quad_pairs": "none"}, "33334455", ""),
    ({"kicker_repeat": 2}, "33344455", "plane_singles"),
    ({"kicker_repeat": 1}, "33344455", ""),
    ({"kicker_repeat": 1}, "33344456", "plane_singles"),
    ({}, "333444555777", "plane_singles"),
    ({"kicker_repeat": 2}, "333444555777", ""),
    ({}, "3334445556667777", ""),
    ({"kicker_repeat": 4}, "333444555666TTTT", "plane_singles"),
    ({}, "333444555666TTTT", ""),
    ({}, "3333BR", ""),
    ({"kicker_both_jokers": True}, "3333BR", "quad_singles"),
    ({}, "333444BR", ""),
    ({"kicker_both_jokers": True}, "333444BR", "plane_singles"),
]


@pytest.mark.parametrize(("settings", "cards", "kind"), KICKERS)
def test_kickers(settings: dict[str, Any], cards: str, kind: str) -> None:
    state = at(f"landlord=0 hands={cards}/2/2", game=arena.game("doudizhu/doc003", **settings))
    if not kind:
        assert refusal(state, f"play {cards}") == IllegalReason.not_a_unit
        return
    state.apply(0, f"play {cards}")
    assert json.loads(state.observe(0))["plays"][-1]["kind"] == kind


@pytest.mark.parametrize(("beside", "wrong"), [(False, IllegalReason.not_a_unit), (True, None)])
def test_kickers_that_would_lengthen_the_plane(beside: bool, wrong: IllegalReason | None) -> None:
    game = arena.game("doudizhu/doc003", kicker_adjacent_triple=beside)
    state = at("landlord=0 hands=333444555666T/2/2", game=game)
    assert refusal(state, "play 333444555666 as 345") == wrong
    assert refusal(state, "play 333444555666") is None, "the chain of four triples"


def seen(state: arena.State) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(state.observe(arena.SPECTATOR))
    return found


def test_bidding_in_rounds_goes_on_until_two_pass_after_a_bid() -> None:
    game = arena.game("doudizhu/doc003", call="bid123_rounds")
    state = at(DEAL, "bid 1", "bid 2", "pass", game=game)
    assert state.seats_to_act() == {0}, "asked again"
    assert refusal(state, "bid 2") == IllegalReason.not_a_call
    state.apply(0, "pass")
    assert (seen(state)["landlord"], seen(state)["base"]) == (1, 2)
    back = at(DEAL, "pass", "bid 1", "pass", "bid 2", "pass", game=game)
    assert seen(back)["landlord"] is None
    back.apply(2, "pass")
    assert (seen(back)["landlord"], seen(back)["base"]) == (0, 2), "who passed may bid again"
    assert seen(at(DEAL, "bid 3", game=game))["landlord"] == 0
    assert seen(at(f"seed=1 {DEAL}", "pass", "pass", "pass", game=game))["deal"] == 1


def test_bidding_once_asks_each_seat_once() -> None:
    once = seen(at(DEAL, "pass", "pass", "bid 1"))
    assert (once["landlord"], once["base"], once["seat_to_act"]) == (2, 1, 2)
    first = seen(at(DEAL, "bid 1", "pass", "pass"))
    assert (first["landlord"], first["base"]) == (0, 1)


def test_the_first_caller_is_asked_first_then_in_the_order_of_play() -> None:
    state = at(f"first=2 {DEAL}")
    for seat in (2, 0, 1):
        assert state.seats_to_act() == {seat}
        state.apply(seat, "bid 1" if seat == 2 else "pass")
    assert seen(state)["landlord"] == 2


@pytest.mark.parametrize(
    ("calls", "landlord", "times"),
    [
        (("call", "pass", "pass"), 0, 1),
        (("pass", "call", "pass"), 1, 1),
        (("pass", "pass", "call"), 2, 1),
        (("call", "grab", "pass", "pass"), 1, 2),
        (("call", "pass", "grab", "pass"), 2, 2),
        (("call", "grab", "grab", "pass"), 2, 4),
        (("call", "grab", "grab", "grab"), 0, 8),
        (("pass", "call", "grab", "grab"), 1, 4),
    ],
)
def test_call_and_grab(calls: tuple[str, ...], landlord: int, times: int) -> None:
    told = seen(at(DEAL, *calls, game=arena.game("doudizhu/happy")))
    assert (told["landlord"], told["times"], told["base"]) == (landlord, times, 1)


def test_nobody_calls_where_the_landlord_is_fixed() -> None:
    told = seen(arena.game("doudizhu/rlcard").new_state(3))
    assert (told["phase"], told["landlord"], told["seat_to_act"]) == ("play", 0, 0)
    assert told["counts"] == [20, 17, 17]
    assert len(told["kitty"]) == 3


def pass_around(state: arena.State) -> None:
    for _ in range(3):
        state.apply(min(state.seats_to_act()), "pass")


def test_what_follows_when_nobody_bids() -> None:
    taken = arena.game("doudizhu/doc003", all_pass="first_caller").new_state(2)
    first = seen(taken)["first"]
    pass_around(taken)
    assert (seen(taken)["landlord"], seen(taken)["base"]) == (first, 1)
    drawn = arena.game("doudizhu/doc003", all_pass="draw").new_state(2)
    pass_around(drawn)
    outcome = drawn.outcome()
    assert outcome is not None
    assert (outcome.termination.name, set(outcome.scores)) == ("passed_out", {0.5})
    for redeals in (0, 1):
        state = arena.game("doudizhu/doc003", max_redeals=redeals).new_state(2)
        for _ in range(redeals + 1):
            assert seen(state)["landlord"] is None
            pass_around(state)
        assert seen(state)["landlord"] == seen(state)["first"]


def test_who_calls_first_after_a_redeal() -> None:
    def firsts(who: str) -> list[tuple[int, int]]:
        made = []
        for seed in range(30):
            state = arena.game("doudizhu/doc003", first_caller=who).new_state(seed)
            before = seen(state)["first"]
            pass_around(state)
            made.append((before, seen(state)["first"]))
        return made

    assert all(after == (before + 1) % 3 for before, after in firsts("rotate"))
    assert all(after == before for before, after in firsts("last_winner"))
    for who in ("lot", "face_up_card"):
        assert len(set(firsts(who))) > 5, "drawn anew"
    assert {before for before, _ in firsts("rotate")} == {0, 1, 2}, "the first of all by lot"


def test_a_card_shown_face_up_is_the_first_callers() -> None:
    for seed in range(20):
        state = arena.game("doudizhu/doc003", first_caller="face_up_card").new_state(seed)
        told = seen(state)
        assert told["face"] in json.loads(state.observe(told["first"]))["hand"]


@pytest.mark.parametrize(
    ("settings", "points"),
    [
        ({}, 8),
        ({"bomb_doubles": 1}, 4),
        ({"bomb_doubles": 3}, 12),
        ({"rocket_doubles": 1}, 4),
        ({"rocket_doubles": 4}, 16),
    ],
)
def test_factors(settings: dict[str, Any], points: int) -> None:
    state = at(
        "landlord=0 made=1/1/1 hands=3333BR4/5/6",
        *("play 3333", "pass", "pass", "play BR", "pass", "pass", "play 4"),
        game=arena.game("doudizhu/doc003", **settings),
    )
    assert result(state)["points"] == [points, -points // 2, -points // 2]


@pytest.mark.parametrize(("factor", "times"), [(1, 1), (2, 4), (3, 9)])
def test_grabs_have_their_factor(factor: int, times: int) -> None:
    game = arena.game("doudizhu/happy", grab_doubles=factor)
    assert seen(at(DEAL, "call", "grab", "grab", "pass", game=game))["times"] == times


@pytest.mark.parametrize(
    ("led", "hand", "answer", "wrong"),
    [
        ("333444QQ", "55566678", "play 55566678", None),
        ("55566678", "333444QQ", "play 333444QQ", IllegalReason.must_follow),
        ("3334447788", "5556667799", "play 5556667799", None),
        ("3334447788", "55566677", "play 55566677", IllegalReason.must_follow),
        ("334455", "445566", "play 445566", None),
        ("334455", "44556677", "play 44556677", IllegalReason.must_follow),
        ("333444", "555666", "play 555666", None),
        ("333444555", "666777", "play 666777", IllegalReason.must_follow),
        ("AA", "22", "play 22", None),
        ("KK", "222A", "play 222", IllegalReason.must_follow),
    ],
)
def test_sequences_by_their_highest_planes_by_their_triples(
    led: str, hand: str, answer: str, wrong: IllegalReason | None
) -> None:
    state = at(f"landlord=0 hands={led}T/{hand}J/9", f"play {led}")
    assert refusal(state, answer) == wrong
