"""Rulebooks say what their sources say, and set-up lines are read with care."""

from __future__ import annotations

import pytest

import arena
from arena._core import SetupError


@pytest.mark.parametrize(
    ("book", "settings"),
    [
        ("doc001", {"quiet_limit": 70, "quiet_unit": "ply", "timeout_limit": 5}),
        ("doc003", {"quiet_limit": 70, "quiet_unit": "ply", "timeout_limit": 5}),
        ("jj", {"quiet_limit": 70, "quiet_reset": "fight", "timeout_limit": 5}),
        ("bianfeng", {"quiet_reset": "any_removal", "timeout_limit": None}),
        ("short_unscored", {"short_game": 40, "timeout_limit": 5}),
        ("both_die", {"mine_vs_piece": "both_die"}),
        ("clockwise", {"turn_order": "cw"}),
        ("double_bright", {"visibility": "double_bright"}),
        ("half_bright", {"visibility": "half_bright"}),
        ("bright", {"visibility": "bright"}),
        ("ffa", {"teams": "ffa"}),
        ("three_seats", {"teams": "ffa", "seats": 3}),
        ("duel129", {"teams": "ffa", "seats": 2, "board": "siguo129"}),
        ("siguozero", {"quiet_limit": 60}),
        ("bitbyg_bot", {"quiet_limit": 16, "turn_cap": 128}),
        ("captor", {"eliminated_pieces": "to_captor", "teams": "ffa"}),
        ("dark60", {"board": "luzhanqi60", "seats": 2, "visibility": "dark"}),
        ("bright60", {"board": "luzhanqi60", "seats": 2, "visibility": "bright"}),
    ],
)
def test_what_the_rulebooks_say(book: str, settings: dict[str, object]) -> None:
    plain = arena.game(f"siguo/{book}").rules.settings()
    assert {key: plain[key] for key in settings} == settings


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "empty"),
        ("S", "NAME=VALUE"),
        ("S=9-@S11 S=8-@S12", "twice"),
        ("turn=4 S=9-@S11", "turn"),
        ("S=9-@S11,8-@S11", "one point"),
        ("S=9-@S11,9-@S12", "fewer"),
        ("S=9C22", "began"),
        ("S=9S22", "began"),
        ("S=BS11", "may not begin"),
        ("S=9S11,8S11x", "began on one point"),
        ("S=9S11@S12", "has moved"),
        ("S=MS51@S41+1", "never move"),
        ("S=9S11=8", "its own among them"),
        ("S=9S11=9B", "exclude"),
        ("S=9S11!3", "among the seats"),
        ("S=9S11>1", "after the start"),
        ("S=9-", "nowhere"),
        ("S=9S11?", "after the start"),
        ("S=9S11 out=0f", "is out"),
        ("S=9S11 out=0f.1f.2f.3f", "not all"),
        ("S=9S11 timeouts=5/0/0/0", "timeouts"),
        ("S=9S11 timeouts=0/0", "one number a seat"),
        ("S=9S11+1 W=8W11x fights=1:0x75", "PLY:UNIT"),
        ("S=9S11+1 W=8W11x fights=1:0x75@C11<", "not with this result"),
        ("S=9S11+1 W=8W11 fights=1:0x75@C11>", "on the board"),
        ("S=9S11 W=8W11x fights=1:0x75@C11>", "do not fight"),
        ("S=9S11+1 W=8W11x fights=1:0x76@C11>", "no such unit"),
        ("S=9S11+1 W=8W11x fights=1:0x75@C11>a", "a, d"),
        ("phase=layout S=37254/6.8.2/51.13/7.9.6/4B1B3/MFM2F", "of rank F"),
        ("phase=layout turn=1", "goes with phase=play"),
        ("phase=bid", "layout or play"),
    ],
)  # fmt: skip
def test_set_ups_that_are_refused(text: str, what: str) -> None:
    with pytest.raises(SetupError, match=what):
        arena.game("siguo/doc001").new_state(setup=text)


def test_nobody_sits_in_a_closed_home() -> None:
    with pytest.raises(SetupError, match="nobody sits"):
        arena.game("siguo/duel129").new_state(setup="S=9S11 W=9W11")
