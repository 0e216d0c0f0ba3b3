"""Balance of each cell: rules x line-up."""

from __future__ import annotations

from dataclasses import dataclass

from arena.ledger.table import GameTable
from arena.ratings.blocks import Interval


@dataclass(frozen=True, slots=True)
class SeatBalance:
    """What one seat gets. Shares are of 1; intervals are 95 % by block."""

    seat: int
    score: Interval
    """Mean score; 1/2 is even."""

    wins: Interval
    """Share of games in which the seat came first, a shared first place counted in parts."""

    place: Interval
    """Expected place, 1 is best; (seats + 1) / 2 is even, ties at the middle of their places."""


@dataclass(frozen=True, slots=True)
class RoleBalance:
    """What one role gets, whoever plays it: "black" after a swap may sit in either seat."""

    role: str
    score: Interval
    wins: Interval
    share: float
    """Seats that play this role, per game."""


@dataclass(frozen=True, slots=True)
class CellBalance:
    """Balance of one set of rules at one line-up. The block is the datum."""

    sweep_id: str
    cell_id: str
    rulebook: str
    family: str
    level: str
    """The engine of self-play, or "a vs b"."""

    seats: int
    blocks: int
    planned_blocks: int
    games: int
    by_seat: tuple[SeatBalance, ...]
    by_role: tuple[RoleBalance, ...]
    advantage: Interval | None
    """Elo of seat 0 over seat 1 from its score; two seats only. Bounds may be infinite."""

    win: Interval | None
    """Share of games seat 0 won (two seats only); `draw` and `loss` likewise."""

    draw: Interval | None
    loss: Interval | None
    plies: Interval
    terminations: tuple[tuple[str, float], ...]
    """(Termination name, share of games), largest first."""

    p_value: float
    """Of "every seat scores the same"; 1 where there are too few blocks."""

    uneven: bool
    """True where that is refuted at 5 % over all cells of the table together (Holm)."""

    notes: tuple[str, ...]


def balance(table: GameTable) -> list[CellBalance]:
    """The balance of every cell of a table that has games, in table order."""
    raise NotImplementedError
