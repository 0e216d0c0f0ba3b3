"""Bots that play at random and keep a receipt of everything they are told."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from arena.sdk import Bot, Receipt, Turn

RECEIPTS: dict[tuple[str, int], Receipt] = {}
"""By game and seat. The digests are of the messages that have arrived, whatever was logged."""


class Noted(Bot):
    """Any legal move."""

    games: ClassVar[tuple[str, ...]] = ("*",)
    wants_legal_moves = True
    wrong = 0.0
    """How often it answers nonsense, or a move of another time."""

    def choose(self, turn: Turn) -> str:
        """A move by lot."""
        RECEIPTS.setdefault((turn.game_id, turn.seat), Receipt()).add(turn)
        lot = Random(f"{turn.seed} {turn.ply} {turn.refused}")
        if lot.random() < self.wrong:
            return lot.choice(["nonsense", "play 3 4 5 6 7", "S35-S25", "play S3 H3", "bury S3"])
        return lot.choice(turn.legal)


class Careless(Noted):
    """Often wrong, so that it is refused, asked again and fined."""

    wrong = 0.2


class Plain(Noted):
    """Asks for no moves, in games where it can list them."""

    games = ("gomoku/*", "chinese_checkers/*", "xiangqi/*")
    wants_legal_moves = False
