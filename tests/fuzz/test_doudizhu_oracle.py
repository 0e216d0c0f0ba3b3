"""Dou Dizhu, the compiled core beside the slow rules.

Whole deals from short hands (every move of every position is compared), and layouts of random
card sets of any size. ARENA_FUZZ_SECONDS makes each test run longer (see tests/fuzz/budget.py);
`-s` shows how many positions were compared:

    ARENA_FUZZ_SECONDS=300 pytest -s -o timeout=0 tests/fuzz/test_doudizhu_oracle.py
"""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

import arena
from arena._core import IllegalReason
from arena.games import family
from tests.fuzz.budget import seeds
from tests.oracles.doudizhu import RANKS, Doudizhu, Layouts

BOOKS = tuple(family("doudizhu").rulebooks)
PACK = "3456789TJQKA2" * 4 + "BR"
DEALS = 40
"""Deals that share their rules and ranks, and so the layouts that were thought about."""

CHOICES: dict[str, list[bool | int | str | None]] = {
    "call": ["bid123_once", "bid123_rounds", "call_grab"],
    "all_pass": ["redeal", "first_caller", "draw"],
    "max_redeals": [0, 2],
    "trio_single": [True, False],
    "trio_pair": [True, False],
    "plane_singles": [True, False],
    "plane_pairs": [True, False],
    "quad_singles": ["none", "different", "pair", "any"],
    "quad_pairs": ["none", "different", "any"],
    "kicker_repeat": [1, 2, 3, 4],
    "kicker_adjacent_triple": [True, False],
    "kicker_both_jokers": [True, False],
    "bomb_doubles": [1, 2, 3],
    "rocket_doubles": [1, 2, 3],
    "grab_doubles": [1, 2, 3],
    "spring": [1, 2, 3],
    "cap": [None, 1, 6, 24],
    "unplayed_bombs_count": [True, False],
}


def any_rules(rng: random.Random) -> arena.Game:
    """A rulebook, or settings drawn one by one."""
    if rng.random() < 0.4:
        return arena.game(f"doudizhu/{rng.choice(BOOKS)}")
    settings = {name: rng.choice(values) for name, values in CHOICES.items()}
    if int(str(settings["kicker_repeat"])) < 3:
        settings["kicker_adjacent_triple"] = False
    return arena.game("doudizhu/doc003", **settings)


def in_order(cards: list[str]) -> str:
    return "".join(sorted(cards, key=RANKS.index))


def few_ranks(rng: random.Random) -> str:
    """Neighbours, so that triples, fours and chains are frequent; jokers are added by deal."""
    low = rng.randrange(0, 9)
    return RANKS[low : low + rng.randint(3, 6)].replace("B", "").replace("R", "")


def short_deal(rng: random.Random, ranks: str, layouts: Layouts) -> tuple[str, Doudizhu]:
    """A deal of few cards of these ranks."""
    pack = [rank for rank in PACK if rank in ranks or (rank in "BR" and rng.random() < 0.7)]
    rng.shuffle(pack)
    size = min(rng.randint(2, 9), (len(pack) - 2) // 3)
    hands = [in_order(pack[size * i : size * (i + 1)]) for i in range(3)]
    kitty = in_order(pack[3 * size : 3 * size + 2])
    first = rng.randrange(3)
    text = f"seed={rng.randrange(1000)} first={first} hands={'/'.join(hands)} kitty={kitty}"
    slow = Doudizhu(layouts, hands, kitty, first)
    if layouts.rules["call"] == "fixed":
        hands[first] = in_order([*hands[first], *kitty])
        text = f"first={first} landlord={first} hands={'/'.join(hands)} kitty={kitty}"
    return text, slow


def same_deal(
    rng: random.Random, game: arena.Game, text: str, slow: Doudizhu, met: Counter[str]
) -> None:
    """Plays a deal to its end, or to the redeal."""
    state = game.new_state(setup=text)
    label = game.label
    while True:
        where = f"{label} from {state.setup()!r}"
        seen = json.loads(state.observe(arena.SPECTATOR))
        assert (not state.seats_to_act()) == slow.over, where
        assert seen["landlord"] == slow.landlord, where
        if slow.landlord is not None:
            assert (seen["base"], seen["times"]) == (slow.base, slow.times), where
        met["positions"] += 1
        if slow.over:
            outcome = state.outcome()
            assert outcome is not None
            points = [0, 0, 0] if seen["result"] is None else seen["result"]["points"]
            assert points == slow.points(), where
            if slow.landlord is not None:
                told = outcome.measures
                assert told["landlord_points"] == points[slow.landlord], where
                assert told["peasant_points"] == points[slow.landlord - 1], where
            for seat in range(3):
                if slow.passed_out:
                    assert outcome.scores[seat] == 0.5, where
                else:
                    assert (outcome.places[seat] == 1) == (points[seat] > 0), where
            met["deals"] += 1
            return
        assert state.seats_to_act() == {slow.turn}, where
        assert json.loads(state.observe(slow.turn))["hand"] == slow.hand(slow.turn), where
        legal = slow.legal()
        assert {str(move) for move in state.moves(slow.turn)} == legal, where
        met["moves"] += len(legal)
        wishes = [move for move in legal if move != "pass"]
        move = rng.choice(sorted(wishes if wishes and rng.random() < 0.6 else legal))
        state.apply(slow.turn, move)
        slow.play(move)
        if slow.again:
            assert json.loads(state.observe(arena.SPECTATOR))["deal"] == 1, where
            met["redeals"] += 1
            return


def test_whole_deals_agree() -> None:
    met: Counter[str] = Counter()
    for seed in seeds(8):
        rng = random.Random(seed)
        game, ranks = any_rules(rng), few_ranks(rng)
        layouts = Layouts(game.rules.settings())
        for _ in range(DEALS):
            same_deal(rng, game, *short_deal(rng, ranks, layouts), met)
    print(f"\ndoudizhu, whole deals: {dict(met)}")
    assert met["positions"] > 1000


def likely(rng: random.Random) -> str:
    """Cards that often make a type: a chain of equal groups with something attached."""
    times, length = rng.choice([1, 2, 3, 3, 3, 4]), rng.randint(1, 6)
    low = rng.randrange(0, 14 - length)
    cards = [rank for rank in RANKS[low : low + length] for _ in range(times)]
    for _ in range(rng.randint(0, length)):
        cards += [rng.choice(RANKS)] * rng.choice([1, 1, 1, 2, 2, 3, 4])
    if rng.random() < 0.1:
        cards += "BR"
    return in_order(cards)


@pytest.mark.parametrize("book", BOOKS)
def test_layouts_agree(book: str) -> None:
    game = arena.game(f"doudizhu/{book}")
    settings = game.rules.settings()
    valid = tried = 0
    for seed in seeds(1500):
        rng = random.Random(seed)
        cards = likely(rng)
        count = Counter(cards)
        if len(cards) > 20 or any(count[rank] > PACK.count(rank) for rank in count):
            continue
        tried += 1
        layouts = Layouts(settings)
        rest = list((Counter(PACK) - count).elements())
        state = game.new_state(setup=f"landlord=0 hands={cards}/{rest[0]}/{rest[1]}")
        found = layouts.of(cards)
        valid += bool(found)
        for reading in found:
            refusal = state.check(0, layouts.text(cards, reading))
            assert refusal is None, (cards, reading, refusal)
        if not found:
            refusal = state.check(0, f"play {cards}")
            assert refusal is not None, cards
            assert refusal.reason == IllegalReason.not_a_unit, cards
        whole = {str(move) for move in state.moves(0) if f"{move} ".startswith(f"play {cards} ")}
        assert whole == {layouts.text(cards, reading) for reading in found}, cards
    print(f"\ndoudizhu/{book}, layouts: {tried} card sets, {valid} of them a type")
    assert valid > 100
