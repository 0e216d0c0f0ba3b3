"""Legal moves beside OpenSpiel's, from the first call to the end of the deal.

Two differences are known, and counted: it drops every chain of singles, pairs or triples whose
lowest rank is held four times, and it lets a bomb beat the rocket. ARENA_FUZZ_SECONDS compares
more deals (tests/fuzz/budget.py).
"""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

import arena
from tests.fuzz.budget import seeds

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

RANKS = "3456789TJQKA2BR"
CHAINS = ("straight", "pair_chain", "trio_chain")


def ordered(cards: str) -> str:
    plain = cards.replace("(BWJ)", "B").replace("(CJ)", "R").replace("-", "")
    return "".join(sorted(plain, key=RANKS.index))


def read(action: str) -> str:
    """One of OpenSpiel's action texts as our move, without a named main part."""
    if action == "Pass":
        return "pass"
    return action.lower() if action.startswith("Bid") else f"play {ordered(action)}"


def hands_of(picture: str) -> list[str]:
    """Its picture has seat 1 on the left, seat 2 on the right and seat 0 below, a rank a line."""
    lines = [line.ljust(40) for line in picture.split("\n")[:30]]
    left = "".join(line[:16].strip() for line in lines[:15])
    right = "".join(line[16:].strip() for line in lines[:15])
    return [ordered(cards) for cards in ("".join(line.strip() for line in lines[15:]), left, right)]


def kind_of(state: arena.State, move: str) -> str:
    after = state.clone()
    (seat,) = state.seats_to_act()
    after.apply(seat, move)
    return str(json.loads(after.observe(seat))["plays"][-1]["kind"])


def test_legal_moves_are_equal_but_for_its_defects() -> None:
    game = arena.game("doudizhu/openspiel")
    load: Any = pyspiel.load_game("dou_dizhu")
    met: Counter[str] = Counter()
    for seed in seeds(25):
        rng = random.Random(seed)
        theirs = load.new_initial_state()
        while theirs.is_chance_node():
            theirs.apply_action(rng.choice(theirs.legal_actions()))
        hands = hands_of(str(theirs))
        kitty = Counter("3456789TJQKA2" * 4 + "BR") - Counter("".join(hands))
        line = f"first={theirs.current_player()} hands={'/'.join(hands)}"
        ours = game.new_state(setup=f"{line} kitty={ordered(''.join(kitty.elements()))}")
        while not theirs.is_terminal():
            seat = theirs.current_player()
            assert ours.seats_to_act() == {seat}
            known = {read(theirs.action_to_string(seat, a)): a for a in theirs.legal_actions()}
            found = {str(move).partition(" as ")[0] for move in ours.moves(seat)}
            hand = json.loads(ours.observe(seat))["hand"]
            dropped = found - set(known)
            for move in dropped:
                assert kind_of(ours, move) in CHAINS, move
                assert hand.count(move[5]) == 4, move
            added = set(known) - found
            for move in added:
                assert json.loads(ours.observe(seat))["to_beat"]["kind"] == "rocket", ours.setup()
                assert len(move) == len("play 3333"), move
                assert len(set(move[5:])) == 1, move
            met["positions"] += 1
            met["moves"] += len(found)
            met["dropped there"] += len(dropped)
            met["added there"] += len(added)
            move = rng.choice(sorted(set(known) - added))
            theirs.apply_action(known[move])
            ours.apply(seat, move)
        assert not ours.seats_to_act()
    print(f"\ndoudizhu beside OpenSpiel: {dict(met)}")
    assert met["positions"] > 1000
