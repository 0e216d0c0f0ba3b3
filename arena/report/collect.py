"""What the ledger says about sweeps, cells and engines: counted once, for every page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from arena._core import Termination
from arena.ledger import CellRow, OpenBlock, ReplayedBlock, SweepRow, VoidBlock

if TYPE_CHECKING:
    from arena.ledger import CellGames, GameTable, Ledger

FAULTS = (
    Termination.timeout,
    Termination.disconnect,
    Termination.crash,
    Termination.illegal_move,
    Termination.protocol_error,
    Termination.interrupted,
)
"""Endings that are somebody's fault and no result of play."""

_Block = TypeVar("_Block", OpenBlock, VoidBlock)

UNDERPLAYED = 0.5
"""An engine with a smaller share of its planned games is flagged."""


@dataclass(frozen=True, slots=True)
class Fault:
    """How often one engine ended its games by one kind of fault."""

    engine: str
    termination: Termination
    games: int


@dataclass(frozen=True, slots=True)
class EngineCell:
    """What one engine did in one cell."""

    cell: CellRow
    games: int
    seats: int
    """Chairs taken, summed over the games: two a game in self-play of two seats."""

    score: float
    """Mean over those chairs."""

    faults: int


@dataclass(frozen=True, slots=True)
class CellCount:
    """How far one cell is."""

    cell: CellRow
    blocks: int
    """Complete and not void."""

    games: int
    planned_games: int
    faults: int
    half: tuple[OpenBlock, ...]
    void: tuple[VoidBlock, ...]

    @property
    def missing(self) -> int:
        """Blocks without any game: not played yet, parked, or refused by an engine."""
        return max(0, self.cell.planned_blocks - self.blocks - len(self.half) - len(self.void))


@dataclass(frozen=True, slots=True)
class EngineCount:
    """How far one engine is, over all of its cells."""

    engine: str
    planned: int
    """Games it was to take part in."""

    games: int
    half: int
    """Games of half-finished blocks planned with it; `void` and `missing` likewise."""

    void: int
    missing: int
    faults: tuple[Fault, ...]
    cells: tuple[EngineCell, ...]

    @property
    def share(self) -> float:
        """Share of the planned games that count."""
        return self.games / self.planned if self.planned else 1.0

    @property
    def underplayed(self) -> bool:
        """Whether so few planned games were played that its numbers need care."""
        return self.share < UNDERPLAYED


@dataclass(frozen=True, slots=True)
class SweepCount:
    """One sweep with its cells in plan order."""

    sweep: SweepRow
    cells: tuple[CellCount, ...]
    replayed: tuple[tuple[CellRow, ReplayedBlock], ...] = ()
    """Blocks whose first results were dropped by hand, so that they were played again."""

    @property
    def planned(self) -> int:
        """Games planned."""
        return sum(cell.planned_games for cell in self.cells)

    @property
    def games(self) -> int:
        """Games in complete blocks."""
        return sum(cell.games for cell in self.cells)

    @property
    def faults(self) -> int:
        """Games that a fault ended."""
        return sum(cell.faults for cell in self.cells)

    @property
    def half(self) -> tuple[tuple[CellRow, OpenBlock], ...]:
        """Half-finished blocks: they stay out of every statistic (R24)."""
        return tuple((cell.cell, block) for cell in self.cells for block in cell.half)

    @property
    def void(self) -> tuple[tuple[CellRow, VoidBlock], ...]:
        """Blocks taken out by hand, with the reason."""
        return tuple((cell.cell, block) for cell in self.cells for block in cell.void)


@dataclass(frozen=True, slots=True)
class Collected:
    """Everything counted."""

    sweeps: tuple[SweepCount, ...]
    """By name and id: the time of a sweep is no part of a report."""

    engines: tuple[EngineCount, ...]
    """By id."""

    families: tuple[str, ...]
    tables: dict[str, GameTable]
    """By family, over all sweeps."""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults, by engine and kind."""
        return tuple(fault for engine in self.engines for fault in engine.faults)


def collect(ledger: Ledger, sweep_id: str | None = None) -> Collected:
    """Count one sweep, or all of a ledger. Raises ValueError where there is none."""
    rows = [row for row in ledger.sweeps() if sweep_id in (None, row.sweep_id)]
    if not rows:
        raise ValueError(f"no sweep '{sweep_id}' in the ledger" if sweep_id else "an empty ledger")
    rows.sort(key=lambda row: (row.name, row.sweep_id))
    tally = _Tally()
    sweeps = []
    for row in rows:
        table = ledger.table(row.sweep_id)
        games = {played.cell.cell_id: played for played in table.by_cell()}
        voided = ledger.voided(row.sweep_id)
        taken = {(block.cell_id, block.block) for block in voided}
        opened = ledger.open_blocks(row.sweep_id)
        half = _by_cell([b for b in opened if (b.cell_id, b.block) not in taken])
        void = _by_cell(voided)
        cells = []
        for cell in ledger.cells(row.sweep_id):
            played = games.get(cell.cell_id)
            count = CellCount(
                cell=cell,
                blocks=len(played.block) if played else 0,
                games=len(played.block) * len(cell.seatings) if played else 0,
                planned_games=cell.planned_blocks * len(cell.seatings),
                faults=_faults(played, table.termination_names) if played else 0,
                half=tuple(half[cell.cell_id]),
                void=tuple(void[cell.cell_id]),
            )
            tally.add(count, played, table.termination_names)
            cells.append(count)
        row_of = {count.cell.cell_id: count.cell for count in cells}
        again = tuple((row_of[each.cell_id], each) for each in ledger.replayed(row.sweep_id))
        sweeps.append(SweepCount(row, tuple(cells), again))
    families = sorted({cell.cell.family for sweep in sweeps for cell in sweep.cells})
    tables = {family: ledger.table(sweep_id, family=family) for family in families}
    return Collected(tuple(sweeps), tally.engines(), tuple(families), tables)


class _Tally:
    """Sums by engine while cells go by."""

    def __init__(self) -> None:
        self._planned: Counter[str] = Counter()
        self._games: Counter[str] = Counter()
        self._half: Counter[str] = Counter()
        self._void: Counter[str] = Counter()
        self._missing: Counter[str] = Counter()
        self._faults: dict[str, Counter[Termination]] = defaultdict(Counter)
        self._cells: dict[str, list[EngineCell]] = defaultdict(list)

    def add(self, count: CellCount, played: CellGames | None, terminations: Sequence[str]) -> None:
        cell = count.cell
        for engine in sorted(set(cell.lineup)):
            takes_part = sum(engine in seating for seating in cell.seatings)
            self._planned[engine] += cell.planned_blocks * takes_part
            self._games[engine] += count.blocks * takes_part
            self._half[engine] += len(count.half) * takes_part
            self._void[engine] += len(count.void) * takes_part
            self._missing[engine] += count.missing * takes_part
            seats, points, faults = 0, 0.0, 0
            if played is not None:
                chairs = np.array(
                    [[who == engine for who in seating] for seating in cell.seatings], dtype=bool
                )
                seats = int(chairs.sum()) * count.blocks
                points = float(played.scores.sum(axis=0)[chairs].sum())
                faults = self._add_faults(engine, played, chairs, terminations)
            self._cells[engine].append(
                EngineCell(
                    cell=cell,
                    games=count.blocks * takes_part,
                    seats=seats,
                    score=points / seats if seats else 0.0,
                    faults=faults,
                )
            )

    def _add_faults(
        self,
        engine: str,
        played: CellGames,
        chairs: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
        terminations: Sequence[str],
    ) -> int:
        total = 0
        for fault in FAULTS:
            if fault.name not in terminations:
                continue
            ended = played.termination == terminations.index(fault.name)
            for permutation, seat in zip(*np.nonzero(chairs), strict=True):
                games = int(
                    (ended[:, permutation] & (played.culprit[:, permutation] == seat)).sum()
                )
                if games:
                    self._faults[engine][fault] += games
                    total += games
        return total

    def engines(self) -> tuple[EngineCount, ...]:
        return tuple(
            EngineCount(
                engine=engine,
                planned=self._planned[engine],
                games=self._games[engine],
                half=self._half[engine],
                void=self._void[engine],
                missing=self._missing[engine],
                faults=tuple(
                    Fault(engine, fault, self._faults[engine][fault])
                    for fault in FAULTS
                    if self._faults[engine][fault]
                ),
                cells=tuple(self._cells[engine]),
            )
            for engine in sorted(self._planned)
        )


def _faults(played: CellGames, terminations: Sequence[str]) -> int:
    wanted = [terminations.index(f.name) for f in FAULTS if f.name in terminations]
    return int(np.isin(played.termination, wanted).sum())


def _by_cell(blocks: Sequence[_Block]) -> dict[str, list[_Block]]:
    found: dict[str, list[_Block]] = defaultdict(list)
    for block in sorted(blocks, key=lambda b: (b.cell_id, b.block)):
        found[block.cell_id].append(block)
    return found
