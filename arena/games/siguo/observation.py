"""What a seat sees, typed."""

from __future__ import annotations

import json
from dataclasses import dataclass

from arena.games.contract import Seat


@dataclass(frozen=True, slots=True)
class SeatView:
    """What everybody knows of a seat."""

    home: str
    """S, E, N or W."""

    team: int
    placed: bool
    """Whether its units are in place."""

    out: str | None
    """Why it is out: "flag_captured", "no_move", "timeout_limit", "resignation"."""

    timeouts: int


@dataclass(frozen=True, slots=True)
class UnitView:
    """A unit: its public history, and what the viewer can tell of its rank."""

    unit: int
    """Its number for the whole game."""

    seat: Seat
    """Whose it is now; its army is unit // 25."""

    at: str | None
    """Its point; None once it is off the board."""

    start: str | None
    """Where it began."""

    moves: int
    ranks: str
    """Every rank it can still be; one letter where that is settled."""


@dataclass(frozen=True, slots=True)
class FightView:
    """A fight as everybody saw it."""

    ply: int
    at: str
    attacker: int
    defender: int
    result: str
    """Who is left: "attacker", "defender", or "both_lost"."""

    flag: bool
    """Whether a flag was taken."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A board from one chair. docs/games/siguo.md explains the members."""

    phase: str
    """ "layout", "play", "over"."""

    seat: Seat | None
    to_act: tuple[Seat, ...]
    layout: str | None
    """One's own line-up while others are still placing theirs."""

    ply: int
    quiet: int
    """Moves since the last fight."""

    seats: tuple[SeatView, ...]
    units: tuple[UnitView, ...]
    fights: tuple[FightView, ...]

    @classmethod
    def from_json(cls, text: str) -> Observation:
        """Read `State.observe`. Raises ValueError for text that is not an observation."""
        try:
            data = json.loads(text)
            seat = data["seat"]
            return cls(
                phase=str(data["phase"]),
                seat=None if seat is None else Seat(int(seat)),
                to_act=tuple(Seat(int(s)) for s in data["to_act"]),
                layout=data["layout"],
                ply=int(data["ply"]),
                quiet=int(data["quiet"]),
                seats=tuple(SeatView(**s) for s in data["seats"]),
                units=tuple(UnitView(**u) for u in data["units"]),
                fights=tuple(FightView(**f) for f in data["fights"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not an observation of Siguo Junqi: {error!r}") from None
