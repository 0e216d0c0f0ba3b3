"""Settings beyond the documents: any valid combination plays; senseless ones name the field."""

from __future__ import annotations

import random
from typing import Any

import pytest

import arena
from arena._core import Rng, SetupError
from arena.games import RulesError
from tests.games.tuolaji.tables import play, table

GRID: dict[str, list[Any]] = {
    "decks": [1, 2, 3, 4, 5, 6],
    "players": [4, 6],
    "kitty": [None, 0, 2, 4, 6, 8, 10, 12],
    "first_draw": ["lot", "high_card", "count_from_turned"],
    "levels": ["2-A", "3-A", "2-A+JOKER", "2+5+10+K+A"],
    "hand_dealer": ["contested", "drawn"],
    "gain_cap": [None, 1, 3],
    "permanent_trump": ["none", "2"],
    "bid_hidden": [True, False],
    "bid_rank": ["level", "2"],
    "bid_min_cards": [1, 2],
    "bid_token": ["none", "small_joker", "any_joker", "heart_2", "turned_card"],
    "bid_token_exact": [True, False],
    "bid_token_open": [True, False],
    "bid_overcall": ["more", "more_or_suit"],
    "bid_no_trump": ["off", "overcall", "any"],
    "bid_self_overcall": [True, False],
    "bid_reinforce": ["none", "own", "side"],
    "bid_first_dealer": ["first_caller", "final_caller"],
    "bid_nobody_first": ["redeal", "flip:2", "flip_majority", "no_trump", "lots"],
    "bid_nobody_later": [None, "choke", "flip:3", "lots"],
    "bid_rekitty": [True, False],
    "bid_rebel": ["none", "attackers", "any"],
    "redeal_limit": [0, 2],
    "shape_bridge_level": [True, False],
    "shape_honours": ["none", "jokers", "ladder"],
    "shape_aa22": ["off", "low", "high"],
    "beat_cross_shape": ["off", "wider", "4x1>2x2,3x2>2x3"],
    "beat_ruff_order": ["class_first", "trump_first"],
    "throw": ["forbidden", "safe_only", "forced_back"],
    "follow_order": ["width_first", "tractor_first"],
    "follow_split": [True, False],
    "last_pot": [None, "kitty", "hands", "none"],
    "last_multiplier": [None, "cards", "cards_min2", "pow2_pairs"],
    "last_trump_only": [True, False],
    "last_both_sides": [True, False],
}
"""Values to combine; tests/games/tuolaji/test_rules.py goes through the others."""


def combinations(count: int, seed: int) -> list[dict[str, Any]]:
    """Random valid settings; the record refuses the others, naming a field."""
    chance = random.Random(seed)
    found: list[dict[str, Any]] = []
    while len(found) < count:
        settings = {name: chance.choice(values) for name, values in GRID.items()}
        try:
            arena.game("tuolaji/two_deck_open", **settings)
        except RulesError as error:
            assert any(name in str(error) for name in GRID), error
        else:
            found.append(settings)
    return found


@pytest.mark.parametrize("settings", combinations(60, 5), ids=lambda _: "")
def test_any_valid_combination_plays(settings: dict[str, Any]) -> None:
    game = arena.game("tuolaji/two_deck_open", **settings)
    for seed in range(2):
        state, rng = game.new_state(seed), Rng(seed)
        while state.seats_to_act():
            seat = min(state.seats_to_act())
            move = state.sample_move(seat, rng)
            assert state.check(seat, str(move)) is None, (str(move), state.setup())
            if rng.below(20) == 0:
                setup = state.setup()
                again = game.new_state(setup=setup)
                assert again.setup() == setup
                assert again.observe(seat) == state.observe(seat)
                assert state.resample(seat, rng).observe(seat) == state.observe(seat)
                view = state.moves(seat)
                assert all(state.check(seat, listed) is None for listed in view)
            state.apply(seat, move)
        assert state.outcome() is not None


def test_damaged_set_ups_are_refused_or_play() -> None:
    """Near misses of real set-ups, the likeliest mistakes of a person who writes one."""
    chance = random.Random(3)
    played = refused = 0
    for name in ("r13_two_deck_joker_level", "r03_four_deck_3_to_7", "r15_six_deck"):
        game = arena.game(f"tuolaji/{name}")
        state, rng = game.new_state(2), Rng(2)
        while state.seats_to_act():
            seat = min(state.seats_to_act())
            for _ in range(3):
                words = state.setup().split(" ")
                at = chance.randrange(len(words))
                word = words[at]
                cut = chance.randrange(len(word))
                words[at] = chance.choice(
                    [
                        word[:cut] + word[cut + 1 :],
                        word[:cut] + chance.choice("0123/,;:-=~<*SHCDJKA") + word[cut:],
                        word[:cut] + chance.choice("0123/,;:-=~<*SHCDJKA") + word[cut + 1 :],
                        "",
                        chance.choice(words),
                    ]
                )
                try:
                    made = game.new_state(setup=" ".join(words))
                except SetupError as error:
                    assert str(error).startswith("setup: ")
                    refused += 1
                    continue
                assert game.new_state(setup=made.setup()).setup() == made.setup()
                for _ in range(12):
                    if made.seats_to_act():
                        mover = min(made.seats_to_act())
                        made.apply(mover, made.sample_move(mover, rng))
                played += 1
            state.apply(seat, state.sample_move(seat, rng))
    assert played > 50
    assert refused > 500


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"players": 5}, "players"),
        ({"kitty": 7}, "kitty"),
        ({"kitty": 60}, "kitty"),
        ({"decks": 7}, "decks"),
        ({"levels": "A-2"}, "levels"),
        ({"levels": "2-JOKER"}, "levels"),
        ({"levels": "2+B"}, "levels"),
        ({"finish": "past:1"}, "finish"),
        ({"finish": "beyond:A"}, "finish"),
        ({"levels": "3-K"}, "finish"),
        ({"must_play": "JOKER"}, "must_play"),
        ({"hand_levels": "2"}, "hand_levels"),
        ({"clock_tie": "coin"}, "clock_tie"),
        ({"bid_nobody_first": "choke"}, "bid_nobody_first"),
        ({"bid_nobody_later": "flip:9"}, "bid_nobody_later"),
        ({"kitty": 0, "bid_nobody_later": "flip_majority"}, "bid_nobody_later"),
        ({"bid_min_cards": 3}, "bid_min_cards"),
        ({"bid_hidden": True}, "bid_no_trump"),
        ({"bid_hidden": True, "bid_no_trump": "off", "bid_overcall": "more_or_suit"}, "bid_overcall"),
        ({"kitty": 0, "bid_rekitty": True}, "bid_rekitty"),
        ({"shape_aa22": "low"}, "shape_aa22"),
        ({"follow_tables": "2x2"}, "follow_tables"),
        ({"follow_tables": "3x1=3x1"}, "follow_tables"),
        ({"follow_tables": "2x2=2x3"}, "follow_tables"),
        ({"follow_tables": "2x2=any>2x1"}, "follow_tables"),
        ({"beat_cross_shape": "4x1>2x3"}, "beat_cross_shape"),
        ({"kitty": 0, "last_pot": "kitty"}, "last_pot"),
        ({"score_bands": "0:D3,80:X1"}, "score_bands"),
        ({"score_bands": "0:C,80:D1"}, "score_bands"),
        ({"score_bands": "0:D1,80:C/0"}, "score_bands"),
    ],
)  # fmt: skip
def test_settings_that_make_no_sense_are_named(settings: dict[str, Any], field: str) -> None:
    with pytest.raises(RulesError, match=field):
        arena.game("tuolaji/two_deck_open", **settings)


def test_1_cards_per_hand() -> None:
    sizes = {
        25: "r01 r02 r05 r10 r12 r13 r18",
        26: "r11",
        39: "r04 r19",
        52: "r06 r07 r08 r16",
        54: "r03 r09 r14 r15 r17",
    }
    for size, ids in sizes.items():
        for name in arena.rulebooks("tuolaji/*"):
            if name.removeprefix("tuolaji/")[:3] in ids.split():
                rules: Any = arena.game(name).rules
                assert rules.hand_size == size, name


def test_every_setting_of_a_rulebook_has_its_sentence() -> None:
    for name in arena.rulebooks("tuolaji/*"):
        book = arena.game(name).family.rulebooks[name.partition("/")[2]]
        assert set(book.settings) <= set(book.sources), name


def test_sampling_reaches_every_legal_follow() -> None:
    for book, led, hand in (
        ("r10_qq_two_deck", "H33", "H44556679"),
        ("r08_four_deck_lists", "H667788", "H9910 10JJQQQKKK"),
        ("r14_four_deck_two_hours", "H6677", "H333399JK5"),
        ("r10_qq_two_deck", "HAKK", "H345 S6 C7 8"),
    ):
        level = "A" if book[:3] in ("r08", "r14") else "2"
        state = table(book, [led, hand], level=level, fill="D")
        state.apply(0, play(led))
        view = state.moves(1)
        assert view.complete
        rng = Rng(1)
        assert {str(state.sample_move(1, rng)) for _ in range(4000)} == {str(m) for m in view}


def test_sampling_reaches_throws_and_readings() -> None:
    state = table("r06_four_deck_2_to_A", ["H22233 S5"], level="4")
    rng = Rng(2)
    found = {str(state.sample_move(0, rng)) for _ in range(6000)}
    for text in ("H22233", "H22233 as groups", "H223", "H33", "S5", "H222"):
        assert play(text) in found
