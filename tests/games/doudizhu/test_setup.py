"""Rulebooks say what their sources say; settings and set-up lines are read with care."""

from __future__ import annotations

import pytest

import arena
from arena._core import SetupError
from arena.games import RulesError


@pytest.mark.parametrize(
    ("book", "settings"),
    [
        ("doc003", {"call": "bid123_once", "first_caller": "rotate", "all_pass": "redeal"}),
        ("doc003", {"bomb_doubles": 2, "rocket_doubles": 2, "unplayed_bombs_count": False}),
        ("lianzhong", {"spring": 2, "unplayed_bombs_count": False}),
        ("rlcard", {"call": "fixed", "spring": 1, "kicker_repeat": 3}),
        ("douzero", {"call": "fixed", "kicker_both_jokers": True}),
        ("openspiel", {"quad_singles": "none", "quad_pairs": "none"}),
        ("openspiel", {"kicker_adjacent_triple": True, "all_pass": "draw"}),
        ("pagat", {"kicker_repeat": 1, "quad_singles": "different", "spring": 1}),
        ("happy", {"call": "call_grab", "grab_doubles": 2}),
        ("two_singles_only", {"quad_pairs": "none"}),
        ("spring_three", {"spring": 3, "cap": 24}),
        ("any_kickers", {"kicker_repeat": 4, "quad_pairs": "any", "kicker_both_jokers": True}),
    ],
)
def test_what_the_rulebooks_say(book: str, settings: dict[str, object]) -> None:
    plain = arena.game(f"doudizhu/{book}").rules.settings()
    assert {key: plain[key] for key in settings} == settings


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"call": "auction"}, "call"),
        ({"max_redeals": 21}, "max_redeals"),
        ({"kicker_repeat": 0}, "kicker_repeat"),
        ({"quad_pairs": "all"}, "quad_pairs"),
        ({"bomb_doubles": 5}, "bomb_doubles"),
        ({"cap": 0}, "cap"),
        ({"kicker_repeat": 2, "kicker_adjacent_triple": True}, "needs kicker_repeat 3 or 4"),
        ({"seats": 4}, "seats"),
    ],
)
def test_settings_that_make_no_sense_are_named(settings: dict[str, object], what: str) -> None:
    with pytest.raises(RulesError, match=what):
        arena.game("doudizhu/doc003", **settings)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("", "hands is missing"),
        ("hands=3/4", "three are wanted"),
        ("hands=3/4/x", "ranks of one pack"),
        ("hands=3//4", "1 to 17 cards"),
        ("hands=33333/4/5", "ranks of one pack"),
        ("hands=B/B/5", "more than one pack has of B"),
        ("hands=333/334/5", "more than one pack has of 3"),
        ("hands=333344445555666677/8/9", "1 to 17 cards"),
        ("landlord=0 hands=333344445555666677778/8/9", "1 to 20 cards"),
        ("hands=3/4/5 hands=3/4/5", "given twice"),
        ("hands=3/4/5 colour=red", "is no NAME=VALUE"),
        ("hands=3/4/5 first=3", "a number from 0 to 2"),
        ("hands=3/4/5 first=x", "a number from 0 to 2"),
        ("hands=3/4/5 kitty=6789", "at most 3 cards"),
        ("hands=3/4/5 kitty=6 face=9", "one card of the first caller's hand"),
        ("hands=3/4/5 base=2", "goes with landlord=SEAT"),
        ("landlord=0 hands=3/4/5 base=4", "a number from 1 to 3"),
        ("landlord=0 hands=3/4/5 kitty=6", "must be in the landlord's hand"),
        ("landlord=0 hands=3/4/5 face=3", "is for the calls only"),
        ("landlord=0 hands=3/4/5 made=1/2", "three numbers of plays"),
        ("hands=3/4/5 log=bid4", "log=bid4"),
        ("hands=3/4/5 log=bid2.bid1", "one may answer bid 3, pass"),
        ("landlord=0 hands=34/5/6 log=5", "the hand is 34"),
        ("landlord=0 hands=34/5/6 log=pass", "the leader must play"),
        ("landlord=0 hands=3/5/6 log=3.5", "log=5"),
        ("hands=3/4/5 " + " " * 5000, "longer than 4096"),
    ],
)
def test_lines_that_say_no_deal_are_refused(line: str, what: str) -> None:
    with pytest.raises(SetupError, match=what):
        arena.game("doudizhu/doc003").new_state(setup=line)


def test_calls_under_rules_without_calls_are_refused() -> None:
    with pytest.raises(SetupError, match="landlord is missing"):
        arena.game("doudizhu/rlcard").new_state(setup="hands=3/4/5")


def test_a_line_goes_on_where_it_stopped() -> None:
    game = arena.game("doudizhu/doc003")
    state = game.new_state(setup="first=1 hands=345/678/9TJ kitty=QKA log=pass.bid2")
    for move in ("bid 3", "play 3", "play 6", "play 9"):
        state.apply(min(state.seats_to_act()), move)
    again = game.new_state(setup=state.setup())
    assert again.setup() == state.setup()
    assert [again.observe(seat) for seat in range(3)] == [state.observe(seat) for seat in range(3)]
