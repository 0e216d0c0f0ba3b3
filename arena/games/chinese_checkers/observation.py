"""What a seat sees, typed. Everybody sees everything."""

from __future__ import annotations

import json
from dataclasses import dataclass

from arena.games.chinese_checkers.rules import Board
from arena.games.contract import Seat


@dataclass(frozen=True, slots=True)
class SetView:
    """The pieces of one colour."""

    home: str
    """Tip where it started, "N"."""

    target: str
    """Tip where it goes, "S"."""

    seat: Seat
    holes: tuple[str, ...]
    """Sorted by letter, then number."""


@dataclass(frozen=True, slots=True)
class Finisher:
    """A seat that has filled its targets."""

    seat: Seat
    turn: int
    """With which of its own turns, from 1."""

    place: int


@dataclass(frozen=True, slots=True)
class Observation:
    """A position."""

    board: Board
    seat_to_act: Seat | None
    """None when the game is over."""

    round: int
    sets: tuple[SetView, ...]
    """Clockwise from the north by home."""

    finished: tuple[Finisher, ...]
    """In order of finish."""

    out: tuple[Seat, ...]
    """Seats that have lost for passive play."""

    may_join: tuple[Seat, ...]
    """Unfinished seats that may still share a finisher's place."""

    @classmethod
    def from_json(cls, text: str) -> Observation:
        """Read `State.observe`. Raises ValueError for text that is not an observation."""
        try:
            data = json.loads(text)
            to_act = data["seat_to_act"]
            return cls(
                board=Board(data["board"]),
                seat_to_act=None if to_act is None else Seat(int(to_act)),
                round=int(data["round"]),
                sets=tuple(
                    SetView(s["home"], s["target"], Seat(int(s["seat"])), tuple(s["holes"]))
                    for s in data["sets"]
                ),
                finished=tuple(
                    Finisher(Seat(int(f["seat"])), int(f["turn"]), int(f["place"]))
                    for f in data["finished"]
                ),
                out=tuple(Seat(int(seat)) for seat in data["out"]),
                may_join=tuple(Seat(int(seat)) for seat in data["may_join"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not an observation of Chinese checkers: {error!r}") from None
