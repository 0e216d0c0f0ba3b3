"""What the statistics count, from deals of a few cards and from whole games."""

from __future__ import annotations

import json

import pytest

import arena
from arena._core import PlayTask
from arena.games import family


def measures(book: str, setup: str, *moves: str, **settings: bool | int | None) -> dict[str, float]:
    """The numbers of a deal that these moves, of whoever is to act, bring to its end."""
    state = arena.game(f"doudizhu/{book}", **settings).new_state(setup=setup)
    for move in moves:
        state.apply(min(state.seats_to_act()), move)
    outcome = state.outcome()
    assert outcome is not None
    return outcome.measures


def test_points_after_bid_bomb_and_spring() -> None:
    """The landlord is seat 1 with a bid of 2; a bomb and a spring: 2 * 2 * 2 a peasant."""
    deal = "first=0 hands=3/44445/6 kitty=-"
    assert measures(
        "doc003", deal, "bid 1", "bid 2", "pass", "play 4444", "pass", "pass", "play 5"
    ) == {
        "landlord_points": 16,
        "peasant_points": -8,
        "base": 2,
        "stake": 8,
        "spring": 1,
        "redeals": 0,
    }
    once = measures(
        "pagat", deal, "bid 1", "bid 2", "pass", "pass", "play 4444", "pass", "pass", "play 5"
    )
    assert (once["landlord_points"], once["peasant_points"], once["stake"]) == (8, -4, 4)


def test_anti_spring_under_a_cap() -> None:
    """3 * 2 * 3 * 3 = 54 and 3 * 2 * 3 = 18 of an anti-spring: the cap of 24 binds the first."""
    deal = "landlord=0 base=3 times={times} hands=34/5/6"
    for times, stake in ((6, 24), (2, 18)):
        found = measures("spring_three", deal.format(times=times), "play 3", "play 5")
        assert (found["landlord_points"], found["peasant_points"]) == (-2 * stake, stake)
        assert (found["stake"], found["spring"]) == (stake, 1)


def test_redeals_are_counted() -> None:
    game = arena.game("doudizhu/doc003", max_redeals=2)
    state = game.new_state(4)
    for _ in range(9):
        state.apply(min(state.seats_to_act()), "pass")
    while state.seats_to_act():
        (seat,) = state.seats_to_act()
        state.apply(seat, state.moves(seat)[0])
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.measures["redeals"], outcome.measures["base"]) == (2, 1)


def test_a_deal_without_a_landlord_has_no_points() -> None:
    assert measures("openspiel", "hands=3/4/5 kitty=6", "pass", "pass", "pass") == {}


@pytest.mark.parametrize("book", family("doudizhu").rulebooks)
def test_they_agree_with_the_result_that_is_shown(book: str) -> None:
    game = arena.game(f"doudizhu/{book}")
    tasks = [PlayTask(["random"] * 3, seed, seed, keep_moves=True) for seed in range(12)]
    for seed, played in enumerate(game.core.play(tasks)):
        state = game.new_state(seed)
        for seat, move in played.moves:
            state.apply(seat, move)
        result = json.loads(state.observe(arena.SPECTATOR))["result"]
        found = played.outcome.measures
        if result is None:
            assert found == {}
            continue
        assert list(found) == list(game.family.measures)
        landlord = played.outcome.roles.index("landlord")
        assert found["landlord_points"] == result["points"][landlord]
        assert found["peasant_points"] == result["points"][landlord - 1]
        assert found["spring"] == result["spring"]
        assert sum(result["points"]) == 0
