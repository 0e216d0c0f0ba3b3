"""What a seat sees, typed."""

from __future__ import annotations

import json
from dataclasses import dataclass

from arena.games.contract import Seat


@dataclass(frozen=True, slots=True)
class Call:
    """An answer to the question who wants to be landlord."""

    seat: Seat
    call: str


@dataclass(frozen=True, slots=True)
class Play:
    """Cards put down, ranks low to high; no cards and kind "pass" for a pass."""

    seat: Seat
    cards: str
    kind: str


@dataclass(frozen=True, slots=True)
class ToBeat:
    """The play that the next one must beat."""

    seat: Seat
    cards: str
    kind: str
    main: str
    """Ranks of the part that is compared."""


@dataclass(frozen=True, slots=True)
class Result:
    """How the deal ended."""

    winner: str
    """ "landlord" or "peasants"."""

    spring: bool
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """A table from one chair. docs/games/doudizhu.md explains the members."""

    phase: str
    seat: Seat | None
    deal: int
    first: Seat
    face: str | None
    landlord: Seat | None
    base: int
    times: int
    kitty: str | None
    hand: str
    counts: tuple[int, ...]
    gone: str
    calls: tuple[Call, ...]
    plays: tuple[Play, ...]
    to_beat: ToBeat | None
    passes: int
    seat_to_act: Seat | None
    hands: tuple[str, ...]
    result: Result | None

    @classmethod
    def from_json(cls, text: str) -> Observation:
        """Read `State.observe`. Raises ValueError for text that is not an observation."""
        try:
            data = json.loads(text)
            beat, result = data["to_beat"], data["result"]
            return cls(
                phase=str(data["phase"]),
                seat=_seat(data["seat"]),
                deal=int(data["deal"]),
                first=Seat(int(data["first"])),
                face=data["face"],
                landlord=_seat(data["landlord"]),
                base=int(data["base"]),
                times=int(data["times"]),
                kitty=data["kitty"],
                hand=str(data["hand"]),
                counts=tuple(data["counts"]),
                gone=str(data["gone"]),
                calls=tuple(Call(Seat(c["seat"]), c["call"]) for c in data["calls"]),
                plays=tuple(Play(Seat(p["seat"]), p["cards"], p["kind"]) for p in data["plays"]),
                to_beat=None if beat is None else ToBeat(**beat),
                passes=int(data["passes"]),
                seat_to_act=_seat(data["seat_to_act"]),
                hands=tuple(data["hands"]),
                result=None
                if result is None
                else Result(result["winner"], result["spring"], tuple(result["points"])),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not an observation of Dou Dizhu: {error!r}") from None


def _seat(value: int | None) -> Seat | None:
    return None if value is None else Seat(int(value))
