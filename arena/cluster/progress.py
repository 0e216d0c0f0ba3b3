"""What a running sweep says of itself, and what it says at its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

STARTING = "starting workers"
"""The first message of a run that has something to play."""


@dataclass(frozen=True, slots=True)
class CellProgress:
    """One cell of the plan, in blocks."""

    cell_id: str
    label: str
    planned: int
    done: int
    void: int
    spared: int
    games: int
    """Games done in this run."""

    faults: int
    """Games of this run that a crash, time-out, illegal move or the like ended."""


@dataclass(frozen=True, slots=True)
class WorkerProgress:
    """One worker: what it was expected to play and what it played (R40)."""

    name: str
    node: str
    """Id of its machine in the cluster; empty for this process."""

    pid: int
    alive: bool
    games: int
    games_per_second: float
    """While it was playing."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A running sweep. Blocks: ``planned = done + leased + queued + void + spared``, always."""

    planned: int
    done: int
    leased: int
    queued: int
    void: int
    spared: int
    """Blocks that a stop made needless."""

    resumed: int
    """Blocks that the ledger held already when the run began; part of `done`."""

    games_planned: int
    games_done: int
    """Of the whole plan, resumed ones included."""

    games_spared: int
    """Of blocks that a stop made needless."""

    seconds: float
    """Since the run began."""

    games_per_second: float
    """Over the last half minute or so."""

    eta_seconds: float | None
    """None until something has been measured."""

    faults: Mapping[str, int]
    """Termination word to games of this run, causes that are a player's fault only."""

    cells: tuple[CellProgress, ...]
    workers: tuple[WorkerProgress, ...]
    messages: tuple[str, ...]
    """What happened since the last report: workers lost, blocks parked, engines away."""


@dataclass(frozen=True, slots=True)
class ParkedBlock:
    """Blocks that were not played, and why."""

    cell_id: str
    label: str
    start: int
    stop: int
    cause: str
    engine: str | None = None
    """Engine id, where one could not be had."""

    @property
    def blocks(self) -> int:
        """How many blocks are parked."""
        return self.stop - self.start


@dataclass(frozen=True, slots=True)
class SweepSummary:
    """How a run ended."""

    sweep_id: str
    games_planned: int
    games_done: int
    games_void: int
    """Of blocks that somebody took out of the statistics by hand."""

    games_spared: int
    """Of blocks behind the stops of their cells."""

    games_played: int
    """In this run."""

    seconds: float
    faults: Mapping[str, int]
    """Termination word to games of the whole sweep, causes that are a player's fault only."""

    parked: tuple[ParkedBlock, ...]
    interrupted: bool
    """Whether it ended before its plan did."""

    stopped: bool
    """Whether it was asked to end, be it too late."""

    workers: tuple[WorkerProgress, ...]
    notes: tuple[str, ...]
    """Remarks for the report: cores over-subscribed, workers restarted, …."""

    @property
    def complete(self) -> bool:
        """Whether every planned game is in the ledger, was taken out by hand, or is not needed."""
        return self.games_done + self.games_void + self.games_spared == self.games_planned
