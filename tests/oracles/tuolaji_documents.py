"""Naive Tuolaji: the settings of the documents R01–R19, as far as a hand is concerned.

Written from the documents' presets and lists, not from the rulebooks of the project.
"""

from __future__ import annotations

from tests.oracles.tuolaji_cards import Settings

DEFAULTS: dict[str, object] = {
    "unit": "hand",
    "decks": 2,
    "players": 4,
    "kitty": None,
    "levels": "2-A",
    "finish": "past:A",
    "must_play": "none",
    "gain_cap": None,
    "clock_tie": "dealer_side",
    "permanent_trump": "none",
    "bid_hidden": False,
    "bid_rank": "level",
    "bid_min_cards": 1,
    "bid_token": "none",
    "bid_token_exact": False,
    "bid_overcall": "more",
    "bid_no_trump": "overcall",
    "bid_self_overcall": False,
    "bid_reinforce": "own",
    "bid_first_dealer": "final_caller",
    "bid_nobody_first": "redeal",
    "bid_nobody_later": None,
    "bid_rekitty": False,
    "bid_rebel": "none",
    "bid_rebel_points": 15,
    "shape_bridge_level": True,
    "shape_honours": "ladder",
    "shape_aa22": "off",
    "beat_cross_shape": "off",
    "beat_ruff_order": "class_first",
    "throw": "forced_back",
    "follow_order": "width_first",
    "follow_tables": "none",
    "follow_split": True,
    "last_pot": None,
    "last_multiplier": None,
    "last_trump_only": False,
    "last_both_sides": False,
    "score_bands": "standard",
}

HIDDEN: dict[str, object] = {
    **DEFAULTS,
    "decks": 4,
    "kitty": 0,
    "levels": "3-A",
    "permanent_trump": "2",
    "bid_hidden": True,
    "bid_no_trump": "off",
    "bid_nobody_later": "redeal",
    "shape_honours": "jokers",
    "beat_cross_shape": "wider",
    "throw": "forbidden",
    "last_pot": "hands",
    "last_multiplier": "cards",
}

QUAD = "4x1=4x1>3x1>2x2>2*2x1>any"
TWO_OF_FOUR = "2x4=2x4>2x3+2x1|3x2+2x1>2x2+2x2|2x2+4x1>4*2x1"
LONG_FIVE = "2x5=2x5>2x4+2x1>2x3+2x2>2x2+3*2x1>5*2x1"
R03_BANDS = "0:D2,80:D1,160:C,240:A1,320:A2/80"

R04_LISTS = "3x1=3x1>2x1>any;2x2=2x2>2*2x1>3x1>2x1>any;2x3=2x3>3*2x1>2*3x1>2*2x1>3x1>2x1>any"
R08_TAIL = (
    "2x3+2x1>2x3>2x2+2*2x1>2x2+2x1>2x2>4x1+2*2x1>4x1+2x1>4x1>2*3x1>3x1+2*2x1>3x1+2x1>3x1"
    ">4*2x1>3*2x1>2*2x1>2x1>any"
)
R08_LISTS = (
    f"2x4=2x4|2*4x1>{R08_TAIL};4x2=4x2>2*4x1>2x4>{R08_TAIL};"
    "2x3=2x3|3x2>4x1+2x1>2x2+2x1>3*2x1>2*2x1>2x1>any"
)
R15_LISTS = (
    "4x2=4x2>2x4>6x1+2x1>3x2+2x1>5x1+2x1>2*4x1>2x3+2x1>4x1+2x2>2x2+2x2>2x2+2*2x1>any;"
    "2x4=2x4>6x1+2x1>5x1+2x1>2*4x1>3x2+2x1>2x3+2x1>4x1+2x2>2x2+2x2>2x2+2*2x1>4*2x1>any"
)

DOCUMENTS: dict[str, Settings] = {
    "R01": {
        **DEFAULTS,
        "finish": "reach:8",
        "gain_cap": 3,
        "bid_token": "any_joker",
        "bid_no_trump": "off",
        "throw": "safe_only",
        "score_bands": "0:D3,5:D2,40:D1,80:A1,120:A2,160:A3",
    },
    "R02": {
        **DEFAULTS,
        "finish": "past:10",
        "gain_cap": 3,
        "bid_first_dealer": "first_caller",
        "bid_nobody_later": "flip:1",
        "throw": "safe_only",
        "last_multiplier": "pow2_pairs",
    },
    "R03": {
        **HIDDEN,
        "finish": "past:7",
        "bid_token": "small_joker",
        "shape_bridge_level": False,
        "shape_aa22": "low",
        "follow_tables": QUAD,
        "score_bands": R03_BANDS,
    },
    "R04": {
        **DEFAULTS,
        "decks": 3,
        "kitty": 6,
        "levels": "3-A",
        "finish": "past:K",
        "gain_cap": 3,
        "permanent_trump": "2",
        "bid_hidden": True,
        "bid_token": "heart_2",
        "bid_no_trump": "off",
        "bid_nobody_later": "choke",
        "shape_honours": "jokers",
        "throw": "forbidden",
        "follow_tables": R04_LISTS,
        "last_pot": "kitty",
        "last_multiplier": "cards",
        "last_both_sides": True,
        "score_bands": "0:D3,5:D2,60:D1,120:C,180:A1,240:A2,300:A3",
    },
    "R05": {**DEFAULTS, "bid_overcall": "more_or_suit"},
    "R06": {
        **DEFAULTS,
        "decks": 4,
        "bid_no_trump": "off",
        "bid_first_dealer": "first_caller",
        "bid_nobody_first": "flip:1",
        "bid_nobody_later": "flip:1",
        "beat_cross_shape": "wider",
        "follow_tables": LONG_FIVE,
        "last_multiplier": "cards_min2",
        "last_trump_only": True,
    },
    "R07": {
        **DEFAULTS,
        "decks": 4,
        "finish": "past:4",
        "bid_no_trump": "off",
        "bid_nobody_first": "lots",
        "bid_nobody_later": "lots",
        "beat_cross_shape": "4x1>2x2,3x2>2x3",
        "follow_tables": "2x4=2x4>3x2+2x1>2x3+2x1>2x2+2x2",
    },
    "R08": {
        **DEFAULTS,
        "decks": 4,
        "levels": "3-A",
        "permanent_trump": "2",
        "bid_hidden": True,
        "bid_no_trump": "off",
        "beat_cross_shape": "wider",
        "throw": "forbidden",
        "follow_tables": R08_LISTS,
    },
    "R09": {
        **HIDDEN,
        "finish": "clock",
        "bid_rank": "2",
        "bid_token": "turned_card",
        "shape_bridge_level": False,
        "shape_aa22": "low",
        "follow_order": "tractor_first",
        "follow_tables": f"{TWO_OF_FOUR};3x2=3x2>2x3>2x2+2x1>3x1+2x1>3*2x1;{QUAD}",
        "score_bands": R03_BANDS,
    },
    "R10": {
        **DEFAULTS,
        "bid_self_overcall": True,
        "bid_first_dealer": "first_caller",
        "bid_nobody_first": "no_trump",
        "bid_nobody_later": "no_trump",
    },
    "R11": {
        **DEFAULTS,
        "kitty": 4,
        "finish": "clock",
        "bid_no_trump": "off",
        "score_bands": "0:D3,5:D2,40:D1,80:C,120:A1,165:A2,205:A3/40",
    },
    "R12": DEFAULTS,
    "R13": {
        **DEFAULTS,
        "levels": "2-A+JOKER",
        "finish": "past:JOKER",
        "must_play": "J+A+JOKER",
        "bid_overcall": "more_or_suit",
        "bid_nobody_later": "flip:3",
        "bid_rekitty": True,
        "bid_rebel": "attackers",
    },
    "R14": {
        **HIDDEN,
        "bid_token": "small_joker",
        "bid_token_exact": True,
        "bid_reinforce": "side",
        "follow_order": "tractor_first",
        "follow_tables": (
            f"2x2=2x2|4x1>2*2x1>2x1>any;{TWO_OF_FOUR};3x2=3x2>2x3>2x2+2x1|4x1+2x1>3*2x1;{QUAD}"
        ),
        "score_bands": R03_BANDS,
    },
    "R15": {
        **HIDDEN,
        "decks": 6,
        "players": 6,
        "finish": "clock",
        "bid_token": "small_joker",
        "bid_token_open": True,
        "shape_bridge_level": False,
        "shape_honours": "none",
        "shape_aa22": "low",
        "follow_tables": R15_LISTS,
    },
    "R16": {
        **DEFAULTS,
        "decks": 4,
        "levels": "3-A",
        "finish": "clock",
        "gain_cap": 3,
        "permanent_trump": "2",
        "bid_min_cards": 2,
        "bid_no_trump": "off",
        "bid_nobody_first": "flip_majority",
        "bid_nobody_later": "flip_majority",
        "shape_honours": "jokers",
        "shape_aa22": "high",
        "beat_cross_shape": "wider",
        "follow_tables": "2x5=2x5>2x4+2x1>2x3+2x2>2x2+2x2+2x1>2x2+3*2x1>5*2x1",
        "last_multiplier": "cards_min2",
        "last_trump_only": True,
    },
    "R17": HIDDEN,
    "R18": DEFAULTS,
    "R18b": {**DEFAULTS, "levels": "3-A", "permanent_trump": "2"},
    "R19": {**DEFAULTS, "decks": 3, "finish": "clock", "beat_cross_shape": "3x2>2x3"},
}

OFF_THE_TABLE: dict[str, object] = {
    "first_draw": "count_from_turned",
    "clock_minutes": None,
    "clock_at_end": "finish_if_drawn",
    "penalty_points": 0,
    "penalty_dead": False,
    "penalty_levels": 0,
    "penalty_revoke_levels": 0,
    "penalty_bad_bury": "none",
    "penalty_late": "none",
    "penalty_open_call": "none",
    "review_last_trick": "any",
    "review_kitty": True,
    "review_points": True,
    "event": "single",
}
"""What no hand depends on: defaults."""

BESIDE_THE_TABLE: dict[str, Settings] = {
    "R01": {"penalty_levels": 3},
    "R02": {
        "clock_minutes": 90,
        "penalty_points": 10,
        "penalty_bad_bury": "step_down",
        "review_last_trick": "none",
        "review_kitty": False,
        "event": "knockout",
    },
    "R03": {
        "clock_minutes": 90,
        "penalty_points": 10,
        "penalty_dead": True,
        "penalty_revoke_levels": 2,
        "penalty_bad_bury": "levels:2",
        "review_points": False,
        "review_last_trick": "none",
        "event": "knockout",
    },
    "R04": {"clock_minutes": 150, "event": "team_round_robin"},
    "R06": {
        "clock_minutes": 360,
        "clock_at_end": "finish_hand",
        "clock_tie": "playoff_at:A",
        "penalty_bad_bury": "points:160",
        "event": "knockout",
    },
    "R07": {
        "first_draw": "high_card",
        "review_last_trick": "leader",
        "review_kitty": False,
        "event": "knockout",
    },
    "R09": {"clock_minutes": 150, "clock_tie": "playoff_gain"},
    "R11": {
        "clock_minutes": 60,
        "clock_at_end": "plus_one_hand",
        "penalty_late": "5:warn,10:-20,15:-30,20:forfeit_hand,21:forfeit_round",
    },
    "R13": {"event": "groups_then_final"},
    "R14": {"clock_minutes": 120},
    "R15": {"clock_minutes": 120, "penalty_open_call": "loses_right", "event": "knockout"},
    "R16": {
        "clock_minutes": 60,
        "clock_at_end": "finish_hand",
        "clock_tie": "external",
        "event": "knockout",
    },
    "R19": {
        "clock_minutes": 90,
        "clock_at_end": "plus_one_hand",
        "clock_tie": "draw",
        "event": "swiss:5",
    },
}
"""Clocks, fines, what may be looked at, events: by document, where they differ from the defaults."""
