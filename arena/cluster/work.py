"""What a worker does: rebuild the plan, play leases, bring back whole blocks.

Only the text of the sweep goes out, once, and cell and block numbers after that; results
come back for whole blocks only, so that a block never rests half-finished.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Self

from arena.cluster.lease import Lease, Slice
from arena.ledger.result import GameResult, at_host
from arena.match.request import NotPlayed
from arena.match.runner import MatchRunner
from arena.plan import Plan, rebuilt
from arena.players.fault import Unavailable

GAMES_AT_ONCE = 64
"""Games that one worker keeps going at once where engines are outside of the core."""


@dataclass(frozen=True, slots=True)
class PlayedBlock:
    """A block with all of its games."""

    cell: int
    block: int
    results: tuple[GameResult, ...]


@dataclass(frozen=True, slots=True)
class FailedBlock:
    """A block that could not be played: an error of ours, or an engine that is away."""

    cell: int
    block: int
    cause: str
    engine: str | None = None
    """Engine id, where an engine was in the way."""

    unavailable: Unavailable | None = None


@dataclass(slots=True)
class LeaseReport:
    """What became of a lease."""

    lease_id: int
    played: list[PlayedBlock] = field(default_factory=list)
    failed: list[FailedBlock] = field(default_factory=list)
    costs: list[tuple[int, int, float]] = field(default_factory=list)
    """(cell, blocks, seconds) measured."""

    seconds: float = 0.0
    unlimited: frozenset[str] = frozenset()
    """Engines at an address that take as many games at once as anybody likes, as far as is known."""


class PlanMismatch(Exception):
    """A worker understands the sweep differently: it runs another version of the package."""


class LeasePlayer:
    """Plays the leases of one plan in this process."""

    def __init__(self, worker: str, plan: Plan) -> None:
        """`worker` is the name that results carry, with that of the machine."""
        self._plan = plan
        self._runner = MatchRunner(plan.match, GAMES_AT_ONCE, at_host(worker))

    @classmethod
    def rebuilt(cls, worker: str, portable: str, digest: str) -> Self:
        """From `Plan.portable`. Raises PlanMismatch if another plan comes of it."""
        plan = rebuilt(portable)
        if plan.digest != digest:
            raise PlanMismatch(
                f"the worker's plan is {plan.digest[:16]}, the driver's {digest[:16]}: "
                "install the same version of this package on every machine"
            )
        return cls(worker, plan)

    def play(self, lease: Lease) -> LeaseReport:
        """Play every block of a lease."""
        report = LeaseReport(lease.id)
        began = time.perf_counter()
        for piece in lease.slices:
            self._play_slice(piece, report)
        report.seconds = time.perf_counter() - began
        report.unlimited = self._runner.unlimited
        return report

    def close(self) -> None:
        """End connections and started programs."""
        self._runner.close()

    def _play_slice(self, piece: Slice, report: LeaseReport) -> None:
        began = time.perf_counter()
        blocks = range(piece.start, piece.stop)
        played = len(report.played)
        left = self._try(piece.cell, blocks, report)
        for block in left:  # one at a time, to find the one that cannot be played
            self._try(piece.cell, range(block, block + 1), report)
        seconds = time.perf_counter() - began
        if len(report.played) > played:
            report.costs.append((piece.cell, len(report.played) - played, seconds))

    def _try(self, cell_index: int, blocks: range, report: LeaseReport) -> list[int]:
        """Play blocks; those left over when an error of ours ended it early."""
        requests = self._plan.requests(self._plan.cells[cell_index], blocks)
        due: dict[int, list[GameResult]] = {block: [] for block in blocks}
        try:
            for outcome in self._runner.play(requests):
                if isinstance(outcome, NotPlayed):
                    block = outcome.request.block
                    if due.pop(block, None) is not None:
                        report.failed.append(_refused(cell_index, outcome))
                elif outcome.block in due:
                    due[outcome.block].append(outcome)
                    self._collect(cell_index, outcome.block, due, report)
        except Exception as error:  # noqa: BLE001 - any error parks its block, not the sweep
            if len(blocks) > 1:
                return list(due)
            cause = f"{type(error).__name__}: {error}"
            report.failed += [FailedBlock(cell_index, block, cause) for block in due]
            return []
        report.failed += [
            FailedBlock(cell_index, block, "the match runner gave no result") for block in due
        ]
        return []

    def _collect(
        self, cell: int, block: int, due: dict[int, list[GameResult]], report: LeaseReport
    ) -> None:
        if len(due[block]) == len(self._plan.cells[cell].seatings):
            results = sorted(due.pop(block), key=lambda result: result.permutation)
            report.played.append(PlayedBlock(cell, block, tuple(results)))


def _refused(cell: int, outcome: NotPlayed) -> FailedBlock:
    return FailedBlock(cell, outcome.request.block, outcome.message, outcome.engine, outcome.cause)


__all__ = [
    "GAMES_AT_ONCE",
    "FailedBlock",
    "LeasePlayer",
    "LeaseReport",
    "PlanMismatch",
    "PlayedBlock",
]
