"""Parts of a plan that workers are given, and the terms on which they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum


class BlockState(IntEnum):
    """Where one block is."""

    QUEUED = 0
    LEASED = 1
    DONE = 2
    VOID = 3
    SPARED = 4
    """Behind the block at which its cell was stopped: planned, and not needed."""


@dataclass(frozen=True, slots=True)
class LeaseTerms:
    """How leases are sized, and how long and how often something is tried."""

    target_seconds: float = 2.0
    """Play that one lease should hold: short enough to lose, long enough to be cheap."""

    leases_per_worker: int = 2
    """One being played and one waiting, so that no worker waits for the driver."""

    patience_seconds: float = 600.0
    """A worker that brings nothing for so long has lost its leases."""

    tries: int = 3
    """Failures of a block, or of reaching an engine, before it is parked."""

    backoff_seconds: float = 1.0
    """Wait before the second try; doubled before each further one."""


@dataclass(frozen=True, slots=True)
class CellTerms:
    """What there is to know of a cell here."""

    blocks: int
    engines: tuple[str, ...]
    """Engine ids; an engine that cannot be reached parks its cells."""

    cpus: float = 1.0
    """Cores that a worker and the programs it starts for the cell keep busy."""

    gpus: float = 0.0
    """GPUs of those programs."""

    limited: tuple[str, ...] = ()
    """Engines that several workers reach alike, each of which may have as many games at once as
    the engine takes: one worker at a time plays them, until it is known that they take any."""

    at_once: int = 1
    """Blocks that are played side by side: a smaller lease would waste the worker."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Blocks ``start`` to ``stop - 1`` of a cell."""

    cell: int
    start: int
    stop: int

    def blocks(self) -> Iterator[tuple[int, int]]:
        """(cell, block) of each."""
        return ((self.cell, block) for block in range(self.start, self.stop))


@dataclass(frozen=True, slots=True)
class Lease:
    """A part of the plan that one worker is to play."""

    id: int
    worker: str
    slices: tuple[Slice, ...]
