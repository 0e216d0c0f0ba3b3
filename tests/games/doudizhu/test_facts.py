"""Published counts and layouts, under the rulebook that matches each source."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

import arena
from arena._core import IllegalReason, PlayTask

FACTS = Path(__file__).parents[2] / "facts" / "doudizhu"
RANKS = "3456789TJQKA2BR"
PACK = Counter("3456789TJQKA2" * 4 + "BR")


def facts(name: str) -> dict[str, Any]:
    return tomllib.loads((FACTS / f"{name}.toml").read_text("utf-8"))


def leading(game: arena.Game, cards: str) -> arena.State:
    rest = list((PACK - Counter(cards)).elements())
    return game.new_state(setup=f"landlord=0 hands={cards}/{rest[0]}/{rest[1]}")


@pytest.mark.parametrize("fact", facts("hands")["hand"], ids=lambda fact: fact["id"])
def test_leads_of_published_hands(fact: dict[str, Any]) -> None:
    for book in ("rlcard", "douzero"):
        state = leading(arena.game(f"doudizhu/{book}"), fact["cards"])
        assert len(state.moves(0)) == fact[book], book
    # OpenSpiel also drops every chain whose lowest rank is held four times: its defect.
    state = leading(arena.game("doudizhu/openspiel"), fact["cards"])
    fours = {rank for rank in RANKS if fact["cards"].count(rank) == 4}
    dropped = 0
    for move in state.moves(0):
        after = state.clone()
        after.apply(0, move)
        kind = json.loads(after.observe(0))["plays"][-1]["kind"]
        dropped += kind in ("straight", "pair_chain", "trio_chain") and str(move)[5] in fours
    assert len(state.moves(0)) - dropped == fact["openspiel"]


@pytest.mark.parametrize(("cards", "kind"), facts("layouts")["types"].items())
def test_types_of_published_layouts(cards: str, kind: str) -> None:
    ordered = "".join(sorted(cards, key=RANKS.index))
    state = leading(arena.game("doudizhu/doc003"), ordered)
    refusal = state.check(0, f"play {cards}")
    if kind:
        assert refusal is None
        state.apply(0, f"play {cards}")
        assert json.loads(state.observe(0))["plays"][-1]["kind"] == kind
    else:
        assert refusal is not None
        assert refusal.reason == IllegalReason.not_a_unit


def layouts(game: arena.Game, times: int, length: int, kickers: int, pairs: bool) -> int:
    """Accepted ways to attach `kickers` cards or pairs to each main part of this shape."""
    state = game.new_state(setup="landlord=0 hands=3/4/5")
    accepted = 0
    for low in range(len(RANKS) - length + 1):
        main = RANKS[low : low + length]
        others = [rank for rank in RANKS if rank not in main]
        for attached in combinations_with_replacement(others, kickers):
            cards = "".join(rank * times for rank in main) + "".join(attached) * (1 + pairs)
            if any(number > PACK[rank] for rank, number in Counter(cards).items()):
                continue
            refusal = state.check(0, f"play {cards} as {main}")
            accepted += refusal is None or refusal.reason != IllegalReason.not_a_unit
    return accepted


RULES: dict[str, dict[str, bool | int]] = {
    "A": {"kicker_adjacent_triple": True},
    "B": {},
    "C": {"kicker_repeat": 1},
    "D": {"kicker_repeat": 4, "kicker_adjacent_triple": True, "kicker_both_jokers": True},
}


@pytest.mark.parametrize("rule", RULES)
def test_planes_with_singles_by_kicker_rule(rule: str) -> None:
    game = arena.game("doudizhu/rlcard", **RULES[rule])
    found = [layouts(game, 3, length, length, False) for length in (2, 3, 4, 5)]
    assert found == facts("layouts")["counts"]["plane_singles"][rule]


def test_all_plays_of_rlcard_and_openspiel() -> None:
    counts = facts("layouts")["counts"]
    game = arena.game("doudizhu/rlcard")
    kinds = {
        "single": layouts(game, 1, 1, 0, False),
        "pair": layouts(game, 2, 1, 0, False),
        "trio": layouts(game, 3, 1, 0, False),
        "bomb": layouts(game, 4, 1, 0, False),
        # Two neighbours, once each: only the two jokers.
        "rocket": layouts(game, 1, 2, 0, False),
        "straight": sum(layouts(game, 1, n, 0, False) for n in range(3, 15)),
        "pair_chain": sum(layouts(game, 2, n, 0, False) for n in range(2, 11)),
        "trio_chain": sum(layouts(game, 3, n, 0, False) for n in range(2, 7)),
        "trio_single": layouts(game, 3, 1, 1, False),
        "trio_pair": layouts(game, 3, 1, 1, True),
        "plane_pairs": sum(layouts(game, 3, n, n, True) for n in (2, 3, 4)),
        "quad_singles": layouts(game, 4, 1, 2, False),
        "quad_pairs": layouts(game, 4, 1, 2, True),
    }
    assert kinds == counts["kinds"]
    planes = counts["plane_singles"]
    assert sum(kinds.values()) + sum(planes["B"]) == counts["rlcard"]
    fours = kinds["quad_singles"] + kinds["quad_pairs"]
    assert sum(kinds.values()) - fours + sum(planes["A"]) == counts["openspiel"]


def test_answers_of_openspiels_test_hand() -> None:
    # 50 leads of a triple with a kicker from 666777TTTQQQ222BR.
    game = arena.game("doudizhu/openspiel")
    hand = "666777TTTQQQ222BR"
    state = leading(game, hand)
    kicked = 0
    for move in state.moves(0):
        after = state.clone()
        after.apply(0, move)
        kicked += json.loads(after.observe(0))["plays"][-1]["kind"] in ("trio_single", "trio_pair")
    assert kicked == 5 * 6 + 5 * 4
    # A triple with a pair is answered by 20 of them and the rocket.
    state = game.new_state(setup=f"landlord=2 first=2 hands={hand}/4/333445 log=33344")
    pairs = [move for move in state.moves(0) if str(move) not in ("pass", "play BR")]
    assert len(pairs) == 20


def test_d29_leads_of_one_rank_and_answers_to_a_trio() -> None:
    game = arena.game("doudizhu/openspiel")
    hand = "558999TJJJJKKK"
    leads = [str(move)[5:] for move in leading(game, hand).moves(0)]
    assert Counter(len(cards) for cards in leads if len(set(cards)) == 1) == {
        1: 6,
        2: 4,
        3: 3,
        4: 1,
    }
    # The source answers 999; one pack has no second 999, and TTT is beaten by the same two.
    state = game.new_state(setup=f"landlord=2 first=2 hands={hand}/4/3TTT log=TTT")
    answers = {str(move) for move in state.moves(0)}
    assert answers == {"play JJJ", "play KKK", "play JJJJ", "pass"}


def test_d31a_answers_to_a_triple_with_a_single() -> None:
    # The source leads 999+R; the hand holds R, so 8 is the kicker here.
    game = arena.game("doudizhu/openspiel")
    setup = "landlord=2 first=2 hands=666777TTTQQQ222BR/4/38999 log=8999"
    answers = [str(move) for move in game.new_state(setup=setup).moves(0)]
    assert len(set(answers) - {"pass", "play BR"}) == 18


@pytest.mark.parametrize(("book", "mean"), [("rlcard", 81.9), ("openspiel", 70.4)])
def test_d26_mean_number_of_leads(book: str, mean: float) -> None:
    # 300 hands in the source, 4,000 here; two standard errors of the source are about five.
    game = arena.game(f"doudizhu/{book}", call="fixed")
    counts = [len(game.new_state(seed).moves(0)) for seed in range(4000)]
    assert abs(sum(counts) / len(counts) - mean) < 8
    if book == "rlcard":  # D27: 344 in random play
        assert 250 < max(counts) < 700


def test_d28_length_of_random_play() -> None:
    # 60 to 63 plays in the source.
    game = arena.game("doudizhu/rlcard")
    played = game.core.play([PlayTask(["random"] * 3, seed, seed) for seed in range(3000)])
    assert 58 < sum(one.plies for one in played) / len(played) < 65
