"""A bot that plays any legal move, in every game."""

from __future__ import annotations

from arena.sdk import Bot, Turn


class Legal(Bot):
    """The first move that is sent along."""

    games = ("*",)
    wants_legal_moves = True

    def choose(self, turn: Turn) -> str:
        """The first one."""
        return turn.legal[0]
