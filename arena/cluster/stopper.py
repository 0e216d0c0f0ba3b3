"""Which cells of a sweep may end before their plan: `[stop]` of the sweep file.

Short games come in first. So that they are not listened to first, every decision here is a
function of blocks in planned order, up to the first that is missing, in whole batches: it is
the same whatever arrived when, on however many workers, in one run or in ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.cluster.allotter import Allotter
from arena.cluster.prefix import CellStop, Prefix, Width
from arena.ledger import CellRow, GameResult
from arena.ledger.table import GameTable
from arena.plan import Cell, Plan
from arena.plan.spec import Stop, StopTest
from arena.plan.unused import cells_of_test, chairs, method_of
from arena.ratings.sequential import Hypotheses, Method, Scale
from arena.ratings.stopping import Decision, SequentialTest, Verdict, beaten, steps_of

Floats = NDArray[np.float64]


class Stopper:
    """Hears of every finished block; says which cells have enough of them."""

    def __init__(self, plan: Plan, stop: Stop) -> None:
        """Nothing is decided before anything is played."""
        self._widths = (
            [Width(cell, stop.half_width or 0.0, stop.batch) for cell in plan.cells]
            if stop.sprt is None
            else []
        )
        self._allotter = Allotter(plan, stop, self._widths) if stop.total is not None else None
        self._test = _Test(plan, stop.sprt, stop.batch) if stop.sprt else None
        self._decided: set[int] = set()

    def load(self, table: GameTable, rows: Sequence[CellRow], plan: Plan) -> None:
        """What a ledger holds already, from complete blocks that are not void.

        Cells that were stopped before stay as they are, whatever was voided since.
        """
        index = {cell.id: cell.index for cell in plan.cells}
        for row in rows:
            if row.stop:
                self._decided.add(index[row.cell_id])
                if self._allotter is not None:
                    self._allotter.ends[index[row.cell_id]] = row.planned_blocks
        for part in table.by_cell():
            cell = index[part.cell.cell_id]
            for block, scores in zip(part.block.tolist(), part.scores, strict=True):
                self._hear(cell, block, scores)

    def add(self, cell: int, block: int, results: Sequence[GameResult]) -> None:
        """A block that has come in."""
        ordered = sorted(results, key=lambda result: result.permutation)
        self._hear(cell, block, np.array([result.scores for result in ordered]))

    def skip(self, cell: int, block: int) -> None:
        """A block that somebody took out by hand: those behind it do not wait for it."""
        self._hear(cell, block, None)

    def _hear(self, cell: int, block: int, scores: Floats | None) -> None:
        if self._widths:
            self._widths[cell].add(block, scores)
        if self._test is not None:
            self._test.add(cell, block, scores)

    def decisions(self) -> list[CellStop]:
        """The cells that may end, each said once. A test's word comes before a width's."""
        found = []
        candidates: list[Iterable[CellStop]] = [self._test.stops()] if self._test else []
        if self._allotter is not None:
            candidates.append(self._allotter.grow())
        else:
            candidates.append(stop for width in self._widths if (stop := width.stop()) is not None)
        for stops in candidates:
            for stop in stops:
                if stop.cell not in self._decided:
                    self._decided.add(stop.cell)
                    found.append(stop)
        return found

    def limits(self) -> Sequence[int] | None:
        """Blocks of each cell that may be played so far; None: those of the plan."""
        return self._allotter.limits if self._allotter is not None else None

    def notes(self) -> list[str]:
        """What the test says at the end of a run, or where the blocks went."""
        if self._allotter is not None:
            return [self._allotter.note()]
        return [self._test.note()] if self._test is not None else []


class _Group(NamedTuple):
    """Cells of the same rules: block n of each of them is played from the same deal."""

    cells: list[Cell]
    steps: int
    blocks: int


class _Test:
    """One sequential test over all cells in which an engine meets others."""

    def __init__(self, plan: Plan, test: StopTest, batch: int) -> None:
        self._spec = test
        self._method = Method(method_of(test, plan))
        usual = Scale.NORMALISED if self._method is Method.GSPRT else Scale.LOGISTIC
        self._hypotheses = Hypotheses(
            test.elo0, test.elo1, Scale(test.scale or usual), test.alpha, test.beta
        )
        self._batch = batch
        self._chairs = {
            cell.index: np.array(chairs(test, cell))
            for cells in cells_of_test(test, plan)
            for cell in cells
        }
        self._groups = [
            _Group(
                cells,
                sum(steps_of(self._chairs[cell.index]) for cell in cells),
                cells[0].blocks,
            )
            for cells in cells_of_test(test, plan)
        ]
        first = self._groups[0]
        games = sum(len(cell.seatings) for cell in first.cells)
        self._running = SequentialTest(self._hypotheses, games, first.steps, batch, self._method)
        self._prefixes = {cell: Prefix() for cell in self._chairs}
        self._beaten: dict[int, list[int | None]] = {cell: [] for cell in self._chairs}
        # Block 0 of every group in plan order, then block 1, as `stopping.schedule` has it.
        self._order = [
            (group, block)
            for block in range(max(group.blocks for group in self._groups))
            for group in self._groups
            if block < group.blocks
        ]
        self._at = 0
        """Where in the order the prefix ends."""

        self._scores: list[float] = []
        self._places: list[int] = []
        """Of each score in the order, from 1."""

        self._looked = 0
        self._verdict: Verdict | None = None

    def add(self, cell: int, block: int, scores: Floats | None) -> None:
        if cell in self._prefixes:
            for each in self._prefixes[cell].take(block, scores):
                won = None if each is None else beaten(each, self._chairs[cell])
                self._beaten[cell].append(won)

    def stops(self) -> list[CellStop]:
        done = self._verdict is not None and self._verdict.decision is not Decision.GO_ON
        if done or not self._grown():
            return []
        self._verdict = self._running.look(np.array(self._scores))
        if self._verdict.decision is Decision.GO_ON:
            return []
        used = self._order[: self._places[self._verdict.blocks - 1]]
        reason = (
            f"test of {self._spec.engine}: {self._verdict.decision} accepted, "
            f"{self._weight} {self._verdict.llr:.2f}{self._estimate(self._verdict)}"
        )
        return [
            CellStop(cell.index, sum(each is group for each, _ in used), reason)
            for group in self._groups
            for cell in group.cells
        ]

    def _grown(self) -> bool:
        """Whether there is a new batch to look at."""
        while self._at < len(self._order):
            group, block = self._order[self._at]
            found = [self._beaten[cell.index] for cell in group.cells]
            if any(len(each) <= block for each in found):
                break
            self._at += 1
            won = [each[block] for each in found]
            known = [each for each in won if each is not None]
            # A deal of which a block was taken out is passed over.
            if len(known) == len(won):
                self._scores.append(sum(known) / group.steps)
                self._places.append(self._at)
        batches = len(self._scores) // self._batch
        if batches == self._looked:
            return False
        self._looked = batches
        return True

    def note(self) -> str:
        test, verdict = self._spec, self._verdict
        versus = f" against {test.against}" if test.against else ""
        said = f"test of {test.engine}{versus} ({self._method}), {self._hypotheses.scale} Elo "
        said += f"{test.elo0:g} or {test.elo1:g}: "
        if verdict is None:
            return said + "no batch of blocks is there yet"
        unit = "blocks" if all(len(group.cells) == 1 for group in self._groups) else "deals"
        said += (
            f"{verdict.decision} after {verdict.blocks:,} {unit}, {self._weight} {verdict.llr:.2f}"
        )
        said += f" ({verdict.lower:.2f} to {verdict.upper:.2f})"
        said += self._estimate(verdict)
        if verdict.estimate is None and verdict.decision is not Decision.GO_ON:
            said += f"; these {unit} bound no estimate"
        return said

    @property
    def _weight(self) -> str:
        return "LLR" if self._method is Method.GSPRT else "log e-value"

    def _estimate(self, verdict: Verdict) -> str:
        value = verdict.estimate
        if value is None:
            return ""
        return (
            f"; median-unbiased {self._hypotheses.scale} Elo {value.value:+.1f} "
            f"[{value.low:+.1f} … {value.high:+.1f}]"
        )
