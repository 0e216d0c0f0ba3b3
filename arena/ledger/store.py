"""The ledger: register a plan, put results, read tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from arena.ledger.result import GameResult
from arena.ledger.rows import CellRow, OpenBlock, SweepRow, VoidBlock
from arena.ledger.table import GameTable


class Ledger:
    """Results at rest. One writer at a time; any number of readers."""

    @classmethod
    def open(cls, where: str | Path, *, create: bool = True) -> Self:
        """Open a ledger: a path, "sqlite:///path" or "postgresql://user@host/database"."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the database."""

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def register(self, sweep: SweepRow, cells: Sequence[CellRow]) -> None:
        """File a plan. Idempotent; another plan under the same id is an error saying what."""
        raise NotImplementedError

    def put(self, results: Sequence[GameResult]) -> int:
        """Write results in one transaction; the number that were new. The first write stays."""
        raise NotImplementedError

    def complete_blocks(self, sweep_id: str) -> dict[str, NDArray[np.bool_]]:
        """For every cell id a bitmap (planned_blocks,): True where the block is done, not void."""
        raise NotImplementedError

    def open_blocks(self, sweep_id: str) -> list[OpenBlock]:
        """The half-finished blocks, in plan order."""
        raise NotImplementedError

    def void(self, sweep_id: str, cell_id: str, block: int, reason: str) -> None:
        """Take a block out of all statistics. Idempotent: the last reason stays."""
        raise NotImplementedError

    def unvoid(self, sweep_id: str, cell_id: str, block: int) -> None:
        """Take a void back; the block's results, if any, count again."""
        raise NotImplementedError

    def voided(self, sweep_id: str) -> list[VoidBlock]:
        """The voided blocks, in plan order."""
        raise NotImplementedError

    def table(
        self, sweep_id: str | None = None, *, family: str | None = None, rulebooks: str = "*"
    ) -> GameTable:
        """Complete, unvoided blocks of one sweep or of all; `rulebooks` is a glob over labels."""
        raise NotImplementedError

    def sweeps(self) -> list[SweepRow]:
        """Every sweep, by creation and id."""
        raise NotImplementedError

    def cells(self, sweep_id: str) -> list[CellRow]:
        """The cells of a sweep, in plan order."""
        raise NotImplementedError

    def result(self, game_id: str) -> GameResult | None:
        """One game with its record, or None."""
        raise NotImplementedError

    def records(
        self, sweep_id: str, *, cell_id: str | None = None, limit: int | None = None
    ) -> Iterator[GameResult]:
        """Results that have a full record, ordered by (cell, block, permutation)."""
        raise NotImplementedError
