"""What a seat sees, typed: the observation JSON of the core as a frozen value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arena.games.contract import Seat


class Colour(StrEnum):
    """Colour of a stone."""

    BLACK = "black"
    WHITE = "white"


class Phase(StrEnum):
    """What kind of move is due; docs/games/gomoku.md says which moves each takes."""

    PLACE = "place"
    SWAP = "swap"
    CHOOSE = "choose"
    DECLARE = "declare"
    OFFER = "offer"
    SWAP_OR_OFFER = "swap_or_offer"
    PICK = "pick"
    MAIN = "main"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class GomokuObservation:
    """A position as every seat and spectator sees it: nothing is hidden."""

    size: int
    rows: tuple[str, ...]
    """From the bottom row up, one character a point: ``.``, ``b``, ``w``."""

    phase: Phase
    to_act: Seat | None
    colour: Colour | None
    """Of the stone that is due; None where a choice is due or the game is over."""

    roles: tuple[Colour, ...]
    """By seat."""

    stones: int
    moves: int
    """Stones and passes."""

    passes: int
    last: str | None
    """A point, "pass", or None."""

    claim: bool
    """Whether a claim may be made now, not whether it is right."""

    declared: int | None
    owed: int | None
    """How many points an offer must name now."""

    offers: tuple[str, ...]
    false_claims: tuple[int, ...]
    """By seat."""

    def at(self, point: str) -> Colour | None:
        """The stone on a point such as "h8", or None. Raises ValueError off the board."""
        column, row = parse_point(point, self.size)
        return {"b": Colour.BLACK, "w": Colour.WHITE}.get(self.rows[row][column])

    @classmethod
    def from_json(cls, text: str) -> GomokuObservation:
        """Read `State.observe`. Raises ValueError or KeyError for anything else."""
        data: dict[str, Any] = json.loads(text)
        return cls(
            size=data["size"],
            rows=tuple(reversed(data["board"].split("/"))),
            phase=Phase(data["phase"]),
            to_act=None if data["to_act"] is None else Seat(data["to_act"]),
            colour=None if data["colour"] is None else Colour(data["colour"]),
            roles=tuple(Colour(role) for role in data["roles"]),
            stones=data["stones"],
            moves=data["moves"],
            passes=data["passes"],
            last=data["last"],
            claim=data["claim"],
            declared=data["declared"],
            owed=data["owed"],
            offers=tuple(data["offers"]),
            false_claims=tuple(data["false_claims"]),
        )


def parse_point(point: str, size: int) -> tuple[int, int]:
    """(column, row) from 0 of a point such as "h8". Raises ValueError off the board."""
    column, digits = ord(point[:1] or "?") - ord("a"), point[1:]
    row = int(digits) - 1 if digits.isascii() and digits.isdigit() else -1
    if not (0 <= column < size and 0 <= row < size):
        last = f"{chr(ord('a') + size - 1)}{size}"
        raise ValueError(f"{point!r} is not a point of this board; points are a1 to {last}")
    return column, row


def point_text(column: int, row: int) -> str:
    """The point of a column and row counted from 0."""
    return f"{chr(ord('a') + column)}{row + 1}"
