"""What a seat is told with its turn, and a log that proves it afterwards.

Whatever reaches a program over the protocol about the game itself is a `View`. Its text is hashed
as the turn is written, and the digests of a game are chained, so that a log takes a few bytes a
turn; `arena audit` replays the record and comes to the same digests, or says at which turn not.
docs/bot-authors.md has the text, so that a bot can keep the same digest.

Not part of it: the name of the game, revision, clocks, limit and seed, which hold nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena._core import Events, State
from arena.games import SPECTATOR
from arena.ledger.result import LINK_BYTES, Told, Words
from arena.sdk.receipt import linked


class View(NamedTuple):
    """Everything about a game that goes out with a turn."""

    ply: int
    observation: str
    position: str
    """Where all seats see everything; else empty."""

    events: tuple[tuple[str, int | None, str], ...]
    """Kind, seat (None: nobody's doing) and text, as the seat may see them."""

    requirements: str
    moves: tuple[str, ...] | None
    """Canonical texts, for bots that ask for them."""

    complete: bool


def view(
    state: State, seat: int, full_information: bool, events: Iterable[Events], with_moves: bool
) -> View:
    """What a seat that owes a move is told; `events` are all since its last turn."""
    seen: list[tuple[str, int | None, str]] = []
    for batch in events:
        for event in batch:
            text = event.seen_by(seat)
            if text:
                who = event.seat
                seen.append((event.kind, None if who == SPECTATOR else who, text))
    requirements = "" if full_information else state.requirements(seat)
    listed: tuple[str, ...] | None = None
    complete = False
    if with_moves:
        moves = state.moves(seat)
        listed = tuple([str(moves[i]) for i in range(len(moves))])
        complete = moves.complete
    return View(
        state.plies,
        state.observe(seat),
        state.setup() if full_information else "",
        tuple(seen),
        "" if requirements == "null" else requirements,
        listed,
        complete,
    )


def text_of(told: View, draw_offers: Sequence[int] = (), refused: str = "") -> str:
    """A view, and the words that came with it, as the text that is hashed: a line for each part."""
    lines = [f"ply {told.ply}\nobservation {told.observation}"]
    if told.position:
        lines.append(f"position {told.position}")
    for kind, seat, text in told.events:
        lines.append(f"event {kind} {'-' if seat is None else seat} {text}")
    if told.requirements:
        lines.append(f"requirements {told.requirements}")
    if told.moves is not None:
        lines.append("moves complete" if told.complete else "moves partial")
        lines += told.moves
    if draw_offers:
        lines.append(f"draw_offers {' '.join(map(str, draw_offers))}")
    if refused:
        lines.append(f"refused {refused}")
    return "\n".join(lines)


class SeatLog:
    """What one seat was told in one game."""

    __slots__ = (
        "_before",
        "_flips",
        "_head",
        "_links",
        "_listing",
        "_plies",
        "_revision",
        "_words",
    )

    def __init__(self) -> None:
        """Nothing so far."""
        self._before = self._head = b""
        self._plies: list[int] = []
        self._links = bytearray()
        self._flips: list[int] = []
        self._listing = False
        self._words: list[Words] = []
        self._revision: int | None = None

    def add(
        self,
        revision: int,
        told: View,
        draw_offers: Sequence[int] = (),
        refused: str = "",
        answer: str = "",
    ) -> None:
        """A turn goes out. The same turn again, after a lost connection, tells nothing new."""
        text = text_of(told, draw_offers, refused)
        if revision == self._revision and self._head == linked(self._before, text):
            return
        self._revision = revision
        self._before, self._head = self._head, linked(self._head, text)
        if (told.moves is not None) != self._listing:
            self._listing = not self._listing
            self._flips.append(len(self._plies))
        if draw_offers or refused:
            self._words.append((len(self._plies), tuple(draw_offers), refused, answer))
        self._plies.append(told.ply)
        self._links += self._head[:LINK_BYTES]

    def told(self) -> Told | None:
        """As it is kept; None where the seat was told nothing."""
        if not self._plies:
            return None
        return Told(
            tuple(self._plies),
            self._links.hex(),
            self._head.hex(),
            tuple(self._flips),
            tuple(self._words),
        )
