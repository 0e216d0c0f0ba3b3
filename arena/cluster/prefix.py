"""What is known of a cell: its blocks in planned order, up to the first that is missing."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from arena.plan import Cell
from arena.ratings.anytime import ConfidenceSequence

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CellStop:
    """A cell may end: only its first blocks count."""

    cell: int
    blocks: int
    reason: str


@dataclass(slots=True)
class Prefix:
    """Blocks that came early, until those before them are there."""

    next: int = 0
    early: dict[int, Floats | None] = field(default_factory=dict)

    def take(self, block: int, scores: Floats | None) -> list[Floats | None]:
        """The blocks that this one makes part of the prefix, in order; None: passed over."""
        if block >= self.next:
            self.early[block] = scores
        found = []
        while self.next in self.early:
            found.append(self.early.pop(self.next))
            self.next += 1
        return found


class Width:
    """A cell until the intervals of its scores are narrow: of seats, or of engines."""

    def __init__(self, cell: Cell, half_width: float, batch: int) -> None:
        """Nothing is known at first. A `half_width` of 0 is never reached."""
        self._cell, self._half_width, self._batch = cell, half_width, batch
        self._prefix = Prefix()
        self._waiting: list[tuple[int, Floats]] = []
        self._seen = 0
        own = [e.id for e in cell.lineup]
        seated = np.array([[own[member] for member in seating] for seating in cell.seatings])
        if len(set(own)) == 1:  # self-play: what every seat gets
            picks = np.broadcast_to(
                np.eye(len(own), dtype=bool)[:, None, :], (len(own), *seated.shape)
            )
        else:
            picks = np.array([seated == engine for engine in dict.fromkeys(own)])
        # Two scores that add up to one are equally wide.
        self._picks = picks[:1] if len(picks) == 2 else picks
        self._intervals = [ConfidenceSequence() for _ in self._picks]

    def add(self, block: int, scores: Floats | None) -> None:
        """A block that has come in; None: passed over."""
        for each in self._prefix.take(block, scores):
            self._seen += 1
            if each is not None:
                means = np.array([each[pick].mean() for pick in self._picks])
                self._waiting.append((self._seen, means))

    @property
    def seen(self) -> int:
        """Blocks of the prefix, those passed over included."""
        return self._seen

    @property
    def half_width(self) -> float:
        """Of the widest interval, after the batches that were looked at."""
        return max(interval.half_width for interval in self._intervals)

    def stop(self, known: int | None = None) -> CellStop | None:
        """Look at the whole batches that are there, of the first `known` blocks if given.

        The first after which the cell is narrow enough ends it.
        """
        while len(self._waiting) >= self._batch:
            seen = self._waiting[self._batch - 1][0]
            if known is not None and seen > known:
                return None
            values = np.array([means for _, means in self._waiting[: self._batch]])
            del self._waiting[: self._batch]
            for interval, of_one in zip(self._intervals, values.T, strict=True):
                interval.extend(of_one)
            widest = self.half_width
            if widest <= self._half_width:
                self._waiting.clear()
                return CellStop(
                    self._cell.index,
                    seen,
                    f"half-width {self._half_width:g} reached: {widest:.4f}",
                )
        return None
