"""Random games of Siguo Junqi, the compiled core beside the slow rules.

At every ply: seats to act, the whole set of legal moves and one drawn from it, a text that is
mostly illegal, the outcome. At some: what a seat and the public may know, with the ranks that
every unit can still be, and a drawn world, which must play like the true one for who cannot tell
them apart.
ARENA_FUZZ_SECONDS makes each test run longer (see tests/fuzz/budget.py); `-s` shows what was met:

    ARENA_FUZZ_SECONDS=300 pytest -s tests/fuzz/test_siguo_oracle.py
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

import arena
from arena.games import family
from tests.fuzz.budget import seeds
from tests.fuzz.siguo_pair import Pair

BOOKS = [f"siguo/{book}" for book in family("siguo").rulebooks]

CHOICES: dict[str, list[bool | int | str | None]] = {
    "visibility": ["dark", "double_bright", "half_bright", "bright"],
    "turn_order": ["ccw", "cw"],
    "mine_vs_piece": ["mine_survives", "both_die"],
    "bomb_vs_flag": ["both_and_out", "bomb_lost"],
    "commander_reveals_flag": [True, False],
    "combat_disclosure": ["result_only", "ranks"],
    "eliminated_pieces": ["remove", "stay", "to_captor"],
    "no_move": ["eliminated", "pass"],
    "quiet_unit": ["ply", "round"],
    "quiet_reset": ["fight", "any_removal"],
    "timeout_limit": [None, 1, 2, 5],
    "turn_cap": [None, 3, 20, 100],
    "short_game": [None, None, 10, 40],
    "layout_source": ["player", "random", "book"],
    "hq_locks": ["any", "own_only", "none"],
}


def random_settings(rng: random.Random) -> dict[str, bool | int | str | None]:
    """Any settings that the page allows."""
    settings = {name: rng.choice(values) for name, values in CHOICES.items()}
    settings["board"] = rng.choice(["siguo129"] * 3 + ["luzhanqi60"])
    settings["seats"] = rng.choice([2, 3, 4, 4]) if settings["board"] == "siguo129" else 2
    settings["teams"] = rng.choice(["opposite", "ffa"]) if settings["seats"] == 4 else "ffa"
    if settings["teams"] == "ffa" and settings["visibility"] == "double_bright":
        settings["visibility"] = "dark"
    settings["quiet_limit"] = rng.choice([1, 5, 20, 70])
    if settings["turn_cap"] is not None and rng.random() < 0.3:
        settings["quiet_limit"] = None
    return settings


def play_beside(game: arena.Game, seed: int, met: Counter[str], plies: int) -> None:
    """One game to its end, or so many plies of it."""
    pair = Pair(game, random.Random(f"{game.name} {seed}"), met)
    for _ in range(plies):
        pair.compare()
        if pair.slow.ended:
            break
        pair.step()
    else:
        pair.compare()
    met["games"] += 1
    if pair.slow.ended:
        met[f"ended {pair.slow.ended.termination}"] += 1


def summary(met: Counter[str]) -> dict[str, int]:
    """The counts, fights by ranks folded into how many different ones there were."""
    fights = {name for name in met if " x " in name}
    folded = {name: number for name, number in met.items() if name not in fights}
    return dict(sorted(folded.items())) | {"different fights, of 120": len(fights)}


@pytest.mark.parametrize("name", BOOKS)
def test_rulebooks(name: str) -> None:
    met: Counter[str] = Counter()
    for seed in seeds(5):
        play_beside(arena.game(name), seed, met, plies=250)
    print(f"\n{name}: {summary(met)}")
    assert met["positions"] > 100


def test_random_settings() -> None:
    met: Counter[str] = Counter()
    for seed in seeds(60):
        rng = random.Random(f"settings {seed}")
        game = arena.game(rng.choice(BOOKS), **random_settings(rng))
        play_beside(game, seed, met, plies=rng.choice([20, 100, 300]))
    print(f"\nrandom settings: {summary(met)}")
    for kind in (
        "flag_captured",
        "no_move",
        "timeout_limit",
        "resignation",
        "quiet_limit",
        "turn_cap",
    ):
        assert met[f"ended {kind}"] >= 1, met
    assert met["worlds that differ"] > 0, met
