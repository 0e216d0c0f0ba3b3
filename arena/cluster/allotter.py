"""Which cells the next blocks go to, where a sweep has fewer to play than planned: `[stop] total`.

Blocks are allotted in rounds of about one batch a cell. A cell that has less than its floor of an
even share goes first, then whichever has the widest interval. A round is decided by the results of
all rounds but the last one, which keeps workers busy meanwhile, and by nothing that has come
in besides: it is a function of the plan and the results, whatever arrived when, in one run or in ten.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from arena.cluster.prefix import CellStop, Width
from arena.plan import Plan
from arena.plan.spec import Stop

_AHEAD = 2
"""Rounds that are being played while their results decide nothing yet."""


class Allotter:
    """Deals out `stop.total` blocks. Cells that are narrow enough, or at their end, get no more."""

    def __init__(self, plan: Plan, stop: Stop, widths: Sequence[Width]) -> None:
        """`widths` hear of every block; they are looked at here only."""
        assert stop.total is not None
        self._total, self._floor, self._batch = stop.total, stop.floor, stop.batch
        self._widths = widths
        self._labels = [cell.label for cell in plan.cells]
        self._most = [cell.blocks for cell in plan.cells]
        self.limits = [0] * len(widths)
        """Blocks of each cell that may be played so far."""

        self.ends = list(self._most)
        """Blocks that each cell can have: fewer where an earlier run stopped it."""

        self._rounds: list[list[int]] = []
        """`limits` after each round."""

        self._closed: set[int] = set()
        self._spent = 0
        self._over = False

    def grow(self) -> list[CellStop]:
        """Allot what may be allotted now; the cells whose last block is known by it."""
        found = []
        while not self._over:
            known = self._rounds[-_AHEAD] if len(self._rounds) >= _AHEAD else [0] * len(self.limits)
            if any(
                width.seen < min(blocks, self.ends[cell])
                for cell, (width, blocks) in enumerate(zip(self._widths, known, strict=True))
                if cell not in self._closed
            ):
                break
            for cell, blocks in enumerate(known):
                if cell not in self._closed:
                    stop = self._widths[cell].stop(blocks)
                    if stop is not None:
                        self._closed.add(cell)
                        found.append(stop)
            self._deal(known)
        if self._over:
            found += [
                CellStop(cell, blocks, f"{blocks:,} of {self._total:,} blocks in all allotted")
                for cell, blocks in enumerate(self.limits)
                if cell not in self._closed
            ]
        return found

    def _deal(self, known: Sequence[int]) -> None:
        """One round."""
        open_cells = len(self.limits) - len(self._closed)
        for _ in range(open_cells):
            cell = self._next(known)
            if cell is None or self._spent >= self._total:
                self._over = True
                return
            more = min(self._batch, self._most[cell] - self.limits[cell], self._total - self._spent)
            self.limits[cell] += more
            self._spent += more
        self._rounds.append(list(self.limits))
        self._over = self._spent >= self._total or not open_cells

    def _next(self, known: Sequence[int]) -> int | None:
        """Who gets the next batch; None: nobody needs any."""
        wanting = [
            cell
            for cell, most in enumerate(self._most)
            if cell not in self._closed and self.limits[cell] < most
        ]
        if not wanting:
            return None
        least = min(wanting, key=lambda cell: (self.limits[cell], cell))
        if self.limits[least] < self._floor * self._spent / len(self.limits):
            return least

        def need(cell: int) -> tuple[float, int, int]:
            """The half-width to expect of what is allotted, the widest first."""
            allotted = self.limits[cell]
            width = (
                self._widths[cell].half_width * math.sqrt(known[cell] / allotted)
                if known[cell]
                else math.inf
            )
            return -width, allotted, cell

        return min(wanting, key=need)

    def note(self) -> str:
        """Where the blocks went."""
        most = max(range(len(self.limits)), key=lambda cell: (self.limits[cell], -cell))
        least = min(range(len(self.limits)), key=lambda cell: (self.limits[cell], cell))
        return (
            f"{self._spent:,} of {self._total:,} blocks allotted: most, {self.limits[most]:,}, to "
            f"{self._labels[most]}; fewest, {self.limits[least]:,}, to {self._labels[least]}"
        )
