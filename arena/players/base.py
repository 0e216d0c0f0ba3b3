"""What a player is to the referee, and what the referee is to a player."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from arena._core import Events, State
from arena.games import Game
from arena.players.fault import EngineUnavailable, Fault
from arena.players.spec import EngineSpec
from arena.players.told import SeatLog


@dataclass(slots=True)
class Answer:
    """A player's answer to an `Ask`, whatever way it came."""

    move: str = ""
    resign: bool = False
    offer_draw: bool = False
    accept_draw: bool = False
    claim: str = ""
    value: float | None = None
    comment: str = ""
    law: tuple[tuple[str, float], ...] = ()
    """The chances that the move was drawn by, adding up to 1; empty where it was not drawn."""

    failure: str = ""
    """The engine's own words where it failed over this turn."""


class ClockReading(Protocol):
    """What one seat has left, in milliseconds and counts."""

    @property
    def main_ms(self) -> int | None:
        """Of the base, the period or the move; None where no clock runs."""
        ...

    @property
    def bank_ms(self) -> int:
        """Of the time bank."""
        ...

    @property
    def moves_left(self) -> int:
        """Moves to the end of the period."""
        ...

    @property
    def periods_left(self) -> int:
        """Byo-yomi periods."""
        ...

    @property
    def period_ms(self) -> int:
        """Length of one of them."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of every wait for an engine, in milliseconds; see `MatchPolicy` for meanings."""

    connect_ms: int
    ready_ms: int
    ready_cap_ms: int
    new_game_ms: int
    ping_ms: int
    disconnect_grace_ms: int
    network_allowance_ms: int
    reconnects: int
    crashes: int
    max_message_bytes: int


class Verdict(Enum):
    """What became of an answer."""

    ACCEPTED = auto()
    STALE = auto()
    DUPLICATE = auto()
    GAME_OVER = auto()
    ILLEGAL = auto()
    MALFORMED = auto()
    NOTHING_TO_CLAIM = auto()


class Judge(Protocol):
    """A game in progress, as a player sees the referee."""

    @property
    def game_id(self) -> str:
        """Name of the game; unique among those that go on."""
        ...

    @property
    def game(self) -> Game:
        """The rules."""
        ...

    @property
    def state(self) -> State:
        """The whole truth. It does not change while a turn is owed."""
        ...

    def answered(
        self, ask: Ask, answer: Answer, spent_ms: float, network_ms: float
    ) -> tuple[Verdict, str]:
        """Takes an answer: what became of it, and a sentence about it.

        `spent_ms` since the turn was sent; `network_ms` of that on the way.
        """
        ...

    def failed(self, ask: Ask, fault: Fault) -> None:
        """Ends the game by a fault of the asked seat."""
        ...

    def abort(self, reason: EngineUnavailable) -> None:
        """Gives the game up without a result."""
        ...

    def remark(self, text: str) -> None:
        """Adds a line to the record's notes."""
        ...


@dataclass(slots=True, eq=False)
class Ask:
    """One seat's turn, from being owed to being answered. Compared by identity."""

    table: Judge
    seat: int
    revision: int
    limit_ms: int
    """By clock or cap; what the player is told."""

    clocks: Sequence[ClockReading]
    """By seat; empty where no clock runs."""

    events: Sequence[Events]
    """Since the seat's last turn, one entry a move."""

    draw_offers: Sequence[int]
    seed: int
    refused: str = ""
    asked_ns: int = 0
    """Monotonic time at which it became due."""

    started_ns: int = 0
    """Monotonic time from which it is charged; 0 while the player has not got it."""

    done: bool = False
    """Answered, failed or withdrawn: nothing is owed any more."""

    drops: int = 0
    """Connections lost over this turn alone."""

    log: SeatLog | None = None
    """Takes what the player's engine is told; None where nothing is kept."""

    refused_answer: str = ""
    """What `refused` is about."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended, as players are told."""

    game_id: str
    termination: str
    scores: tuple[float, ...]
    places: tuple[int, ...]
    culprit: int | None
    message: str


class Player(ABC):
    """An engine that fills seats, any number of them at once.

    All methods are called in the runner's event loop. `ask` returns at once and never
    answers from within; the answer goes to `ask.table` from a later step of the loop.
    """

    def __init__(self, spec: EngineSpec) -> None:
        """`spec` says what engine this is."""
        self.spec = spec

    async def open(self) -> None:  # noqa: B027 - many players have nothing to do here
        """Gets ready to play; harmless when it is. Raises EngineUnavailable."""

    def unfit(self, game: Game) -> str | None:
        """Why the engine does not play these rules, or None. After `open`."""
        return None

    def capacity(self, clocked: bool) -> int | None:
        """Games it takes at once; None: any number. After `open`."""
        return None

    @abstractmethod
    def ask(self, ask: Ask) -> None:
        """Takes over a turn."""

    def withdraw(self, ask: Ask) -> None:  # noqa: B027 - optional
        """A turn is owed no more, though unanswered."""

    def game_over(self, game: Game, seats: Sequence[int], ending: Ending) -> None:  # noqa: B027 - optional
        """A game of these seats has ended."""

    def tick(self, now_ns: int) -> None:  # noqa: B027 - optional
        """Called many times a second, for limits that no answer triggers."""

    async def close(self) -> None:  # noqa: B027 - optional
        """Ends whatever was started."""
