"""What a seat sees, typed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games.contract import SPECTATOR, Game, Seat, State
from arena.games.tuolaji.words import ladder

Cards = tuple[str, ...]
"""Card texts in canonical order."""


@dataclass(frozen=True, slots=True)
class Play:
    """Cards that a seat put into a trick."""

    seat: Seat
    cards: Cards
    reading: str | None
    """Of a lead that is not read in the default way: its tractors, or "groups"."""

    thrown: Cards | None
    """The throw that failed and left these cards."""

    dead: bool
    """Whether it cannot win: its seat was fined for a wrong card."""


@dataclass(frozen=True, slots=True)
class Trick:
    """One trick, running or done."""

    leader: Seat
    plays: tuple[Play, ...]
    winner: Seat | None
    points: int


@dataclass(frozen=True, slots=True)
class Call:
    """A call as this seat saw it."""

    seat: Seat
    add: bool
    cards: Cards | None
    """None where they lie face down for this seat."""

    count: int
    """Cards of the calling rank."""

    token: str | None


@dataclass(frozen=True, slots=True)
class Result:
    """How the hand ended."""

    winner: int
    """Side."""

    change: bool
    """Whether the attackers took over."""

    gain: int
    points: int
    pot: int
    match: int | None
    """Side that won the match; None: drawn, or the game is one hand."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A table from one chair. docs/games/tuolaji.md explains the members."""

    phase: str
    seat: Seat | None
    unit: str
    hand: int
    levels: tuple[str, str]
    laps: tuple[int, int]
    level: str | None
    dealer: Seat | None
    opening: bool
    turned: str | None
    trump: str | None
    hand_cards: Cards
    counts: tuple[int, ...]
    drawn: int
    calls: tuple[Call, ...]
    seat_to_act: Seat | None
    """In phases choose, bury and play; who is asked otherwise is not for everybody."""

    asked: bool
    """Whether this viewer is to act."""

    kitty: Cards | None
    kitty_count: int
    burier: Seat | None
    shown: tuple[tuple[Seat, Cards], ...]
    """Cards that everybody knows to be a seat's, seats without any left out."""

    leader: Seat | None
    trick: Trick | None
    last_trick: Trick | None
    tricks: tuple[Trick, ...]
    points: int | None
    result: Result | None

    @classmethod
    def from_json(cls, text: str) -> Observation:
        """Read `State.observe`. Raises ValueError for text that is not an observation."""
        try:
            data = json.loads(text)
            result = data["result"]
            return cls(
                phase=str(data["phase"]),
                seat=_seat(data["seat"]),
                unit=str(data["unit"]),
                hand=int(data["hand"]),
                levels=(data["levels"][0], data["levels"][1]),
                laps=(data["laps"][0], data["laps"][1]),
                level=data["level"],
                dealer=_seat(data["dealer"]),
                opening=bool(data["opening"]),
                turned=data["turned"],
                trump=data["trump"],
                hand_cards=tuple(data["hand_cards"]),
                counts=tuple(data["counts"]),
                drawn=int(data["drawn"]),
                calls=tuple(_call(call) for call in data["calls"]),
                seat_to_act=_seat(data["seat_to_act"]),
                asked=bool(data["asked"]),
                kitty=_cards(data["kitty"]),
                kitty_count=int(data["kitty_count"]),
                burier=_seat(data["burier"]),
                shown=tuple((Seat(int(s["seat"])), tuple(s["cards"])) for s in data["shown"]),
                leader=_seat(data["leader"]),
                trick=_trick(data["trick"]),
                last_trick=_trick(data["last_trick"]),
                tricks=tuple(t for t in map(_trick, data["tricks"]) if t is not None),
                points=data["points"],
                result=None if result is None else Result(**result),
            )
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise ValueError(f"not an observation of Tuolaji: {error!r}") from None


def climbed(game: Game, state: State) -> tuple[int, int]:
    """Steps that each side has gone up the ladder since the game began, laps included."""
    seen = Observation.from_json(state.observe(SPECTATOR))
    settings = game.rules.settings()
    ranks = ladder(str(settings["levels"]))
    start = str(settings["hand_levels"])
    foot = [ranks[0]] * 2 if seen.unit == "match" or start == "start" else start.split(":")
    a, b = (
        laps * len(ranks) + ranks.index(level) - ranks.index(low)
        for laps, level, low in zip(seen.laps, seen.levels, foot, strict=True)
    )
    return a, b


def _seat(value: int | None) -> Seat | None:
    return None if value is None else Seat(int(value))


def _cards(value: Sequence[str] | None) -> Cards | None:
    return None if value is None else tuple(value)


def _call(data: Mapping[str, Any]) -> Call:
    return Call(
        Seat(int(data["seat"])),
        bool(data["add"]),
        _cards(data["cards"]),
        int(data["count"]),
        data["token"],
    )


def _trick(data: Mapping[str, Any] | None) -> Trick | None:
    if data is None:
        return None
    plays = tuple(
        Play(Seat(int(p["seat"])), tuple(p["cards"]), p["reading"], _cards(p["thrown"]), p["dead"])
        for p in data["plays"]
    )
    return Trick(Seat(int(data["leader"])), plays, _seat(data["winner"]), int(data["points"]))
