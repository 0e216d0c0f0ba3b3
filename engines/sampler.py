"""An example of an engine that draws its moves by chance and says by what chances.

"python:engines.sampler:Sampler". Statistics take the luck of such draws off its results.
"""

from __future__ import annotations

import math

from arena._core import Rng, derive_seed
from arena.sdk import Bot, Decision, Turn


class Sampler(Bot):
    """Likes to get rid of many cards at once, and draws by that."""

    name = "Sampler"
    games = ("doudizhu/*",)
    wants_legal_moves = True

    warmth = 2.0
    """How many cards more make a move e times as likely."""

    def choose(self, turn: Turn) -> Decision:
        """Each legal move by its chance."""
        moves = list(turn.legal)
        weights = [math.exp(_cards(move) / self.warmth) for move in moves]
        total = sum(weights)
        policy = tuple((move, weight / total) for move, weight in zip(moves, weights, strict=True))
        left = Rng(derive_seed(turn.seed, turn.ply)).uniform()
        for move, chance in policy:
            left -= chance
            if left < 0:
                return Decision(move, policy=policy, drawn=True)
        return Decision(moves[-1], policy=policy, drawn=True)


def _cards(move: str) -> int:
    words = move.split()
    return len(words[1]) if words[0] == "play" else 0
