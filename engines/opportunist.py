"""An example of an engine as a class: "python:engines.opportunist:Opportunist".

The same class can be served over gRPC: ``serve(Opportunist())``.
"""

from __future__ import annotations

from arena._core import Rng, derive_seed
from arena.sdk import Bot, Decision, Turn


class Opportunist(Bot):
    """Wins at once where it can, else plays any legal move. For games without hidden parts."""

    name = "Opportunist"
    games = ("gomoku/*", "chinese_checkers/*")

    def choose(self, turn: Turn) -> Decision:
        """Tries every move on a copy of the position."""
        state = turn.state()
        moves = state.moves(turn.seat)
        for index in range(len(moves)):
            after = state.clone()
            after.apply(turn.seat, moves[index])
            outcome = after.outcome()
            if outcome is not None and outcome.scores[turn.seat] == 1.0:
                return Decision(moves[index], value=1.0, comment="wins")
        # Seed and ply are all of its randomness: the same game again is the same game.
        rng = Rng(derive_seed(turn.seed, turn.ply))
        return Decision(state.sample_move(turn.seat, rng))
