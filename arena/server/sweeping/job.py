"""What the service and the process of a sweep say to each other: one line of JSON each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from arena.plan.spec import SandboxEntry
from arena.players.spec import EngineKind

FILE = "sweep.toml"
"""What errors call the text that a researcher sent."""


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Job(_Line):
    """What a process is to do. It gives up when its standard input ends."""

    toml: str
    most_cells: int
    ledger: Path | None = None
    """Where results go; None: the file is only planned."""

    workers: int | None = None
    address: str | None = None
    """As of `arena sweep`."""

    targets: Mapping[str, str] = {}
    """For engines at an address: the address to dial for it, which the service has looked at."""

    sandbox: SandboxEntry | None = None
    """For programs whose table names none."""


class PlannedEngine(_Line):
    """An engine that the file names. (The rungs of the ladder are the arena's own.)"""

    name: str
    kind: EngineKind
    target: str
    place: str
    """Where the file names it: what an error about it begins with."""

    line: int | None
    setting: str
    """The same for programs."""


class PlannedCell(_Line):
    """A cell, in games."""

    id: str
    rulebook: str
    lineup: tuple[str, ...]
    """Engine ids by seat, in the first game of a block."""

    games: int


class Planned(_Line):
    """What a file means."""

    kind: Literal["planned"] = "planned"
    name: str
    digest: str
    games: int
    engines: tuple[PlannedEngine, ...]
    cells: tuple[PlannedCell, ...]
    remarks: tuple[str, ...]
    """What was left out, and what was merged."""


class CellTally(_Line):
    """How far a cell is, in games."""

    done: int = 0
    spared: int = 0
    void: int = 0
    faults: int = 0


class Tally(_Line):
    """How far a sweep is."""

    kind: Literal["tally"] = "tally"
    cells: tuple[CellTally, ...] = ()
    """In the order of the plan; empty before it was begun."""

    faults: Mapping[str, int] = {}
    """Games by termination, of those that are some engine's fault."""

    @property
    def totals(self) -> CellTally:
        """All cells together."""
        return CellTally(
            done=sum(cell.done for cell in self.cells),
            spared=sum(cell.spared for cell in self.cells),
            void=sum(cell.void for cell in self.cells),
            faults=sum(cell.faults for cell in self.cells),
        )


class Refused(_Line):
    """What is wrong with the file."""

    kind: Literal["refused"] = "refused"
    message: str
    """As `arena plan` says it."""

    line: int | None = None
    setting: str = ""


class Ended(_Line):
    """The process is through."""

    kind: Literal["ended"] = "ended"
    tally: Tally | None
    """None: it was told to end before it had begun."""

    interrupted: bool
    remarks: tuple[str, ...] = ()


class Broken(_Line):
    """A mistake of ours, or of the machine's."""

    kind: Literal["broken"] = "broken"
    words: str
    """For the operator's log, and nobody else."""


Report = Planned | Tally | Refused | Ended | Broken

_REPORTS: TypeAdapter[Report] = TypeAdapter(Annotated[Report, Field(discriminator="kind")])


def report_of(line: bytes) -> Report:
    """A report of its line. Raises ValueError."""
    return _REPORTS.validate_json(line)
