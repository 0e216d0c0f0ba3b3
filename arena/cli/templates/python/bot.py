"""{{name}}: a bot. Start it with `python bot.py`, and look at README.md for the next step."""

from __future__ import annotations

import random

from arena.sdk import Bot, Decision, Turn, serve


class MyBot(Bot):
    """Plays random legal moves, in every game there is."""

    name = "{{name}}"
    version = "1"  # a new build is a new version
    games = ("*",)  # such as ("gomoku/*", "xiangqi/cxa")
    # Without it, `turn.legal` works only where a seat sees everything.
    wants_legal_moves = True

    def load(self) -> None:
        """Read weights and tables here: the arena waits, and is told so."""

    def choose(self, turn: Turn) -> Decision:
        """The move for one turn. `turn` holds all there is to know; keep no books on games."""
        legal = turn.legal
        # The same turn gets the same answer, so that games can be played again.
        chance = random.Random(turn.seed + turn.ply)
        return Decision(chance.choice(legal), comment=f"one of {len(legal)}")


if __name__ == "__main__":
    serve(MyBot())
