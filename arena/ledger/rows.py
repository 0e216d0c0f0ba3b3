"""What a ledger holds beside results: sweeps, cells, voided and half-finished blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

UNENDING = 1 << 18
"""Planned blocks of a cell whose play ends when enough is known: nothing is missing of it."""


class LedgerError(Exception):
    """A ledger that cannot be opened, read or written: names it, and what would be right."""


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One sweep: the file it came from and the plan that follows from it."""

    sweep_id: str
    name: str
    spec: str
    """The text of the sweep file (TOML)."""

    seed: int
    plan_digest: str
    """Hash of the exact plan: the same sweep under another plan is refused."""

    created: str
    """ISO 8601, UTC. The first registration's stays; no number depends on it."""


@dataclass(frozen=True, slots=True)
class CellRow:
    """One cell of a sweep: one set of rules with one line-up; its blocks are exchangeable."""

    cell_id: str
    sweep_id: str
    index: int
    """Position in the plan, from 0."""

    rulebook: str
    """`Game.label`, overrides included."""

    family: str
    rules_digest: str
    settings: Mapping[str, bool | int | str | None]
    """Every setting of the rules."""

    seats: int
    lineup: tuple[str, ...]
    """Engine ids, "name@version"."""

    seatings: tuple[tuple[str, ...], ...]
    """For each permutation the engine id by seat. A block is one game of each."""

    planned_blocks: int
    """Blocks to play: those of the plan, or fewer where the cell was stopped."""

    stop: str = ""
    """Why the cell was stopped before its plan was played; empty where it was not."""

    @property
    def level(self) -> str:
        """What is measured with: one engine's id in self-play, else the ids joined by " vs "."""
        names = sorted(set(self.lineup))
        return names[0] if len(names) == 1 else " vs ".join(self.lineup)


@dataclass(frozen=True, slots=True)
class VoidBlock:
    """A block taken out of all statistics, with the reason."""

    cell_id: str
    block: int
    reason: str


@dataclass(frozen=True, slots=True)
class ReplayedBlock:
    """A block whose results were dropped so that it is played again: the trail that it leaves."""

    cell_id: str
    block: int
    time: int
    """1 for the first time that this happened to the block."""

    reason: str
    games: int
    """Results that were dropped."""

    workers: tuple[str, ...]
    """Who had played them."""


@dataclass(frozen=True, slots=True)
class OpenBlock:
    """A half-finished block: kept, listed, and no part of any statistic."""

    cell_id: str
    block: int
    games: int
    planned: int
    """Games of a whole block of this cell."""
