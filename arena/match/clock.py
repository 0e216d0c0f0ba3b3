"""Clocks as plain values: numbers in, one question out.

A `TimeControl` says how much time a seat has; a `SeatClock` is what one seat has left. No
clock here reads the time: the referee measures and hands in milliseconds.

What a move may take is `limit`; a move that took longer than `limit + margin` has lost on
time *before* anything is granted for the next one, so the next period of "n moves in base"
never saves a seat that overstepped this one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Milliseconds = Annotated[int, Field(ge=0, le=1_000_000_000)]
PositiveMilliseconds = Annotated[int, Field(gt=0, le=1_000_000_000)]
Count = Annotated[int, Field(gt=0, le=100_000)]


class _Control(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Untimed(_Control):
    """No clock. Only the hard cap of a wait (`MatchPolicy.move_ms`) ends a silent move."""

    kind: Literal["none"] = "none"

    def start(self) -> SeatClock:
        """A clock at the beginning of a game."""
        return SeatClock(main_ms=None)

    def after_move(self, clock: SeatClock, spent_ms: int) -> SeatClock:
        """The clock after a move that kept within its limit."""
        return clock


class PerMove(_Control):
    """The same time for every move, nothing carried over."""

    kind: Literal["per_move"] = "per_move"
    move_ms: PositiveMilliseconds

    def start(self) -> SeatClock:
        """A clock at the beginning of a game."""
        return SeatClock(main_ms=self.move_ms)

    def after_move(self, clock: SeatClock, spent_ms: int) -> SeatClock:
        """The clock after a move that kept within its limit."""
        return SeatClock(main_ms=self.move_ms)


class Increment(_Control):
    """A base for the whole game and an increment after each move (0: sudden death)."""

    kind: Literal["increment"] = "increment"
    base_ms: PositiveMilliseconds
    increment_ms: Milliseconds = 0

    def start(self) -> SeatClock:
        """A clock at the beginning of a game."""
        return SeatClock(main_ms=self.base_ms)

    def after_move(self, clock: SeatClock, spent_ms: int) -> SeatClock:
        """The clock after a move that kept within its limit."""
        return SeatClock(main_ms=_left(clock.main_ms, spent_ms) + self.increment_ms)


class Periods(_Control):
    """`moves` moves in `base_ms`, again and again; time left is carried over."""

    kind: Literal["periods"] = "periods"
    moves: Count
    base_ms: PositiveMilliseconds
    increment_ms: Milliseconds = 0

    def start(self) -> SeatClock:
        """A clock at the beginning of a game."""
        return SeatClock(main_ms=self.base_ms, moves_left=self.moves)

    def after_move(self, clock: SeatClock, spent_ms: int) -> SeatClock:
        """The clock after a move that kept within its limit."""
        main = _left(clock.main_ms, spent_ms) + self.increment_ms
        if clock.moves_left > 1:
            return SeatClock(main_ms=main, moves_left=clock.moves_left - 1)
        return SeatClock(main_ms=main + self.base_ms, moves_left=self.moves)


class Bank(_Control):
    """Free time for every move; what a move takes beyond it comes out of a bank.

    `increment_ms` is put into the bank after each move.
    """

    kind: Literal["bank"] = "bank"
    move_ms: Milliseconds
    bank_ms: PositiveMilliseconds
    increment_ms: Milliseconds = 0

    def start(self) -> SeatClock:
        """A clock at the beginning of a game."""
        return SeatClock(main_ms=self.move_ms, bank_ms=self.bank_ms)

    def after_move(self, clock: SeatClock, spent_ms: int) -> SeatClock:
        """The clock after a move that kept within its limit."""
        drawn = max(0, spent_ms - self.move_ms)
        return SeatClock(
            main_ms=self.move_ms, bank_ms=max(0, clock.bank_ms - drawn) + self.increment_ms
        )


class Byoyomi(_Control):
    """A base; after it, `periods` periods of `period_ms`, each lost only when used up."""

    kind: Literal["byoyomi"] = "byoyomi"
    base_ms: Milliseconds
    periods: Count
    period_ms: PositiveMilliseconds

    def start(self) -> SeatClock:
        """A clock at the beginning of a game."""
        return SeatClock(main_ms=self.base_ms, periods_left=self.periods, period_ms=self.period_ms)

    def after_move(self, clock: SeatClock, spent_ms: int) -> SeatClock:
        """The clock after a move that kept within its limit."""
        over = max(0, spent_ms - (clock.main_ms or 0))
        # A move that used exactly a whole period has used that period up, but the last one
        # stays: a seat within its limit always has one more.
        used = min(over // self.period_ms, clock.periods_left - 1)
        return SeatClock(
            main_ms=_left(clock.main_ms, spent_ms),
            periods_left=clock.periods_left - used,
            period_ms=self.period_ms,
        )


TimeControl = Annotated[
    Untimed | PerMove | Increment | Periods | Bank | Byoyomi, Field(discriminator="kind")
]


@dataclass(frozen=True, slots=True)
class SeatClock:
    """What one seat has left. `main_ms` is None where nobody keeps time."""

    main_ms: int | None
    moves_left: int = 0
    """Moves to the end of this period, this one included; 0 where there are no periods."""

    bank_ms: int = 0
    periods_left: int = 0
    period_ms: int = 0

    @property
    def limit_ms(self) -> int | None:
        """What the next move may take altogether, margin not included."""
        if self.main_ms is None:
            return None
        return self.main_ms + self.bank_ms + self.periods_left * self.period_ms

    def flag_fell(self, spent_ms: int, margin_ms: int) -> bool:
        """Whether a move that took `spent_ms` (or is still taking it) has lost on time."""
        limit = self.limit_ms
        return limit is not None and spent_ms > limit + margin_ms

    def after_refusal(self, spent_ms: int) -> SeatClock:
        """The clock after an illegal move that may be made again: time is gone, nothing won."""
        if self.main_ms is None:
            return self
        over = max(0, spent_ms - self.main_ms)
        bank = max(0, self.bank_ms - over)
        over = max(0, over - self.bank_ms)
        periods = over // self.period_ms if self.period_ms else 0
        return replace(
            self,
            main_ms=_left(self.main_ms, spent_ms),
            bank_ms=bank,
            periods_left=max(0, self.periods_left - periods),
        )


def _left(main_ms: int | None, spent_ms: int) -> int:
    return max(0, (main_ms or 0) - spent_ms)
