"""Beside RLCard, where it is installed: equal legal plays, and `greedy` against its rule model.

RLCard 1.2.0 (`pip install rlcard termcolor`), rulebook `doudizhu/rlcard`; no differences are known.
ARENA_FUZZ_SECONDS compares more deals (see tests/fuzz/budget.py).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import arena
from tests.fuzz.budget import seeds

RANKS = "3456789TJQKA2BR"
GAME = arena.game("doudizhu/rlcard")

rlcard = pytest.importorskip("rlcard", reason="RLCard is not installed")


def ordered(cards: str) -> str:
    return cards if cards == "pass" else "".join(sorted(cards, key=RANKS.index))


@dataclass
class Pair:
    """One deal at both tables."""

    ours: arena.State
    theirs: Any
    seen: dict[str, Any]
    """What the seat to act sees over there."""

    @property
    def seat(self) -> int:
        (seat,) = self.ours.seats_to_act()
        return int(seat)

    def play(self, action: str) -> None:
        """One of RLCard's actions at both tables."""
        cards = ordered(action)
        self.ours.apply(self.seat, cards if cards == "pass" else f"play {cards}")
        self.seen, seat = self.theirs.step(action)
        assert not self.ours.seats_to_act() or seat == self.seat

    def action(self, move: str) -> str:
        """RLCard's text of one of our moves."""
        cards = move.removeprefix("play ").partition(" as ")[0]
        actions: list[str] = self.seen["actions"]
        return next(action for action in actions if ordered(action) == cards)


def deal(seed: int) -> Pair:
    """RLCard deals; its landlord is seat 0."""
    from rlcard.games.doudizhu.game import DoudizhuGame
    from rlcard.games.doudizhu.utils import cards2str

    theirs = DoudizhuGame()
    theirs.np_random = np.random.RandomState(seed)
    seen, seat = theirs.init_game()
    assert seat == 0
    hands = "/".join(ordered(cards2str(player.current_hand)) for player in theirs.players)
    ours = GAME.new_state(setup=f"landlord=0 hands={hands}")
    return Pair(ours, theirs, seen)


def test_legal_plays_are_equal() -> None:
    positions = moves = 0
    for seed in seeds(20):
        pair, rng = deal(seed), random.Random(seed)
        while pair.ours.seats_to_act():
            actions = sorted(pair.seen["actions"])
            legal = {str(move) for move in pair.ours.moves(pair.seat)}
            cards = {move.removeprefix("play ").partition(" as ")[0] for move in legal}
            assert cards == {ordered(action) for action in actions}, pair.ours.setup()
            positions += 1
            moves += len(actions)
            pair.play(rng.choice(actions))
    print(f"\ndoudizhu beside RLCard: {positions} positions, {moves} moves")
    assert positions > 1000


def landlord_wins(greedy_is_landlord: bool, deals: int) -> int:
    """Deals that the landlord wins, the other side played by RLCard's rule model."""
    from rlcard.models.doudizhu_rule_models import DouDizhuRuleAgentV1

    model = DouDizhuRuleAgentV1()
    greedy = GAME.core.engine("greedy")
    np.random.seed(1)
    wins = 0
    for seed in range(deals):
        pair = deal(seed)
        while pair.ours.seats_to_act():
            if (pair.seat == 0) == greedy_is_landlord:
                move, _ = greedy.choose(pair.ours, pair.seat)
                pair.play(pair.action(str(move)))
            else:
                pair.play(model.step({"raw_obs": pair.seen}))
        outcome = pair.ours.outcome()
        assert outcome is not None
        wins += outcome.scores[0] == 1.0
    return wins


def test_greedy_beats_the_rule_model() -> None:
    deals = 150
    share = (landlord_wins(True, deals) + deals - landlord_wins(False, deals)) / (2 * deals)
    print(f"\ngreedy wins {share:.1%} of {deals} deals, each played from both sides")
    assert share > 0.6
