"""A digest of everything that a bot was told in a game, to hold against the arena's own.

The text of a turn is a line for each part of it that is about the game; docs/bot-authors.md sets it
out for other languages. Observations have to come as text for it, not as typed fields alone.
"""

from __future__ import annotations

from hashlib import sha256

from arena.protocol.v1 import bot_pb2
from arena.sdk.turn import Turn


def linked(head: bytes, text: str) -> bytes:
    """The digest of all texts so far: SHA-256 over the one before and the next text."""
    try:
        data = text.encode()
    except UnicodeEncodeError:  # a bot's own words may hold anything
        data = text.encode("utf-8", "surrogatepass")
    return sha256(head + data).digest()


class Receipt:
    """What one seat of one game was told so far. `head` is what `arena audit` calls its digest."""

    def __init__(self) -> None:
        """Nothing so far."""
        self._before = self._head = b""
        self._revision: int | None = None

    def add(self, turn: Turn) -> None:
        """Takes a turn; one that comes again after a lost connection counts once."""
        text = turn_text(turn.message)
        if self._revision == turn.message.revision and self._head == linked(self._before, text):
            return
        self._revision = turn.message.revision
        self._before, self._head = self._head, linked(self._head, text)

    @property
    def head(self) -> str:
        """64 hex digits; empty before the first turn."""
        return self._head.hex()


def turn_text(turn: bot_pb2.Turn) -> str:
    """The text of a turn that is hashed."""
    lines = [f"ply {turn.ply}", f"observation {turn.observation}"]
    if turn.position:
        lines.append(f"position {turn.position}")
    for event in turn.events:
        seat = event.seat if event.HasField("seat") else "-"
        lines.append(f"event {event.kind} {seat} {event.text}")
    if turn.requirements:
        lines.append(f"requirements {turn.requirements}")
    if turn.HasField("legal_moves"):
        lines.append("moves complete" if turn.legal_moves.complete else "moves partial")
        lines += turn.legal_moves.moves
    if turn.draw_offers:
        lines.append(f"draw_offers {' '.join(map(str, turn.draw_offers))}")
    if turn.refused:
        lines.append(f"refused {turn.refused}")
    return "\n".join(lines)
