"""What a seat sees, typed: the observation JSON of the core as a frozen value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arena.games.contract import Seat


class Side(StrEnum):
    """The two armies; Red is seat 0."""

    RED = "red"
    BLACK = "black"


@dataclass(frozen=True, slots=True)
class Man:
    """A man on its point."""

    letter: str
    """FEN letter: KABNRCP for Red, kabnrcp for Black."""

    file: int
    """0 to 8 from Red's left."""

    rank: int
    """0 to 9 from Red's side."""

    @property
    def side(self) -> Side:
        """Whose man it is."""
        return Side.RED if self.letter.isupper() else Side.BLACK


@dataclass(frozen=True, slots=True)
class XiangqiObservation:
    """A position as every seat and spectator sees it: nothing is hidden."""

    board: str
    """Board part of a FEN, Black's back rank first."""

    to_move: Side
    to_act: Seat | None
    check: bool
    """Whether the side to move is in check."""

    plies: int
    quiet: int
    """Plies counted to the natural move limit."""

    checks: tuple[int, int]
    """Checks of Red and Black since the last capture."""

    occurrences: int
    """How often this position has occurred."""

    last: str | None
    since_board: str
    """Board after the last capture or forward step of a soldier."""

    since_to_move: Side
    since: tuple[str, ...]
    """Moves from there: what repetition is judged on."""

    fouls: tuple[int, int]
    """Technical fouls of Red and Black."""

    @classmethod
    def from_json(cls, text: str) -> XiangqiObservation:
        """Read `State.observe`. Raises ValueError or KeyError for anything else."""
        data: dict[str, Any] = json.loads(text)
        return cls(
            board=data["board"],
            to_move=Side(data["to_move"]),
            to_act=None if data["to_act"] is None else Seat(data["to_act"]),
            check=data["check"],
            plies=data["plies"],
            quiet=data["quiet"],
            checks=(data["checks"][0], data["checks"][1]),
            occurrences=data["occurrences"],
            last=data["last"],
            since_board=data["since_board"],
            since_to_move=Side(data["since_to_move"]),
            since=tuple(data["since"]),
            fouls=(data["fouls"][0], data["fouls"][1]),
        )

    def men(self) -> Iterator[Man]:
        """Every man on the board."""
        return men_of(self.board)


def men_of(board: str) -> Iterator[Man]:
    """The men of a board text."""
    for down, row in enumerate(board.split("/")):
        file = 0
        for sign in row:
            if sign.isdigit():
                file += int(sign)
            else:
                yield Man(sign, file, 9 - down)
                file += 1
