"""The service's ledger: one thread writes, another reads, the loop waits for neither."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

from arena.ledger import CellRow, GameResult, Ledger, SweepRow
from arena.ratings import Leaderboard, leaderboard

_T = TypeVar("_T")

FRESH_S = 5.0
"""A leaderboard is not fitted again within this time."""

_BOARDS = 64


@dataclass(frozen=True, slots=True)
class Played:
    """One game on file, without its record."""

    cell_id: str
    block: int
    permutation: int
    engines: tuple[str, ...]
    scores: tuple[float, ...]


class Results:
    """What has been played."""

    def __init__(self, where: str) -> None:
        """Opens the ledger, or makes one. Raises LedgerError."""
        self._ledger = Ledger.open(where)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="ledger writer")
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="ledger reader")
        self._boards: dict[tuple[str, str], tuple[float, int, Leaderboard]] = {}
        self.written = 0
        """Games written so far."""

    async def register(self, sweep: SweepRow) -> None:
        """Files a sweep whose cells come later."""
        await self._write(lambda: self._ledger.register(sweep, [], grows=True))

    async def extend(self, sweep: SweepRow, cells: Sequence[CellRow]) -> None:
        """Files cells of it."""
        await self._write(lambda: self._ledger.extend(sweep, cells))

    async def put(self, result: GameResult) -> None:
        """Files one game."""
        await self._write(lambda: self._ledger.put([result]))
        self.written += 1

    async def played(self, sweep_id: str) -> tuple[list[CellRow], list[Played]]:
        """The cells and games of a sweep; none where it is not on file yet."""

        def load() -> tuple[list[CellRow], list[Played]]:
            if sweep_id not in {row.sweep_id for row in self._ledger.sweeps()}:
                return [], []
            games = [
                Played(r.cell_id, r.block, r.permutation, r.engines, r.scores)
                for r in self._ledger.results(sweep_id)
            ]
            return self._ledger.cells(sweep_id), games

        return await self._read(load)

    async def record(self, game_id: str) -> GameResult | None:
        """One game with its record."""
        return await self._read(lambda: self._ledger.result(game_id))

    async def board(self, family: str, rulebooks: str) -> Leaderboard:
        """The leaderboard of a family's rulebooks (a glob), some seconds old at most."""

        def fit() -> Leaderboard:
            key, at = (family, rulebooks), monotonic()
            kept = self._boards.get(key)
            if kept is not None and (kept[1] == self.written or at - kept[0] < FRESH_S):
                return kept[2]
            written = self.written
            found = leaderboard(self._ledger.table(family=family, rulebooks=rulebooks), family)
            if len(self._boards) >= _BOARDS:
                self._boards.clear()
            self._boards[key] = (monotonic(), written, found)
            return found

        return await self._read(fit)

    async def _write(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._writer, work)

    async def _read(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._reader, work)

    def close(self) -> None:
        """Writes what is on its way, and lets go of the ledger."""
        self._reader.shutdown(wait=True, cancel_futures=True)
        self._writer.shutdown(wait=True)
        self._ledger.close()
