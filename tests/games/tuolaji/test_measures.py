"""What the statistics count, from hands that are played out and from whole matches."""

from __future__ import annotations

import json

import pytest

import arena
from arena._core import PlayTask, State
from tests.games.tuolaji.tables import play, table

R10 = "r10_qq_two_deck"


def played(state: State, plays: list[str]) -> dict[str, float]:
    for text in plays:
        (seat,) = state.seats_to_act()
        state.apply(seat, play(text))
    outcome = state.outcome()
    assert outcome is not None
    return outcome.measures


def test_the_last_trick_and_what_it_decides() -> None:
    """75 points, a kitty of 10, and a king in the trick: (75 + 10) + 2 * 10, of 200 + 20."""
    plays = ["D3", "SA", "DK", "D8"]
    found = played(table(R10, plays, extra="points=75 kitty=H10,H3,H4,H6,H7,H8,H9,C3"), plays)
    assert found["attackers_points"] == 105
    assert found["captured_points"] == 20
    assert found["last_trick_share"] == pytest.approx(30 / 220)
    assert (found["takeover"], found["last_trick_decides"], found["dealer_levels"]) == (1, 1, 0)
    found = played(table(R10, plays, extra="points=80 kitty=H10,H3,H4,H6,H7,H8,H9,C3"), plays)
    assert (found["takeover"], found["last_trick_decides"]) == (1, 0)
    plays = ["SA", "D4", "DK", "D8"]
    found = played(table(R10, plays, extra="points=20"), plays)
    assert (found["takeover"], found["dealer_levels"]) == (0, 2)
    assert found["last_trick_share"] == pytest.approx(10 / 200)


def test_leads_are_counted_by_what_they_are_made_of() -> None:
    """A tractor, a throw that stands (a pair and a king), one that fails against the ten."""
    state = table(R10, ["H3344 A A K 9 7", "H5 6 8 10 J Q D3 D4 D6"], fill="CD")
    leads = iter(["H3344", "H9 7", "HA A K"])
    while state.seats_to_act():
        (seat,) = state.seats_to_act()
        lead = seat == 0 and json.loads(state.observe(0))["trick"]["plays"] == []
        text = next(leads, None) if lead else None
        state.apply(seat, play(text) if text else str(state.stand_in(seat)))
    outcome = state.outcome()
    assert outcome is not None
    found = outcome.measures
    assert found["tractors"] == 1 and found["failed_throws"] == 1
    assert found["throws"] == 1 and found["bombs"] == 0


def test_bombs_and_wide_tractors() -> None:
    plays = ["H3333", "D3334", "C3334", "C6777"]
    found = played(table("r03_four_deck_3_to_7", plays, level="9"), plays)
    assert (found["bombs"], found["tractors"]) == (1, 0)


def test_the_caller_and_the_first_drawer_are_remembered() -> None:
    game = arena.game(f"tuolaji/{R10}")
    state = game.new_state(4)
    while state.seats_to_act():
        (seat,) = state.seats_to_act()
        moves = [str(move) for move in state.moves(seat)]
        calls = [text for text in moves if text.startswith("call")]
        state.apply(seat, calls[0] if calls else state.stand_in(seat))
    outcome = state.outcome()
    assert outcome is not None
    found = outcome.measures
    assert 5 <= found["trump_length"] <= 25
    assert found["first_drawer_score"] in (0, 1)
    drawer = int(dict(word.split("=", 1) for word in state.setup().split())["tally"].split(":")[0])
    assert found["first_drawer_score"] == outcome.scores[drawer]
    assert "hands" not in found and "first_dealer_score" not in found


def test_a_match_is_a_mean_over_its_hands() -> None:
    """Levels gained hand by hand add up to where the sides stand."""
    game = arena.game(f"tuolaji/{R10}", unit="match", max_hands=6)
    task = PlayTask(["greedy"] * 4, deal_seed=5, engine_seed=5, keep_moves=True)
    (once,) = game.core.play([task])
    found = once.outcome.measures
    assert found["hands"] == 6
    state = game.new_state(5)
    for seat, move in once.moves:
        before = state.setup()
        state.apply(seat, move)
        again = game.new_state(setup=state.setup())
        assert again.setup() == state.setup(), before
    outcome = state.outcome()
    assert outcome is not None and outcome.measures == found
    words = dict(word.split("=", 1) for word in state.setup().split())
    ladder = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    heights = [ladder.index(level) for level in words["levels"].split(":")]
    drawer, dealer, _ = words["tally"].split(":")
    lead = heights[0] - heights[1]
    assert found["first_drawer_levels"] == (lead if int(drawer) % 2 == 0 else -lead)
    assert found["first_dealer_levels"] == (lead if int(dealer) % 2 == 0 else -lead)
    assert outcome.roles[int(dealer)] == "dealer"
    assert abs(found["dealer_levels"]) * 6 == pytest.approx(round(abs(found["dealer_levels"]) * 6))


def test_every_measure_has_a_name_in_both_languages() -> None:
    names = arena.game(f"tuolaji/{R10}").family.measures
    for unit in ("hand", "match"):
        game = arena.game("tuolaji/r04_three_deck_3_to_K", unit=unit, max_hands=3)
        task = PlayTask(["greedy"] * 4, deal_seed=1, engine_seed=1)
        (once,) = game.core.play([task])
        assert set(once.outcome.measures) <= set(names)
        assert list(once.outcome.measures) == [n for n in names if n in once.outcome.measures]
